import { afterEach, describe, expect, it } from "vitest";
import type { CodeModeNamespaceRegistration } from "../index.js";
import {
  clearCodeModeNamespacesForPlugin,
  clearCodeModeNamespacesForTest,
  createCodeModeNamespaceTool,
  instantiateNamespace,
  registerCodeModeNamespaceForPlugin,
  registeredNamespaces,
  resolveNamespaceCall,
  visibleById,
} from "../ts/namespaces.js";

afterEach(clearCodeModeNamespacesForTest);

const issues = (change: Partial<Record<keyof CodeModeNamespaceRegistration, unknown>> = {}) =>
  Object.assign(
    {
      id: "github-issues",
      globalName: "Issues",
      description: "Issue helpers.",
      requiredToolNames: ["list_issues"],
      createScope: () => ({ list: createCodeModeNamespaceTool("list_issues") }),
    },
    change,
  ) as CodeModeNamespaceRegistration;

describe("registration errors", () => {
  it.each([
    ["", issues(), "code mode namespace plugin id must be a non-empty string."],
    ["  ", issues(), "code mode namespace plugin id must be a non-empty string."],
    ["p", null, "code mode namespace registration must be an object."],
    ["p", issues({ id: " " }), "code mode namespace id must be a non-empty string."],
    ["p", issues({ id: 7 }), "code mode namespace id must be a non-empty string."],
    [
      "p",
      issues({ globalName: "my-issues" }),
      "code mode namespace globalName must be a JavaScript identifier: my-issues",
    ],
    ["p", issues({ globalName: "" }), "code mode namespace globalName must be a JavaScript identifier: "],
    ["p", issues({ globalName: "class" }), "code mode namespace globalName must be a JavaScript identifier: class"],
    ["p", issues({ globalName: "await" }), "code mode namespace globalName must be a JavaScript identifier: await"],
    ["p", issues({ description: 1 }), "code mode namespace description must be a string: github-issues"],
    ["p", issues({ prompt: {} }), "code mode namespace prompt must be a string: github-issues"],
    ["p", issues({ createScope: {} }), "code mode namespace createScope must be a function: github-issues"],
    ["p", issues({ requiredToolNames: [] }), "code mode namespace requiredToolNames must not be empty: github-issues"],
    ["p", issues({ requiredToolNames: "x" }), "code mode namespace requiredToolNames must not be empty: github-issues"],
    [
      "p",
      issues({ requiredToolNames: ["a", " "] }),
      "code mode namespace requiredToolNames must be non-empty strings: github-issues",
    ],
  ])("plugin %j, %j: %s", (pluginId, registration, message) => {
    expect(() => registerCodeModeNamespaceForPlugin(pluginId, registration as CodeModeNamespaceRegistration)).toThrow(
      new TypeError(message),
    );
    expect(registeredNamespaces()).toEqual([]);
  });

  it.each(
    "tools namespaces text json yield_control MCP API ALL_TOOLS agents phase log results console Promise JSON globalThis undefined Infinity structuredClone __openclaw_x __openclaw __proto__".split(
      " ",
    ),
  )("reserved: %s", (globalName) => {
    expect(() => registerCodeModeNamespaceForPlugin("p", issues({ globalName }))).toThrow(
      new TypeError(`code mode namespace globalName is reserved: ${globalName}`),
    );
  });

  it("refuses an id or a global name that is taken, also by the same plugin", () => {
    registerCodeModeNamespaceForPlugin("p", issues());
    expect(() => registerCodeModeNamespaceForPlugin("p", issues({ globalName: "Other" }))).toThrow(
      new TypeError("code mode namespace id is already registered: github-issues"),
    );
    expect(() => registerCodeModeNamespaceForPlugin("q", issues({ id: "other" }))).toThrow(
      new TypeError("code mode namespace globalName is already registered: Issues"),
    );
  });

  it("refuses a callable without a tool or with a mapper that is no function", () => {
    expect(() => createCodeModeNamespaceTool(" ")).toThrow("code mode namespace tool name must be a non-empty string.");
    expect(() => createCodeModeNamespaceTool("a", {} as never)).toThrow(
      "code mode namespace inputMapper must be a function: a",
    );
  });
});

describe("the registry", () => {
  it("orders by id and forgets the namespaces of a cleared plugin only", () => {
    const register = (plugin: string, id: string) =>
      registerCodeModeNamespaceForPlugin(plugin, issues({ id, globalName: id.toUpperCase() }));
    register("p", "b");
    register("p", "a");
    register("q", "c");
    const ids = () => registeredNamespaces().map(({ id }) => id);
    expect(ids()).toEqual(["a", "b", "c"]);
    clearCodeModeNamespacesForPlugin("p");
    expect(ids()).toEqual(["c"]);
  });

  it("keeps the registration as it was checked", () => {
    const registration = issues();
    registerCodeModeNamespaceForPlugin("p", registration);
    registration.globalName = "Promise";
    (registration.requiredToolNames as string[]).push("other");
    const [seen] = visibleById(["github-issues"]);
    expect(seen?.namespace.requiredToolNames).toEqual(["list_issues"]);
    expect(seen?.namespace.globalName).toBe("Issues");
    expect(Object.isFrozen(seen?.namespace)).toBe(true);
  });
});

describe("calls", () => {
  const instance = async (createScope: CodeModeNamespaceRegistration["createScope"]) => {
    registerCodeModeNamespaceForPlugin("p", issues({ createScope }));
    const [visible] = visibleById(["github-issues", "gone"]);
    return instantiateNamespace(visible!, { signal: new AbortController().signal, agentId: "a1" });
  };

  it("maps arguments: the first one, {} without any, or what the mapper makes of them", async () => {
    const made = await instance(() => ({
      list: createCodeModeNamespaceTool("list_issues"),
      by: { number: createCodeModeNamespaceTool("list_issues", async ([number, patch]) => ({ number, patch })) },
    }));
    const call = { toolName: "list_issues" };
    expect(await resolveNamespaceCall(made, "list", [{ state: "open" }, 2])).toEqual({
      ...call,
      input: { state: "open" },
    });
    expect(await resolveNamespaceCall(made, "list", [])).toEqual({ ...call, input: {} });
    expect(await resolveNamespaceCall(made, "by\u001fnumber", [4, { a: 1 }])).toEqual({
      ...call,
      input: { number: 4, patch: { a: 1 } },
    });
  });

  it("refuses forged paths", async () => {
    const made = await instance((context) => ({
      agent: context.agentId,
      list: createCodeModeNamespaceTool("list_issues"),
    }));
    for (const path of ["", "agent", "list\u001fcall", "__proto__", "constructor", "toString"]) {
      await expect(resolveNamespaceCall(made, path, [])).rejects.toThrow(
        "Unknown code mode namespace function in Issues.",
      );
    }
  });

  it("hands on what createScope throws and what may not cross", async () => {
    await expect(instance(() => Promise.reject(new Error("no auth")))).rejects.toThrow("no auth");
    clearCodeModeNamespacesForTest();
    await expect(instance(() => ({ list: () => 1 }))).rejects.toThrow(
      "code mode namespace scope member Issues.list is a raw function; use createCodeModeNamespaceTool.",
    );
  });
});
