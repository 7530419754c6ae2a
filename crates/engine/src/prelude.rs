//! The guest's prelude: JavaScript that is evaluated once per process, into the template every cell starts from.

use code_mode_vm::{PreludeScript, Template, TemplateOptions, VmError};
use once_cell::sync::OnceCell;
use std::sync::Arc;

macro_rules! scripts {
    ($($name:literal),* $(,)?) => {
        [$(PreludeScript { name: concat!("prelude/", $name, ".js"), source: include_str!(concat!("prelude/", $name, ".js")) }),*]
    };
}

macro_rules! lazy_scripts {
    ($($name:literal),* $(,)?) => {
        [$(PreludeScript { name: $name, source: include_str!(concat!("prelude/", $name, ".js")) }),*]
    };
}

/// In order: later scripts use what earlier ones left in `shared`.
const SCRIPTS: &[PreludeScript<'static>] = &scripts![
    "primordials",
    "kinds",
    "values",
    "errors",
    "console",
    "lazy",
    "locale",
    "crypto",
    "performance",
    "bridge",
    "timers",
    "output",
    "tools",
    "namespaces",
    "swarm",
    "controller",
];

/// Parts that lazy.js loads when a program first touches them; a start does not pay for them.
const LAZY: &[PreludeScript<'static>] = &lazy_scripts![
    "structured_clone",
    "encoding",
    "url_host",
    "url_parse",
    "url",
    "abort",
    "intl",
    "intl_number",
    "intl_date",
    "intl_text",
];

/// File name of the user's program in stack frames; prelude/errors.js knows it.
pub(crate) const USER_FILE: &str = "code-mode.js";

static TEMPLATE: OnceCell<Arc<Template>> = OnceCell::new();
static TEMPLATE_WITH_HOOKS: OnceCell<Arc<Template>> = OnceCell::new();

/// The template of this process, built at the first call. A failed build is tried again at the next call.
/// With `test_hooks` a guest can be given a function that crashes its VM.
pub(crate) fn template(test_hooks: bool) -> Result<&'static Arc<Template>, VmError> {
    let cell = if test_hooks { &TEMPLATE_WITH_HOOKS } else { &TEMPLATE };
    let options = TemplateOptions { crash_hook: test_hooks, lazy: LAZY, ..TemplateOptions::default() };
    cell.get_or_try_init(|| Template::build_with(SCRIPTS, options))
}

#[cfg(test)]
mod tests {
    /// The prelude keeps to the rule that makes a start a copy: no entries keyed by objects in the template.
    #[test]
    fn the_template_can_start_in_any_slot() {
        let template = super::template(false).expect("the prelude builds");
        assert_eq!(template.relocation_problem(), None);
        // Every cell copies this much at its start.
        assert!(template.image_bytes() < 448 * 1024, "{} bytes", template.image_bytes());
    }
}
