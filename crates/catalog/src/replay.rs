//! Which tools a restart-safe cell may call: repeating the call after a lost process must change nothing.
//!
//! Plugins vouch for their own tools (`replaySafe: true`). Core tools count only when they are on the list in
//! `read_only.txt`, whatever they claim; MCP and client tools never do.

use crate::id::Identity;
use crate::tool::{Source, ToolSpec};

const READ_ONLY: &str = include_str!("read_only.txt");

pub(crate) fn is_replay_safe(spec: &ToolSpec, identity: &Identity) -> bool {
    if identity.source != Source::Openclaw {
        return false;
    }
    if identity.is_core() {
        return spec.replay_safe != Some(false) && is_audited(&spec.name);
    }
    spec.replay_safe == Some(true)
}

fn is_audited(name: &str) -> bool {
    READ_ONLY.lines().map(str::trim).any(|line| !line.is_empty() && !line.starts_with('#') && line == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn safe(spec: &ToolSpec) -> bool {
        is_replay_safe(spec, &Identity::of(spec))
    }

    fn tool(name: &str) -> ToolSpec {
        ToolSpec { name: name.into(), ..ToolSpec::default() }
    }

    #[test]
    fn core_tools_need_the_list() {
        assert!(safe(&tool("read")));
        assert!(!safe(&tool("write")));
        assert!(!safe(&ToolSpec { replay_safe: Some(true), ..tool("write") }));
        assert!(!safe(&ToolSpec { replay_safe: Some(false), ..tool("read") }));
        assert!(!safe(&tool("# Files")));
        assert!(!safe(&tool("")));
    }

    #[test]
    fn plugins_vouch_for_themselves_and_never_inherit_the_list() {
        assert!(!safe(&ToolSpec { plugin_id: Some("p".into()), ..tool("read") }));
        assert!(!safe(&ToolSpec { plugin_id: Some("core".into()), ..tool("read") }));
        assert!(safe(&ToolSpec { plugin_id: Some("p".into()), replay_safe: Some(true), ..tool("x") }));
    }

    #[test]
    fn strangers_are_never_safe() {
        for source in [crate::ToolSource::Mcp, crate::ToolSource::Client] {
            assert!(!safe(&ToolSpec { source: Some(source), replay_safe: Some(true), ..tool("read") }));
        }
    }
}
