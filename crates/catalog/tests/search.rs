//! Search quality on labelled queries over real tools. The data lives outside the repository; without it the test
//! says so and passes.

#![allow(clippy::allow_attributes, reason = "the allowances below are not needed by every part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stderr, reason = "figures and skipped parts are told")]

mod common;

use std::collections::BTreeMap;

use code_mode_catalog::{Catalog, ToolSpec};
use common::data;
use serde_json::Value;

/// The servers' tools as plugin tools, since guests do not find MCP tools by search.
fn catalog(servers: &Value) -> Catalog {
    let mut tools = Vec::new();
    for server in servers.as_array().unwrap() {
        for tool in server["tools"].as_array().unwrap() {
            tools.push(ToolSpec {
                name: tool["name"].as_str().unwrap().to_owned(),
                label: tool["title"].as_str().map(str::to_owned),
                description: tool["description"].as_str().unwrap_or_default().to_owned(),
                plugin_id: Some(server["serverName"].as_str().unwrap().to_owned()),
                parameters: Some(tool["inputSchema"].clone()),
                ..ToolSpec::default()
            });
        }
    }
    Catalog::new(tools, Vec::new())
}

#[derive(Default, Clone, Copy)]
struct Recall {
    first: f64,
    in_eight: f64,
    count: f64,
}

#[test]
fn finds_what_people_ask_for() {
    let (Some(servers), Some(queries)) = (data("mcp-tools.json"), data("search-queries.json")) else {
        eprintln!("search quality: data set not found, skipped");
        return;
    };
    let catalog = catalog(&servers);
    let mut recalls: BTreeMap<&str, Recall> = BTreeMap::new();
    let started = std::time::Instant::now();
    catalog.search("warm", 8);
    let built = started.elapsed();
    let started = std::time::Instant::now();
    for case in queries.as_array().unwrap() {
        let query = case["query"].as_str().unwrap();
        let wanted =
            query.strip_prefix("mcp:").map_or_else(|| query.to_owned(), |rest| format!("openclaw:{rest}"));
        let accept: Vec<&str> = case["accept"]
            .as_array()
            .unwrap()
            .iter()
            .map(|id| id.as_str().unwrap().strip_prefix("mcp:").unwrap())
            .collect();
        let found = catalog.search(&wanted, 8);
        let hit =
            found.iter().position(|entry| accept.contains(&entry.id.strip_prefix("openclaw:").unwrap()));
        if std::env::var_os("SHOW_MISSES").is_some() && hit != Some(0) {
            let shown: Vec<&str> = found.iter().take(3).map(|entry| &entry.id[9..]).collect();
            eprintln!(
                "{:?} {} | {query} | {shown:?} | want {:?}",
                hit,
                case["kind"],
                &accept[..accept.len().min(3)]
            );
        }
        for kind in ["all", case["kind"].as_str().unwrap()] {
            let recall = recalls.entry(kind).or_default();
            recall.count += 1.0;
            recall.first += f64::from(u8::from(hit == Some(0)));
            recall.in_eight += f64::from(u8::from(hit.is_some()));
        }
    }
    let per_query = started.elapsed() / u32::try_from(queries.as_array().unwrap().len()).unwrap();
    for (kind, recall) in &recalls {
        eprintln!("{kind:8} {:.3} / {:.3}", recall.first / recall.count, recall.in_eight / recall.count);
    }
    eprintln!("index {built:?}, query {per_query:?}");
    // Floors a little under what was reached when they were set; the share of queries whose first hit, and whose
    // first eight, hold an accepted tool.
    let floors = [
        ("all", 0.80, 0.91),
        ("exact", 1.0, 1.0),
        ("plain", 0.88, 0.96),
        ("typo", 0.80, 0.90),
        ("variant", 0.84, 0.97),
        ("nostem", 0.55, 0.72),
    ];
    for (kind, first, in_eight) in floors {
        let recall = recalls[kind];
        assert!(recall.first / recall.count >= first, "{kind} first");
        assert!(recall.in_eight / recall.count >= in_eight, "{kind} in eight");
    }
}

fn small() -> Catalog {
    let tool = |name: &str, description: &str| ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        ..ToolSpec::default()
    };
    let tools = vec![
        tool("schedule_job", "Plan a job for later."),
        tool("read_file", "Read a file from disk."),
        tool("spreadsheet", "Spreadsheets: read and write cells, read rows."),
        tool("getYouTubeVideo", "Details of a video."),
        tool("send", "Send a message."),
        tool("send_later", "Send send send a message later."),
    ];
    let hidden = ToolSpec { source: Some(code_mode_catalog::ToolSource::Mcp), ..tool("read_secret", "read") };
    let client = tool("beep", "Client tool that reads.");
    Catalog::new(tools.into_iter().chain([hidden]).collect(), vec![client])
}

fn names(query: &str, limit: usize) -> Vec<String> {
    small().search(query, limit).into_iter().map(|entry| entry.name.clone()).collect()
}

#[test]
fn knows_word_forms_names_and_typos() {
    assert_eq!(names("scheduling", 1), ["schedule_job"]);
    assert_eq!(names("read", 2), ["read_file", "spreadsheet"]);
    assert_eq!(names("youtube", 1), ["getYouTubeVideo"]);
    assert_eq!(names("you tube", 1), ["getYouTubeVideo"]);
    assert_eq!(names("shedule", 1), ["schedule_job"]);
    assert_eq!(names("Send", 1), ["send"]);
    assert_eq!(names("openclaw:core:send_later", 1), ["send_later"]);
    assert!(names("zzzz", 8).is_empty());
    assert!(names("read", 0).is_empty());
}

#[test]
fn an_empty_query_lists_in_catalog_order() {
    let all = ["getYouTubeVideo", "read_file", "schedule_job", "send", "send_later", "spreadsheet", "beep"];
    assert_eq!(names("  ", 99), all);
    assert_eq!(names("", 2), all[..2]);
}

#[test]
fn never_shows_mcp_tools() {
    assert!(!names("read_secret", 50).contains(&"read_secret".to_owned()));
}

#[test]
fn hostile_queries_are_answered_quickly() {
    let catalog = small();
    let long = "read ".repeat(200_000);
    let odd = ["\u{0}", "İİİİ", "ﷺ".repeat(5_000).as_str(), "🦀🦀", &long, &"a".repeat(1_000_000)]
        .map(str::to_owned);
    let started = std::time::Instant::now();
    for query in &odd {
        catalog.search(query, 50);
    }
    assert!(started.elapsed().as_millis() < 200);
}
