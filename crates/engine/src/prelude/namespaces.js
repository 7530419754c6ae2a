// `namespaces`, the globals of plugin namespaces, and `MCP`. All are built from the run's own descriptors at first use:
// null prototypes, frozen, and every callable a request that names what it stands for.
(function (host, shared) {
  "use strict";
  const { fetch } = host;
  const { fetchKind, request, attempt, resolved, virtual, lazyGlobal, inputOf } = shared;
  const { parse, stringify } = JSON;
  const { freeze, defineProperty, keys } = Object;
  const { isArray } = Array;
  const hasOwn = shared.primordials.hasOwn;
  const TypeErrorCtor = TypeError;
  const ErrorCtor = Error;
  // Between a namespace id and a path, as crates/engine/src/namespace.rs splits them.
  const ID_SEPARATOR = "\u001e";

  // Global name -> what builds it; in the order of installation.
  const makers = { __proto__: null };
  shared.install = { __proto__: null };

  function offer(name, make) {
    let value;
    let made = false;
    makers[name] = () => {
      if (!made) {
        value = make();
        made = true;
      }
      return value;
    };
    lazyGlobal(name, makers[name]);
  }

  const own = (target, key, value) => {
    defineProperty(target, key, { __proto__: null, value, writable: false, enumerable: true, configurable: false });
  };

  const named = (call, name) => {
    defineProperty(call, "name", { __proto__: null, value: name, configurable: true });
    return freeze(call);
  };

  lazyGlobal("namespaces", () => {
    const all = { __proto__: null };
    for (const name in makers) own(all, name, makers[name]());
    return freeze(all);
  });

  // ---- plugin namespaces

  function fromNode(node, id, name) {
    if (node.kind === "value") return node.value;
    if (node.kind === "call") {
      const target = id + ID_SEPARATOR + node.path;
      return named((...args) => attempt(() => request("namespace", target, inputOf(args))), name);
    }
    if (node.kind === "array") {
      const items = node.items;
      for (let i = 0; i < items.length; i++) items[i] = fromNode(items[i], id, name);
      return freeze(items);
    }
    const object = { __proto__: null };
    const { entries } = node;
    for (let i = 0; i < entries.length; i++) own(object, entries[i][0], fromNode(entries[i][1], id, entries[i][0]));
    return freeze(object);
  }

  shared.install.scopes = () => {
    const names = parse(fetch(fetchKind.scopes, ""));
    for (let i = 0; i < names.length; i++) {
      const id = names[i][0];
      const globalName = names[i][1];
      offer(globalName, () => fromNode(parse(fetch(fetchKind.scopes, id)), id, globalName));
    }
  };

  // ---- MCP

  // One object argument: own properties only, top-level defaults for undefined keys, required keys present.
  function mcpInput(tool, args) {
    if (args.length > 1) throw new TypeErrorCtor("MCP namespace functions take one object argument.");
    const given = args.length === 0 || args[0] === undefined ? { __proto__: null } : args[0];
    if (typeof given !== "object" || given === null || isArray(given)) {
      throw new TypeErrorCtor("MCP namespace functions take one object argument.");
    }
    const input = { __proto__: null };
    const names = keys(given);
    for (let i = 0; i < names.length; i++) input[names[i]] = given[names[i]];
    const defaults = tool.defaults;
    const defaulted = keys(defaults);
    for (let i = 0; i < defaulted.length; i++) {
      if (input[defaulted[i]] === undefined) input[defaulted[i]] = defaults[defaulted[i]];
    }
    for (let i = 0; i < tool.required.length; i++) {
      const name = tool.required[i];
      if (!hasOwn(input, name) || input[name] === undefined) {
        throw new ErrorCtor("Missing required MCP namespace argument: " + name);
      }
    }
    return inputOf(input);
  }

  const mcpCall = (tool) => named((...args) => attempt(() => request("mcp", tool.id, mcpInput(tool, args))), tool.name);

  const api = (server) =>
    named(
      server === null
        ? () => attempt(() => resolved(() => virtual(fetchKind.mcpApi, stringify([null, null, false]))))
        : (tool, options) =>
            attempt(() =>
              resolved(() => {
                if (tool !== undefined && tool !== null && typeof tool !== "string") throw new TypeErrorCtor("$api tool name must be a string.");
                const schema = typeof options === "object" && options !== null && options.schema === true;
                return virtual(fetchKind.mcpApi, stringify([server, tool === undefined ? null : tool, schema]));
              }),
            ),
      "$api",
    );

  function mcpServer(server) {
    const object = { __proto__: null };
    const groups = { __proto__: null };
    own(object, "$api", api(server.name));
    for (let i = 0; i < server.tools.length; i++) {
      const tool = server.tools[i];
      const call = mcpCall(tool);
      if (tool.kind === "tool") {
        own(object, tool.name, call);
        continue;
      }
      const group = tool.kind === "resources.list" || tool.kind === "resources.read" ? "resources" : "prompts";
      if (groups[group] === undefined) groups[group] = { __proto__: null };
      own(groups[group], tool.name, call);
    }
    for (const group in groups) own(object, group, freeze(groups[group]));
    return freeze(object);
  }

  shared.install.mcp = () =>
    offer("MCP", () => {
      const { servers } = parse(fetch(fetchKind.mcp, ""));
      const object = { __proto__: null };
      own(object, "$api", api(null));
      for (let i = 0; i < servers.length; i++) own(object, servers[i].name, mcpServer(servers[i]));
      return freeze(object);
    });
})
