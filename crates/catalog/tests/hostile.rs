//! Whatever tools, schemas and guests say: no panic, and no derived text that takes long to make.

#![allow(clippy::allow_attributes, reason = "the allowances below are not needed by every part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "figures and skipped parts are told")]

mod common;

use std::time::Instant;

use code_mode_catalog::{Catalog, ExecDescriptionInput, McpOrigin, ToolSource, ToolSpec, exec_description};
use common::{nasty, schema, tool};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

const INPUT: ExecDescriptionInput<'_> = ExecDescriptionInput {
    timeout_ms: 1,
    memory_limit_bytes: 1,
    max_output_bytes: 1,
    max_pending_tool_calls: 1,
    snapshot_ttl_seconds: 1,
    search_default_limit: 1,
    max_search_limit: 1,
    languages: &[],
    implicit_return: true,
    namespaces: &[("N", "d", None)],
    swarm: true,
};

fn spec() -> impl Strategy<Value = ToolSpec> {
    let source = prop_oneof![
        Just(None),
        Just(Some(ToolSource::Openclaw)),
        Just(Some(ToolSource::Plugin)),
        Just(Some(ToolSource::Mcp)),
        Just(Some(ToolSource::Client)),
    ];
    let origin =
        (nasty(), nasty(), prop::option::of(prop_oneof![Just("resources.list".to_owned()), nasty()]))
            .prop_map(|(server_name, tool_name, operation)| McpOrigin { server_name, tool_name, operation });
    let text =
        (nasty(), nasty(), prop::option::of(nasty()), prop::option::of(nasty()), prop::option::of(nasty()));
    let schemas = (prop::option::of(schema()), prop::option::of(schema()));
    (text, source, schemas, prop::option::weighted(0.3, origin)).prop_map(
        |((name, description, label, source_name, plugin_id), source, (parameters, output_schema), mcp)| {
            ToolSpec {
                name,
                description,
                label,
                source_name,
                plugin_id,
                source,
                parameters,
                output_schema,
                mcp,
                ..ToolSpec::default()
            }
        },
    )
}

/// Asks a catalog for everything it can derive.
fn exercise(catalog: &Catalog, text: &str) {
    let is_json = |text: &str| assert!(serde_json::from_str::<Value>(text).is_ok(), "{text}");
    is_json(catalog.all_tools_json());
    is_json(&catalog.host_view_json());
    catalog.mcp_namespace_json().into_iter().for_each(is_json);
    exec_description(catalog, &INPUT);
    for entry in catalog.entries() {
        is_json(&catalog.guest_entry_json(entry));
        is_json(&catalog.describe_json(entry));
        assert_eq!(catalog.by_id(&entry.id).unwrap().id, entry.id);
        if let Ok(Some(contract)) = catalog.output_contract(entry) {
            let _ = contract.check(&json!({"a": [text]}));
        }
    }
    for (name, index) in catalog.safe_names() {
        assert_eq!(catalog.safe_name(name).unwrap().id, catalog.entries()[*index].id);
    }
    for entry in catalog.search(text, 50) {
        assert!(entry.is_guest_visible());
    }
    let _ = catalog.lookup(text).map_err(|error| error.to_string());
    let files: Value = serde_json::from_str(&catalog.virtual_files(true).list("").unwrap()).unwrap();
    for file in files["files"].as_array().unwrap() {
        let path = file["path"].as_str().unwrap();
        let read: Value = serde_json::from_str(&catalog.virtual_files(true).read(path).unwrap()).unwrap();
        assert_eq!(read["bytes"], file["bytes"]);
    }
    for server in [None, Some(text)] {
        let _ = catalog.mcp_api_json(server, Some(text), true);
    }
    let _ = catalog.virtual_files(true).list(text);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics(tools in prop::collection::vec(spec(), 0..12), clients in prop::collection::vec(spec(), 0..4), text in nasty()) {
        let catalog = Catalog::new(tools.clone(), clients.clone());
        exercise(&catalog, &text);
        exercise(&catalog.with_client_tools(tools), &text);
    }
}

#[test]
fn monstrous_tools_cost_little() {
    let wide: Map<String, Value> =
        (0..100_000).map(|n| (format!("p{n}"), json!({"type": "string"}))).collect();
    let required: Vec<String> = (0..100_000).map(|n| format!("p{n}")).collect();
    let mut defs = Map::new();
    for n in 0..60 {
        let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
        defs.insert(
            format!("d{n}"),
            json!({"allOf": [next, next], "anyOf": [next, next], "properties": {"a": next, "b": next}}),
        );
    }
    let deep = (0..100).fold(
        json!({"type": "null"}),
        |inner, n| json!({"type": "object", "properties": {format!("l{n}"): inner}}),
    );
    let unions: Vec<Value> = (0..300)
        .map(|n| json!({"type": "object", "properties": {format!("k{n}"): {"const": n}, "t": {"enum": (0..200).collect::<Vec<_>>()}}}))
        .collect();
    let monsters = [
        json!({"type": "object", "properties": wide, "required": required}),
        json!({"enum": (0..200_000).collect::<Vec<_>>()}),
        json!({"$ref": "#/$defs/d0", "$defs": defs}),
        deep,
        json!({"anyOf": unions, "oneOf": unions, "allOf": [{"anyOf": unions}]}),
        json!({"type": "object", "description": "x".repeat(2_000_000), "properties": {"x".repeat(1_000_000): {}}}),
        json!({"type": vec!["object"; 100_000]}),
        json!({"type": "array", "prefixItems": vec![json!({}); 100_000]}),
    ];
    for (number, monster) in monsters.iter().enumerate() {
        let one = |name: &str| ToolSpec {
            parameters: Some(monster.clone()),
            output_schema: Some(monster.clone()),
            description: "word ".repeat(200_000),
            ..tool(name)
        };
        let origin = McpOrigin { server_name: "s".into(), tool_name: "t".into(), operation: None };
        let remote = ToolSpec { mcp: Some(origin), ..one("remote") };
        let specs = vec![one("local"), remote];
        let started = Instant::now();
        let catalog = Catalog::new(specs, Vec::new());
        catalog.prepare();
        catalog.search("local", 8);
        exec_description(&catalog, &INPUT);
        let listed = catalog.virtual_files(false).list("").unwrap();
        let taken = started.elapsed();
        eprintln!("monster {number}: {taken:?}");
        assert!(taken.as_millis() < 600, "monster {number}: {taken:?}");
        let listed: Value = serde_json::from_str(&listed).unwrap();
        for file in listed["files"].as_array().unwrap() {
            assert!(file["bytes"].as_u64().unwrap() < 100_000, "monster {number}: {file}");
        }
    }
}
