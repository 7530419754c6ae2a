// `agents`, `phase` and `log`, in runs with a swarm host.
(function (host, shared) {
  "use strict";
  const { emit } = host;
  const { emitKind, request, attempt, readOnly, inputOf } = shared;
  const { stringify } = JSON;
  const { freeze, keys, setPrototypeOf } = Object;
  const { isArray } = Array;
  const TypeErrorCtor = TypeError;
  const STRINGS = freeze({ __proto__: null, label: 1, model: 1, thinking: 1, agentId: 1, phase: 1 });
  const LONGEST_NOTE = 8192;

  function checked(prompt, options) {
    if (typeof prompt !== "string" || prompt === "") throw new TypeErrorCtor("agents.run needs a non-empty prompt string.");
    if (options === undefined) return { __proto__: null };
    if (typeof options !== "object" || options === null || isArray(options)) throw new TypeErrorCtor("agents.run options must be an object.");
    const names = keys(options);
    const copy = { __proto__: null };
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      const value = options[name];
      if (value === undefined) continue;
      if (STRINGS[name] === 1) {
        if (typeof value !== "string") throw new TypeErrorCtor("agents.run option " + name + " must be a string.");
      } else if (name === "fastMode") {
        if (typeof value !== "boolean") throw new TypeErrorCtor("agents.run option fastMode must be a boolean.");
      } else if (name === "schema") {
        if (typeof value !== "object" || value === null || isArray(value)) throw new TypeErrorCtor("agents.run option schema must be a JSON Schema object.");
      } else {
        throw new TypeErrorCtor("agents.run does not know the option " + name + ".");
      }
      copy[name] = value;
    }
    return copy;
  }

  function note(kind, text) {
    if (typeof text !== "string") throw new TypeErrorCtor(kind + " needs a string.");
    if (text.length > LONGEST_NOTE) throw new TypeErrorCtor(kind + " takes at most " + LONGEST_NOTE + " characters.");
    emit(emitKind.note, stringify({ __proto__: null, kind, text }));
  }

  shared.install.swarm = () => {
    const run = (prompt, options) =>
      attempt(() => request("agent", "", inputOf({ __proto__: null, prompt, options: checked(prompt, options) })));
    readOnly("agents", freeze(setPrototypeOf({ run: freeze(run) }, null)));
    readOnly("phase", freeze((title) => note("phase", title)));
    readOnly("log", freeze((message) => note("log", message)));
  };
})
