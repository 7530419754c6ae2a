//! Entries, order, lookup and safe names.

#![allow(clippy::allow_attributes, reason = "the allowances below are not needed by every part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "figures and skipped parts are told")]

mod common;

use std::sync::Arc;

use code_mode_catalog::{
    Catalog, EntryData, ExecutionMode, McpOrigin, Source, SourceCounts, ToolSource, ToolSpec,
};
use common::tool;
use serde_json::{Value, json};

fn plugin(owner: &str, name: &str) -> ToolSpec {
    ToolSpec { source: Some(ToolSource::Plugin), plugin_id: Some(owner.into()), ..tool(name) }
}

fn mcp(server: &str, name: &str) -> ToolSpec {
    let origin = McpOrigin { server_name: server.into(), tool_name: name.into(), operation: None };
    ToolSpec { mcp: Some(origin), ..tool(name) }
}

fn ids(catalog: &Catalog) -> Vec<&str> {
    catalog.entries().iter().map(|entry| entry.id.as_str()).collect()
}

fn message(catalog: &Catalog, wanted: &str) -> String {
    catalog.lookup(wanted).map_or_else(|error| error.to_string(), |entry| entry.id.clone())
}

fn sample() -> Catalog {
    Catalog::new(
        vec![
            tool("write_file"),
            plugin("git", "commit"),
            mcp("gh", "create_issue"),
            tool("read_file"),
            plugin("svn", "commit"),
        ],
        vec![ToolSpec { source_name: Some("app".into()), ..tool("beep") }, tool("alpha")],
    )
}

#[test]
fn entries_are_sorted_by_id_with_client_tools_after() {
    let order = [
        "mcp:gh:create_issue",
        "openclaw:core:read_file",
        "openclaw:core:write_file",
        "openclaw:git:commit",
        "openclaw:svn:commit",
        "client:app:beep",
        "client:client:alpha",
    ];
    assert_eq!(ids(&sample()), order);
    assert_eq!(sample().counts(), SourceCounts { openclaw: 4, mcp: 1, client: 2 });
}

#[test]
fn of_equal_ids_the_last_one_wins() {
    let numbered = |host_index| ToolSpec { host_index, ..tool("x") };
    let catalog = Catalog::new(vec![numbered(1), numbered(2)], Vec::new());
    assert_eq!((catalog.entries().len(), catalog.entries()[0].host_index), (1, 2));
    let client = |host_index| ToolSpec { source: Some(ToolSource::Client), ..numbered(host_index) };
    let catalog =
        Catalog::new(vec![client(1)], vec![numbered(2)]).with_client_tools(vec![numbered(3), numbered(4)]);
    assert_eq!((catalog.entries().len(), catalog.entries()[0].host_index), (1, 4));
}

#[test]
fn a_client_tool_cannot_claim_another_source() {
    let claims = ToolSpec { source: Some(ToolSource::Openclaw), replay_safe: Some(true), ..tool("read") };
    let hidden = mcp("gh", "x");
    let catalog = Catalog::new(Vec::new(), vec![claims, hidden]);
    assert_eq!(ids(&catalog), ["client:client:read", "client:client:x"]);
    assert!(catalog.entries().iter().all(|entry| entry.mcp.is_none() && !entry.replay_safe));
}

#[test]
fn new_versions_share_entries_and_leave_the_old_one_alone() {
    let old = sample();
    let new = old.with_client_tools(vec![tool("zulu")]);
    assert_eq!((old.entries().len(), new.entries().len()), (7, 8));
    let shared =
        |catalog: &Catalog| std::ptr::from_ref::<EntryData>(catalog.by_id("openclaw:git:commit").unwrap());
    assert_eq!(shared(&old), shared(&new));
    assert!(new.lookup("zulu").is_ok() && old.lookup("zulu").is_err());
    assert!(new.search("zulu", 5).len() == 1 && old.search("zulu", 5).is_empty());
}

