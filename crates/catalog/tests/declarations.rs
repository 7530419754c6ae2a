//! Declarations: exact texts, and proof by the TypeScript compiler that every schema gives valid ones. The compiler is
//! looked for among the repository's development dependencies; without it that part says so and passes.

#![allow(clippy::allow_attributes, reason = "the allowances below are not needed by every part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "figures and skipped parts are told")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use code_mode_catalog::{Catalog, McpOrigin, ToolSpec};
use common::{data, nasty, schema, tool};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

fn mcp(server: &str, name: &str, operation: Option<&str>, parameters: Option<Value>) -> ToolSpec {
    let origin = McpOrigin {
        server_name: server.into(),
        tool_name: name.into(),
        operation: operation.map(str::to_owned),
    };
    ToolSpec { parameters, mcp: Some(origin), ..tool(name) }
}

fn read(catalog: &Catalog, path: &str) -> String {
    let file: Value = serde_json::from_str(&catalog.virtual_files(true).read(path).unwrap()).unwrap();
    let content = file["content"].as_str().unwrap().to_owned();
    assert_eq!(file["bytes"], content.len());
    content
}

fn paths(catalog: &Catalog, prefix: &str) -> Vec<String> {
    let list: Value = serde_json::from_str(&catalog.virtual_files(true).list(prefix).unwrap()).unwrap();
    list["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_server_reads_like_a_typescript_api() {
    let parameters = json!({"type": "object", "required": ["owner", "title"], "properties": {
        "title": {"type": "string", "description": "Issue */ title"},
        "owner": {"type": "string"},
        "labels": {"type": "array", "items": {"type": "string"}, "default": []},
        "state": {"enum": ["open", "closed"], "default": "open"},
        "meta": {"type": "object", "properties": {"a-b": {"type": ["number", "null"], "description": "Deep."}}},
    }});
    let mut create = mcp("git-hub", "create_issue", None, Some(parameters));
    create.description = "Create an issue.\n\nIn a repository.".into();
    let catalog = Catalog::new(vec![create, mcp("git-hub", "x", Some("resources.read"), None)], Vec::new());
    let wanted = "\
declare namespace MCP.gitHub {
  /** Return this header, or that of one tool; with schema also the JSON Schemas. */
  function $api(toolName?: string, options?: { schema?: boolean }): Promise<McpApiHeader>;

  /**
   * Create an issue.
   *
   * In a repository.
   * @param title Issue *\\/ title
   */
  function createIssue(input: {
    owner: string;
    title: string;
    labels?: Array<string>; /* default: [] */
    meta?: {
      /** Deep. */
      \"a-b\"?: number | null;
    };
    state?: \"open\" | \"closed\"; /* default: \"open\" */
  }): Promise<McpToolResult>;

  namespace resources {
    function read(input: { uri: string }): Promise<McpToolResult>;
  }
}
";
    let text = read(&catalog, "/mcp/gitHub.d.ts/");
    assert_eq!(&text[text.find("declare").unwrap()..], wanted);
}

#[test]
fn a_native_tool_shows_how_to_call_it() {
    let spec = ToolSpec {
        parameters: Some(
            json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}),
        ),
        output_schema: Some(json!({"type": "array", "items": {"type": "string"}})),
        ..tool("list")
    };
    let clash = [tool("a-b"), tool("a_b"), tool("delete")];
    let catalog = Catalog::new(clash.into_iter().chain([spec]).collect(), Vec::new());
    let text = "\
// tools/list.d.ts: await tools.list(input) or tools.callValue(\"openclaw:core:list\", input)
interface Tools {
  list(input: {
    path: string;
  }): Promise<Array<string>>;
}
";
    assert_eq!(read(&catalog, "tools/list.d.ts"), text);
    let files = [
        "tools/delete.d.ts",
        "tools/list.d.ts",
        "tools/openclaw_core_a-b.d.ts",
        "tools/openclaw_core_a_b.d.ts",
    ];
    assert_eq!(paths(&catalog, "tools"), files);
    assert!(
        read(&catalog, "tools/openclaw_core_a_b.d.ts")
            .contains("await tools.callValue(\"openclaw:core:a_b\", input)")
    );
}

