// Bulky parts of the library that most programs never touch: they stay out of the VM's heap (which is copied for
// every cell) until one of their globals is read. `host.load(name)` gives the function of a prelude script, compiled
// beforehand; a host without it runs those scripts itself, and nothing here is lazy.
// They run when the guest may already have replaced anything, so they too take all they use from the primordials.
(function (host, shared) {
  "use strict";
  const { apply, define, defineProperty, getOwnPropertyDescriptor, globalThis } = shared.primordials;
  const { load } = host;
  const parts = {
    __proto__: null,
    url: ["URL", "URLSearchParams"],
    structured_clone: ["structuredClone"],
    encoding: ["TextEncoder", "TextDecoder"],
    abort: ["Event", "CustomEvent", "EventTarget", "AbortSignal", "AbortController"],
    intl: ["Intl"],
  };
  const scripts = { __proto__: null, url: ["url_host", "url_parse", "url"], intl: ["intl", "intl_number", "intl_date", "intl_text"] };
  const loaded = { __proto__: null };

  // Makes sure that a part has run.
  shared.need = (part) => {
    if (load === undefined || loaded[part]) return;
    const names = scripts[part] || [part];
    for (let i = 0; i < names.length; i++) apply(load(names[i]), undefined, [host, shared]);
    loaded[part] = true;
  };
  if (load === undefined) return;

  const getters = { __proto__: null };
  const values = { __proto__: null };
  // What the guest has put in a global's place meanwhile stays.
  shared.primordials.expose = (name, value) => {
    values[name] = value;
    const found = getOwnPropertyDescriptor(globalThis, name);
    if (getters[name] === undefined || (found !== undefined && found.get === getters[name] && found.configurable)) define(globalThis, name, value);
  };
  for (const part in parts) {
    const names = parts[part];
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      getters[name] = () => {
        shared.need(part);
        return values[name];
      };
      defineProperty(globalThis, name, {
        __proto__: null, get: getters[name], set: (value) => define(globalThis, name, value), enumerable: false, configurable: true,
      });
    }
  }
})