#[test]
fn guests_see_compact_entries_without_mcp() {
    let spec = ToolSpec {
        label: Some("Files".into()),
        description: "d".into(),
        parameters: Some(json!({"properties": {"a": {"type": "string"}}})),
        output_schema: Some(json!({"type": "null"})),
        ..plugin("fs", "ls")
    };
    let client = ToolSpec { output_schema: Some(json!({"type": "null"})), ..tool("c") };
    let catalog = Catalog::new(vec![spec, mcp("gh", "x"), tool("core")], vec![client]);
    let core = json!({"id": "openclaw:core:core", "name": "core", "description": "", "source": "openclaw", "input": "unknown"});
    let files = json!({"id": "openclaw:fs:ls", "name": "ls", "label": "Files", "description": "d", "source": "openclaw",
        "sourceName": "fs", "input": "{ a?: string }", "output": "null"});
    let client = json!({"id": "client:client:c", "name": "c", "description": "", "source": "client",
        "sourceName": "client", "input": "unknown"});
    assert_eq!(
        serde_json::from_str::<Value>(catalog.all_tools_json()).unwrap(),
        json!([core, files, client])
    );
    assert_eq!(
        serde_json::from_str::<Value>(&catalog.host_view_json()).unwrap().as_array().unwrap().len(),
        4
    );

    let entry = catalog.lookup("ls").unwrap();
    assert_eq!(serde_json::from_str::<Value>(&catalog.guest_entry_json(entry)).unwrap(), files);
    let described: Value = serde_json::from_str(&catalog.describe_json(entry)).unwrap();
    assert_eq!(described["parameters"], json!({"properties": {"a": {"type": "string"}}}));
    assert_eq!(described["outputSchema"], json!({"type": "null"}));
    let described: Value =
        serde_json::from_str(&catalog.describe_json(catalog.lookup("c").unwrap())).unwrap();
    assert_eq!((described.get("parameters"), described.get("outputSchema")), (Some(&json!({})), None));
}

#[test]
fn lookup_by_id_and_by_unique_name() {
    let catalog = sample();
    assert_eq!(message(&catalog, " openclaw:git:commit\n"), "openclaw:git:commit");
    assert_eq!(message(&catalog, "read_file "), "openclaw:core:read_file");
    assert_eq!(message(&catalog, "commit"), "Ambiguous tool name: commit; use an exact tool id.");
}

#[test]
fn unknown_names_come_with_near_ones() {
    let catalog = sample();
    let help = "Find tools with tools.search(query) or ALL_TOOLS.";
    assert_eq!(
        message(&catalog, "raed_file"),
        format!("Unknown tool id: raed_file. Did you mean: read_file? {help}")
    );
    assert_eq!(
        message(&catalog, "readFile"),
        format!("Unknown tool id: readFile. Did you mean: read_file? {help}")
    );
    assert_eq!(
        message(&catalog, "file"),
        format!("Unknown tool id: file. Did you mean: read_file, write_file? {help}")
    );
    assert_eq!(
        message(&catalog, "openclaw:core:comit"),
        format!(
            "Unknown tool id: openclaw:core:comit. Did you mean: openclaw:git:commit, openclaw:svn:commit? {help}"
        )
    );
    assert_eq!(message(&catalog, "zzzzzz"), format!("Unknown tool id: zzzzzz. {help}"));
    assert_eq!(message(&catalog, ""), format!("Unknown tool id: . {help}"));
}

#[test]
fn mcp_entries_are_unknown_to_guests() {
    let catalog = sample();
    for wanted in ["mcp:gh:create_issue", "create_issue", "create_isue"] {
        let text = message(&catalog, wanted);
        assert_eq!(
            text,
            format!("Unknown tool id: {wanted}. Find tools with tools.search(query) or ALL_TOOLS.")
        );
    }
    assert_eq!(catalog.by_id("mcp:gh:create_issue").unwrap().source, Source::Mcp);
    assert!(!catalog.check_restart_safe("mcp:gh:create_issue"));
}

#[test]
fn hostile_lookups_are_bounded() {
    let tools = (0..2_000).map(|n| tool(&format!("some_rather_long_tool_name_{n}")));
    let catalog =
        Catalog::new(tools.chain([tool("evil\nname"), tool(&"e".repeat(100_000))]).collect(), Vec::new());
    let started = std::time::Instant::now();
    let text = message(&catalog, &"x".repeat(1_000_000));
    assert_eq!(
        text.chars().count(),
        "Unknown tool id: . Find tools with tools.search(query) or ALL_TOOLS.".len() + 201
    );
    assert!(!message(&catalog, "evilname").contains('\n'));
    assert!(message(&catalog, &"e".repeat(60)).len() < 500);
    message(&catalog, "some_rather_long_tool_name_x");
    assert!(started.elapsed().as_millis() < 200, "{:?}", started.elapsed());
}