#[test]
fn paths_are_checked() {
    let catalog = Catalog::new(vec![tool("x")], Vec::new());
    let files = catalog.virtual_files(false);
    for bad in ["", "/", "a//b", "./tools/x.d.ts", "tools/../tools/x.d.ts", "..", "tools/."] {
        assert_eq!(
            files.read(bad).unwrap_err().to_string(),
            format!("Invalid API path: {}", bad.trim_matches('/'))
        );
    }
    assert_eq!(
        files.read("tools/y.d.ts").unwrap_err().to_string(),
        "Unknown API file: tools/y.d.ts. API.list() shows all files."
    );
    assert!(files.read("agents.d.ts").is_err() && catalog.virtual_files(true).read("agents.d.ts").is_ok());
    assert!(files.list("../x").is_err());
    assert_eq!(files.list("mcp").unwrap(), "{\"files\":[]}");
    assert!(
        files.list("/tools/").unwrap().starts_with("{\"files\":[{\"path\":\"tools/x.d.ts\",\"description\":")
    );
}

#[test]
fn odd_names_stay_callable_under_one_stable_name() {
    let names = [
        "constructor",
        "then",
        "delete",
        "$api",
        "resources",
        "getUser",
        "getuser",
        "get_user",
        "-",
        "3",
        "__proto__",
    ];
    let servers = ["index", "a-b", "a_b", "AB", "ab", "__proto__", "delete", ""];
    let specs: Vec<ToolSpec> =
        servers.iter().flat_map(|server| names.iter().map(|name| mcp(server, name, None, None))).collect();
    let catalog = Catalog::new(specs.clone(), Vec::new());
    let namespace: Value = serde_json::from_str(catalog.mcp_namespace_json().unwrap()).unwrap();
    let reversed = Catalog::new(specs.into_iter().rev().collect(), Vec::new());
    assert_eq!(catalog.mcp_namespace_json(), reversed.mcp_namespace_json());
    let mut ids = 0;
    for server in namespace["servers"].as_array().unwrap() {
        let name = server["name"].as_str().unwrap();
        let text = read(&catalog, &format!("mcp/{name}.d.ts"));
        for tool in server["tools"].as_array().unwrap() {
            ids += 1;
            assert!(catalog.by_id(tool["id"].as_str().unwrap()).is_some());
            assert!(text.contains(&format!("function {}(", tool["name"].as_str().unwrap())), "{name} {tool}");
        }
    }
    assert_eq!(ids, names.len() * servers.len());
    let files = paths(&catalog, "mcp/");
    let lower: std::collections::BTreeSet<String> = files.iter().map(|path| path.to_lowercase()).collect();
    assert_eq!((files.len(), lower.len()), (servers.len() + 1, servers.len() + 1));
}

#[test]
fn namespace_json_has_what_the_prelude_needs() {
    let parameters = json!({"properties": {"a": {"default": 1}, "b": {}}, "required": ["b", 7]});
    let catalog = Catalog::new(
        vec![
            mcp("s", "t", None, Some(parameters)),
            mcp("s", "p", Some("prompts.get"), None),
            mcp("s", "q", Some("prompts.get"), None),
        ],
        Vec::new(),
    );
    let wanted = json!({"servers": [{"name": "s", "server": "s", "tools": [
        {"name": "get", "id": "mcp:s:p", "kind": "prompts.get", "required": ["name"], "defaults": {}},
        {"name": "q", "id": "mcp:s:q", "kind": "tool", "required": [], "defaults": {}},
        {"name": "t", "id": "mcp:s:t", "kind": "tool", "required": ["b"], "defaults": {"a": 1}},
    ], "resources": false, "prompts": true}]});
    assert_eq!(serde_json::from_str::<Value>(catalog.mcp_namespace_json().unwrap()).unwrap(), wanted);
    assert_eq!(Catalog::new(vec![tool("x")], Vec::new()).mcp_namespace_json(), None);

    let huge = json!({"properties": {"a": {"default": "x".repeat(1_000_000)}, "b": {"default": vec![0; 100_000]}, "c": {"default": {}}}});
    let catalog = Catalog::new(vec![mcp("s", "t", None, Some(huge))], Vec::new());
    assert!(
        catalog
            .mcp_namespace_json()
            .unwrap()
            .ends_with("\"defaults\":{\"c\":{}}}],\"resources\":false,\"prompts\":false}]}")
    );
}

