// Numbers shared with the engine (src/protocol.rs): what the guest emits, fetches, and how a request settles.
(function (host, shared) {
  "use strict";
  shared.userFile = "code-mode.js";
  shared.emitKind = { __proto__: null, text: 1, json: 2, call: 3, timer: 4, clearTimer: 5, note: 6, overflow: 7 };
  // `shared.kind` is what library scripts use to emit output.
  shared.kind = shared.emitKind;
  shared.fetchKind = { __proto__: null, setting: 1, allTools: 2, toolName: 3, toolNames: 4, apiList: 5, apiRead: 6, mcp: 7, mcpApi: 8, scopes: 9, position: 10 };
  shared.settleKind = { __proto__: null, value: 0, error: 1, timer: 2 };
})
