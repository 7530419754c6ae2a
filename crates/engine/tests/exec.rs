//! One cell from `exec` to its result, without a suspension.
#![allow(clippy::unwrap_used, missing_docs, reason = "tests")]

mod harness;
use harness::{Host, echo};
use serde_json::json;

#[test]
fn a_program_returns_a_value() {
    let host = Host::new();
    let run = host.run(json!({}), &[]);
    for (code, value) in [
        ("return 1 + 1", json!(2)),
        ("1 + 1", json!(2)),
        ("const x = 1", json!(null)),
        ("const a = await Promise.resolve(3); return [a, { b: 'ü' }]", json!([3, { "b": "ü" }])),
    ] {
        let result = host.exec(run, code, &echo);
        assert_eq!((&result["status"], &result["value"]), (&json!("completed"), &value), "{code}: {result}");
    }
}

#[test]
fn calls_run_in_parallel_and_in_sequence() {
    let host = Host::new();
    let run = host.run(json!({}), &["add", "fail"]);
    let tools = |name: &str, input: &serde_json::Value| {
        Some(match name {
            "add" => Ok(json!(input["a"].as_i64().unwrap() + input["b"].as_i64().unwrap())),
            _ => Err("no such file".to_owned()),
        })
    };
    let code = "
        const sums = await Promise.all([1, 2, 3].map((a) => tools.add({ a, b: 10 })));
        let total = 0;
        for (const sum of sums) total = await tools.callValue('openclaw:core:add', { a: total, b: sum });
        let caught;
        try { await tools.fail({}); } catch (error) { caught = error instanceof Error && error.message; }
        return { sums, total, caught, known: ALL_TOOLS.map((tool) => tool.id) };";
    let result = host.exec(run, code, &tools);
    assert_eq!(
        result["value"],
        json!({ "sums": [11, 12, 13], "total": 36, "caught": "no such file", "known": ["openclaw:core:add", "openclaw:core:fail"] }),
        "{result}"
    );
    assert_eq!(result["telemetry"]["callCount"], 7);
}

#[test]
fn output_keeps_its_order_and_its_kind() {
    let host = Host::new();
    let run = host.run(json!({}), &[]);
    let result =
        host.exec(run, "text('a'); json({ b: 1 }); console.log('c', 1); text({ d: 2 }); return 0", &echo);
    assert_eq!(
        result["output"],
        json!([
            { "type": "text", "text": "a" },
            { "type": "json", "value": { "b": 1 } },
            { "type": "text", "text": "c 1" },
            { "type": "text", "text": "{\"d\":2}" },
        ]),
        "{result}"
    );
}

#[test]
fn failures_carry_their_codes() {
    let host = Host::new();
    let run = host.run(json!({ "timeoutMs": 300 }), &["boom"]);
    let boom = |_: &str, _: &serde_json::Value| Some(Err("it broke".to_owned()));
    for (code, detail, error) in [
        ("throw new TypeError('bad')", "internal_error", "TypeError: bad"),
        ("for (;;);", "timeout", "code mode timeout exceeded"),
        ("await new Promise(() => {})", "internal_error", "code mode promise is pending without host work"),
        ("await tools.boom()", "nested_tool_failed", "it broke"),
        (
            "tools.boom(); await tools.search('x'); await new Promise(r => setTimeout(r, 50))",
            "nested_tool_failed",
            "it broke (unhandled rejection of tools.callValue(\"openclaw:core:boom\"))",
        ),
        (
            "await Promise.all(Array.from({ length: 145 }, () => tools.boom()))",
            "too_many_pending_tool_calls",
            "too many pending code mode tool calls",
        ),
        ("import fs from 'fs'", "module_access_denied", "code mode module access is disabled."),
        ("await tools.nothing()", "internal_error", "TypeError: not a function"),
        ("await tools.call('nothing')", "internal_error", "Error: Unknown tool id: nothing."),
        ("let a = 1;\nlet a = 2; return a", "invalid_input", ""),
        ("text('x'.repeat(70000))", "output_limit_exceeded", "code mode output limit exceeded"),
    ] {
        let result = host.exec(run, code, &boom);
        assert_eq!(
            (&result["status"], &result["detailCode"]),
            (&json!("failed"), &json!(detail)),
            "{code}: {result}"
        );
        assert!(result["error"].as_str().unwrap().starts_with(error), "{code}: {result}");
    }
}