#[test]
fn api_values() {
    let catalog = Catalog::new(vec![mcp("s-1", "get_x", None, Some(json!({"type": "object"})))], Vec::new());
    let api = |server: Option<&str>, tool: Option<&str>, schema: bool| -> Result<Value, String> {
        catalog.mcp_api_json(server, tool, schema).map(|text| serde_json::from_str(&text).unwrap())
    };
    let root = api(None, None, false).unwrap();
    assert_eq!((&root["kind"], &root["scope"]), (&json!("mcp_api"), &json!("root")));
    assert_eq!(
        root["servers"],
        json!([{"name": "s1", "server": "s-1", "toolCount": 1, "path": "mcp/s1.d.ts"}])
    );
    let server = api(Some("s1"), None, false).unwrap();
    assert_eq!(server["header"], read(&catalog, "mcp/s1.d.ts"));
    assert_eq!((&server["scope"], server.get("schemas")), (&json!("server"), None));
    for name in ["getX", "get_x"] {
        let tool = api(Some("s1"), Some(name), true).unwrap();
        assert_eq!(tool["tools"], json!([{"name": "getX", "tool": "get_x", "description": ""}]));
        assert_eq!(tool["schemas"], json!({"getX": {"type": "object"}}));
    }
    assert_eq!(
        api(Some("s1"), Some("nope"), false).unwrap_err(),
        "Unknown MCP tool: nope. MCP.s1.$api() lists the tools of this server."
    );
    assert_eq!(api(Some("zz"), None, false).unwrap_err(), "Unknown MCP server: zz.");
}

/// All files of a catalog, each made a module so that they do not see each other. Numbered, since tool names may be
/// longer than file names, or differ in case only.
fn write(catalog: &Catalog, folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for (number, path) in paths(catalog, "").into_iter().enumerate() {
        let text = format!("{}\nexport {{}};\n", read(catalog, &path));
        fs::write(folder.join(format!("{number}.d.ts")), text).unwrap();
    }
}

