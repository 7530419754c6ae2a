//! The descriptions the model reads: bounded, deterministic, and without prose from tools.

#![allow(clippy::allow_attributes, reason = "the allowances below are not needed by every part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "figures and skipped parts are told")]

mod common;

use std::time::Instant;

use code_mode_catalog::{
    Catalog, ExecDescriptionInput, McpOrigin, ToolSource, ToolSpec, exec_description, wait_description,
};
use common::{nasty, schema, tool};
use proptest::prelude::*;
use serde_json::json;

const INPUT: ExecDescriptionInput<'_> = ExecDescriptionInput {
    timeout_ms: 10_000,
    memory_limit_bytes: 67_108_864,
    max_output_bytes: 65_536,
    max_pending_tool_calls: 16,
    snapshot_ttl_seconds: 900,
    search_default_limit: 8,
    max_search_limit: 50,
    languages: &["javascript", "typescript"],
    implicit_return: true,
    namespaces: &[],
    swarm: false,
};

fn catalog(tools: Vec<ToolSpec>) -> Catalog {
    Catalog::new(tools, Vec::new())
}

fn described(name: &str) -> ToolSpec {
    ToolSpec {
        description: "HOSTILE prose".into(),
        label: Some("HOSTILE label".into()),
        parameters: Some(
            json!({"type": "object", "description": "HOSTILE", "required": ["a"], "properties": {
            "a": {"type": "string", "description": "HOSTILE", "title": "HOSTILE", "default": "HOSTILE"}}}),
        ),
        ..tool(name)
    }
}

#[test]
fn the_index_lists_declared_outputs_first_and_local_tools_only() {
    let output = |name: &str| ToolSpec { output_schema: Some(json!({"type": "string"})), ..described(name) };
    let mcp = ToolSpec { source: Some(ToolSource::Mcp), ..described("m") };
    let client = ToolSpec { source: Some(ToolSource::Client), ..described("c") };
    let plugin = ToolSpec { plugin_id: Some("p".into()), ..described("a") };
    let catalog = catalog(vec![described("z"), output("y"), output("x"), mcp, client, plugin]);
    let wanted = "\
\"openclaw:core:x\" { a: string } -> string
\"openclaw:core:y\" { a: string } -> string
\"openclaw:core:z\" { a: string } -> ?
\"openclaw:p:a\" { a: string } -> ?
";
    assert_eq!(catalog.quick_index(), wanted);
    assert!(exec_description(&catalog, &INPUT).ends_with(wanted.trim_end()));
}

#[test]
fn lines_that_do_not_fit_are_skipped_and_counted() {
    let mut tools: Vec<ToolSpec> = (0..400).map(|n| described(&format!("tool_{n:03}"))).collect();
    tools.push(tool(&"x".repeat(500)));
    let catalog = catalog(tools);
    let index = catalog.quick_index();
    assert!(index.len() <= 8_000 && index.len() > 7_800);
    let shown = index.lines().count() - 1;
    let footer =
        format!("{} more tools are not listed here: see ALL_TOOLS or tools.search(query).", 401 - shown);
    assert_eq!(index.lines().last(), Some(footer.as_str()));
}

#[test]
fn a_long_line_does_not_end_the_list() {
    let odd = |name: &str| ToolSpec { name: format!("{name}{}", "\u{1}".repeat(190)), ..ToolSpec::default() };
    let tools = (0..8).map(|n| odd(&format!("a{n}"))).chain([tool("z")]);
    let catalog = catalog(tools.collect());
    let index = catalog.quick_index();
    assert!(index.contains("\"openclaw:core:z\" unknown -> ?\n"), "{index}");
    assert!(index.ends_with("not listed here: see ALL_TOOLS or tools.search(query).\n"));
    assert!(index.len() <= 8_000);
}

#[test]
fn limits_are_named() {
    let text = exec_description(&catalog(vec![]), &INPUT);
    for number in
        ["10000 ms", "67108864 bytes", "65536 bytes", "at most 16", "900 seconds", "default 8, at most 50"]
    {
        assert!(text.contains(number), "{number}: {text}");
    }
    assert!(text.starts_with("Run a JavaScript or TypeScript program"));
    let only = ExecDescriptionInput { languages: &["javascript"], implicit_return: false, ..INPUT };
    let text = exec_description(&catalog(vec![]), &only);
    assert!(text.starts_with("Run a JavaScript program") && !text.contains("last expression"));
    assert!(wait_description().contains("runId"));
}