#[test]
fn safe_names() {
    let tools = [
        "web_search",
        "a-b",
        "a_b",
        "search",
        "describe",
        "call",
        "callValue",
        "then",
        "__proto__",
        "2fa",
        "x y",
        "delete",
    ];
    let specs = tools.iter().map(|name| tool(name)).chain([
        plugin("git", "commit"),
        plugin("svn", "commit"),
        mcp("gh", "web_search"),
    ]);
    let catalog = Catalog::new(specs.collect(), vec![tool("beep")]);
    let names: Vec<&str> = catalog.safe_names().iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["beep", "delete", "tool_2fa", "web_search", "x_y"]);
    assert_eq!(catalog.safe_name("x_y").unwrap().name, "x y");
    assert_eq!(catalog.safe_name("web_search").unwrap().id, "openclaw:core:web_search");
    assert!(catalog.safe_name("commit").is_none() && catalog.safe_name("search").is_none());
}

#[test]
fn plugin_tools_are_found_by_owner_and_name() {
    let catalog = Catalog::new(vec![plugin("a:b", "c"), plugin("a", "b:c"), tool("c")], Vec::new());
    catalog.prepare();
    assert_eq!(catalog.plugin_tool("a:b", "c").unwrap().source_name.as_deref(), Some("a:b"));
    assert_eq!(catalog.plugin_tool("a", "b:c").unwrap().source_name.as_deref(), Some("a"));
    assert!(catalog.plugin_tool("a", "c").is_none());
}

#[test]
fn restart_safety_is_by_exact_id() {
    let vouched = ToolSpec { replay_safe: Some(true), ..plugin("p", "peek") };
    let catalog = Catalog::new(vec![tool("read"), tool("write"), vouched], Vec::new());
    assert!(
        catalog.check_restart_safe("openclaw:core:read") && catalog.check_restart_safe("openclaw:p:peek")
    );
    for id in ["read", " openclaw:core:read", "openclaw:core:write", "openclaw:core:nope", ""] {
        assert!(!catalog.check_restart_safe(id), "{id}");
    }
}

#[test]
fn order_of_input_does_not_show() {
    let tools: Vec<ToolSpec> = (0..50)
        .map(|n| if n % 3 == 0 { mcp("s", &format!("t{n}")) } else { tool(&format!("t{n}")) })
        .collect();
    let reversed = tools.iter().rev().cloned().collect();
    let (a, b) = (Catalog::new(tools, Vec::new()), Catalog::new(reversed, Vec::new()));
    assert_eq!((a.all_tools_json(), a.host_view_json()), (b.all_tools_json(), b.host_view_json()));
    assert_eq!(a.mcp_namespace_json(), b.mcp_namespace_json());
    assert_eq!(a.virtual_files(true).list("").unwrap(), b.virtual_files(true).list("").unwrap());
}

#[test]
fn one_catalog_serves_many_threads() {
    let sequential = ToolSpec { execution_mode: Some(ExecutionMode::Sequential), ..tool("s") };
    let catalog = Arc::new(Catalog::new(
        (0..200).map(|n| tool(&format!("tool_{n}"))).chain([sequential]).collect(),
        Vec::new(),
    ));
    assert!(catalog.lookup("s").unwrap().sequential && !catalog.lookup("tool_1").unwrap().sequential);
    let texts: Vec<(String, usize)> = std::thread::scope(|scope| {
        let work =
            |catalog: Arc<Catalog>| (catalog.all_tools_json().to_owned(), catalog.search("tool", 50).len());
        let threads: Vec<_> = (0..8)
            .map(|_| {
                let catalog = Arc::clone(&catalog);
                scope.spawn(move || work(catalog))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(texts.iter().all(|text| text == &texts[0]));
}

#[test]
fn very_long_descriptions_are_cut_until_described() {
    let catalog =
        Catalog::new(vec![ToolSpec { description: "é".repeat(1_000_000), ..tool("x") }], Vec::new());
    let entry = catalog.lookup("x").unwrap();
    assert_eq!(catalog.all_tools_json().matches('é').count(), 4_000);
    assert!(catalog.all_tools_json().contains("é…\""));
    assert_eq!(catalog.describe_json(entry).matches('é').count(), 1_000_000);
}
