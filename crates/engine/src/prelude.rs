//! The guest's prelude: JavaScript that is evaluated once per process, into the template every cell starts from.

use code_mode_vm::{PreludeScript, Template, TemplateOptions, VmError};
use once_cell::sync::OnceCell;
use std::sync::Arc;

macro_rules! scripts {
    ($($name:literal),* $(,)?) => {
        [$(PreludeScript { name: concat!("prelude/", $name, ".js"), source: include_str!(concat!("prelude/", $name, ".js")) }),*]
    };
}

/// In order: later scripts use what earlier ones left in `shared`.
const SCRIPTS: &[PreludeScript<'static>] =
    &scripts![
        "primordials", "kinds", "values", "errors", "console", "lazy", "locale", "structured_clone", "encoding", "url_host", "url_parse", "url",
        "crypto", "performance", "intl", "intl_number", "intl_date", "intl_text", "bridge", "timers", "abort", "output",
        "tools", "namespaces", "swarm", "controller",
    ];

/// File name of the user's program in stack frames; prelude/errors.js knows it.
pub(crate) const USER_FILE: &str = "code-mode.js";

static TEMPLATE: OnceCell<Arc<Template>> = OnceCell::new();

/// The template of this process, built at the first call. A failed build is tried again at the next call.
pub(crate) fn template() -> Result<&'static Arc<Template>, VmError> {
    // The crash hook is reachable only through a part of the prelude that tests ask for by name.
    TEMPLATE.get_or_try_init(|| Template::build_with(SCRIPTS, TemplateOptions { crash_hook: true, ..TemplateOptions::default() }))
}

#[cfg(test)]
mod tests {
    /// The prelude keeps to the rule that makes a start a copy: no entries keyed by objects in the template.
    #[test]
    fn the_template_can_start_in_any_slot() {
        let template = super::template().expect("the prelude builds");
        assert!(template.is_relocatable());
        // Every cell copies this much at its start.
        assert!(template.image_bytes() < 640 * 1024, "{} bytes", template.image_bytes());
    }
}