#[test]
fn sections_appear_only_when_they_apply() {
    let plain = exec_description(&catalog(vec![]), &INPUT);
    for heading in ["## MCP", "## Namespaces", "## Agents", "## Tools\n"] {
        assert!(!plain.contains(heading), "{heading}");
    }
    let origin = McpOrigin { server_name: "git-hub".into(), tool_name: "x".into(), operation: None };
    let mcp = ToolSpec { mcp: Some(origin), ..described("x") };
    let namespaces =
        [("Issues", "Work with\nissues.", Some("Use Issues.list.\nThen close.")), ("B", "b", None)];
    let input = ExecDescriptionInput { namespaces: &namespaces, swarm: true, ..INPUT };
    let text = exec_description(&catalog(vec![mcp]), &input);
    assert!(text.contains("- Servers: gitHub.\n"));
    assert!(
        text.contains(
            "## Namespaces\n- Issues: Work with issues.\n  Use Issues.list.\n  Then close.\n- B: b\n"
        )
    );
    assert!(text.contains("agents.run"));
    assert!(!text.contains("HOSTILE"));
}

#[test]
fn everything_is_bounded() {
    let long = "x".repeat(1_000_000);
    let namespaces: Vec<(&str, &str, Option<&str>)> =
        (0..50).map(|_| ("N", long.as_str(), Some(long.as_str()))).collect();
    let servers = (0..2_000).map(|n| {
        let origin = McpOrigin { server_name: format!("server-{n}"), tool_name: "x".into(), operation: None };
        ToolSpec { mcp: Some(origin), ..described("x") }
    });
    let tools = (0..2_000).map(|n| described(&format!("tool{n}"))).chain(servers);
    let input = ExecDescriptionInput { namespaces: &namespaces, swarm: true, ..INPUT };
    let text = exec_description(&catalog(tools.collect()), &input);
    assert!(text.len() < 24_000, "{}", text.len());
    assert!(text.contains("more in the object `namespaces`") && text.contains("more in mcp/index.d.ts"));
}

#[test]
fn equal_tool_sets_give_equal_bytes_quickly() {
    let tools: Vec<ToolSpec> = (0..1_024).map(|n| described(&format!("tool_{}", n * 7 % 1_024))).collect();
    let reversed: Vec<ToolSpec> = tools.iter().rev().cloned().collect();
    let (first, second) = (catalog(tools.clone()), catalog(reversed));
    assert_eq!(exec_description(&first, &INPUT), exec_description(&second, &INPUT));
    assert_eq!(first.all_tools_json(), second.all_tools_json());
    // Other work may hold up one attempt, hardly all.
    let taken = (0..8).map(|_| {
        let catalog = catalog(tools.clone());
        let started = Instant::now();
        exec_description(&catalog, &INPUT);
        started.elapsed()
    });
    let best = taken.min().unwrap();
    eprintln!("description of 1,024 tools: {best:?}");
    assert!(best.as_millis() < 20, "{best:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_catalog_gives_one_line_per_tool(tools in prop::collection::vec((nasty(), schema(), schema()), 0..40)) {
        let specs = tools.into_iter().map(|(name, parameters, output)| ToolSpec {
            description: "HOSTILE".into(), parameters: Some(parameters), output_schema: Some(output), ..tool(&name)
        });
        let catalog = catalog(specs.collect());
        let index = catalog.quick_index();
        prop_assert!(index.encode_utf16().count() <= 8_000);
        prop_assert!(!index.contains("HOSTILE"));
        for line in index.lines().filter(|line| !line.contains("not listed here")) {
            prop_assert!(line.starts_with("\"openclaw:core:") && line.contains(" -> "), "{}", line);
            prop_assert!(!line.contains("*/") && !line.contains(|char: char| char.is_control()), "{}", line);
        }
    }
}