fn compile(name: &str, catalogs: &[Catalog]) {
    let tsc = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../node_modules/.bin/tsc");
    if !tsc.exists() {
        eprintln!("{name}: no TypeScript compiler, skipped");
        return;
    }
    let folder = std::env::temp_dir().join(format!("code-mode-declarations-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    for (index, catalog) in catalogs.iter().enumerate() {
        write(catalog, &folder.join(index.to_string()));
    }
    let config = json!({"compilerOptions": {"noEmit": true, "strict": true, "skipLibCheck": false, "types": [], "lib": ["es2022"]}});
    fs::write(folder.join("tsconfig.json"), config.to_string()).unwrap();
    let run = Command::new(tsc).arg("-p").arg(&folder).output().unwrap();
    let errors = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{}", errors.lines().take(30).collect::<Vec<_>>().join("\n"));
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn declarations_of_real_tools_compile() {
    let Some(servers) = data("mcp-tools.json") else {
        eprintln!("real tools: data set not found, skipped");
        return;
    };
    let (mut remote, mut native) = (Vec::new(), Vec::new());
    for server in servers.as_array().unwrap() {
        let server_name = server["serverName"].as_str().unwrap();
        for tool in server["tools"].as_array().unwrap() {
            let name = tool["name"].as_str().unwrap();
            let description = tool["description"].as_str().unwrap_or_default().to_owned();
            let parameters = Some(tool["inputSchema"].clone());
            remote.push(ToolSpec {
                description: description.clone(),
                ..mcp(server_name, name, None, parameters.clone())
            });
            native.push(ToolSpec {
                name: name.to_owned(),
                description,
                parameters,
                output_schema: tool.get("outputSchema").cloned(),
                plugin_id: Some(server_name.to_owned()),
                ..ToolSpec::default()
            });
        }
    }
    let catalogs = [Catalog::new(remote, Vec::new()), Catalog::new(native, Vec::new())];
    let started = std::time::Instant::now();
    let bytes: usize =
        catalogs.iter().map(|catalog| catalog.virtual_files(false).list("").unwrap().len()).sum();
    eprintln!("all declarations made in {:?} ({bytes} bytes of listing)", started.elapsed());
    compile("real", &catalogs);
}

#[test]
fn declarations_of_generated_schemas_compile() {
    let mut runner = TestRunner::deterministic();
    let (schemas, names) = (schema(), nasty());
    let specs = (0..600).map(|n| {
        let schema = schemas.new_tree(&mut runner).unwrap().current();
        let name = names.new_tree(&mut runner).unwrap().current();
        let description = names.new_tree(&mut runner).unwrap().current();
        let server = names.new_tree(&mut runner).unwrap().current();
        let output_schema = Some(schemas.new_tree(&mut runner).unwrap().current());
        let origin =
            (n % 3 == 0).then(|| McpOrigin { server_name: server, tool_name: name.clone(), operation: None });
        ToolSpec {
            name: format!("{name}{}", n / 7),
            description,
            parameters: Some(schema),
            output_schema,
            mcp: origin,
            ..ToolSpec::default()
        }
    });
    compile("generated", &[Catalog::new(specs.collect(), Vec::new())]);
}

#[test]
fn every_reserved_word_compiles_as_tool_and_server() {
    let words = "abstract any arguments as asserts async await bigint boolean break case catch class const constructor continue
        debugger declare default delete do else enum eval export extends false finally for from function get global globalThis if
        implements import in infer instanceof interface intrinsic is keyof let module namespace never new null number object of
        override package private protected public readonly require return satisfies set static string super switch symbol this
        throw true try type typeof undefined unique unknown using var void while with yield Promise Array Record exports Object";
    let specs = words
        .split_whitespace()
        .flat_map(|word| [mcp(word, word, None, None), mcp("all", word, None, None), tool(word)]);
    compile("reserved", &[Catalog::new(specs.collect(), Vec::new())]);
}

#[test]
fn large_servers_are_shortened_but_name_everything() {
    let properties: serde_json::Map<String, Value> = (0..12)
        .map(|n| {
            (
                format!("param{n}"),
                json!({"type": "object", "description": "long ".repeat(50), "properties": {"x": {}}}),
            )
        })
        .collect();
    let parameters = json!({"type": "object", "properties": properties, "required": ["param3"]});
    let specs = (0..150).map(|n| ToolSpec {
        description: "text ".repeat(100),
        ..mcp("big", &format!("tool_{n}"), None, Some(parameters.clone()))
    });
    let catalog = Catalog::new(specs.collect(), Vec::new());
    let text = read(&catalog, "mcp/big.d.ts");
    assert!(text.len() < 100_000, "{}", text.len());
    assert!(text.contains("// Shortened: await MCP.big.$api(\"<tool>\") gives one tool in full.\n"));
    assert!((0..150).all(|n| text.contains(&format!("  function tool{n}(input: {{\n"))));
    assert_eq!(text.matches("param3: Record<string, unknown>;").count(), 150);
    let one: Value =
        serde_json::from_str(&catalog.mcp_api_json(Some("big"), Some("tool7"), false).unwrap()).unwrap();
    assert!(one["header"].as_str().unwrap().contains("@param param3 long long"));
}
