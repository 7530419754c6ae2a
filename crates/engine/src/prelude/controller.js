// What the engine calls: begin, settle (see bridge.js), finish and describe.
(function (host, shared) {
  "use strict";
  const { controller, encodeOutput, describe, originOf } = shared;
  const { parse, stringify } = JSON;
  // Phase of an error in the source itself, which nothing of has run.
  const COMPILING = 2;

  // Named globals that exist in some runs only: MCP, plugin namespaces, swarm.
  controller.begin = (setup) => {
    const parts = parse(setup);
    for (let i = 0; i < parts.length; i++) shared.install[parts[i]]();
  };

  controller.finish = encodeOutput;

  controller.describe = (error, phase) => {
    const origin = originOf(error);
    const from = origin === undefined ? undefined : { __proto__: null, method: origin.method, target: origin.target, detail: origin.detail };
    return '{"compiling":' + (phase === COMPILING) + ',"origin":' + (from === undefined ? "null" : stringify(from)) + ',"error":' + describe(error, phase) + "}";
  };

  // For tests of the crash containment: the engine asks for it by name only when it was started for them.
  shared.install.crash = () => shared.readOnly("__crash", () => host.crash());
})
