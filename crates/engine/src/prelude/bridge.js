// Requests to the host and their settlement. The guest cannot reach anything in here: other prelude scripts use
// `shared.request`, the engine calls `shared.controller.settle`.
//
// Every intrinsic is taken at template time, and lists are null-prototype objects: whatever the guest does to
// prototypes afterwards, no request is lost, counted twice or settled twice.
(function (host, shared) {
  "use strict";
  const { emit, fetch } = host;
  const { emitKind, fetchKind, settleKind } = shared;
  const PromiseCtor = Promise;
  const ErrorCtor = Error;
  const { parse, stringify } = JSON;
  const { defineProperty } = Object;
  const { apply } = Reflect;
  const then = Promise.prototype.then;
  const weakSet = WeakMap.prototype.set;
  const weakGet = WeakMap.prototype.get;
  const { toWellFormed } = String.prototype;
  const hasOwn = Object.prototype.hasOwnProperty;

  // Errors of nested calls -> where they came from; `describe` reports it when such an error is uncaught.
  const origins = new WeakMap();
  // Calls beyond the ones in flight wait on the host's side, at most this many.
  const QUEUE_LENGTH = 128;
  const TOO_MANY = "too many pending code mode tool calls";

  const FIELDS = { __proto__: null, message: 1, name: 1, detail: 1, code: 1, details: 1, runId: 1, status: 1, content: 1 };

  let lastId = 0;
  let outstanding = 0;
  let pending = { __proto__: null };
  let burst = { __proto__: null };
  let burstLength = 0;
  let capacity = 0;

  // A promise whose reactions never consult guest-visible properties (species lookup ends at `undefined`).
  function later(job) {
    const tick = new PromiseCtor((resolve) => resolve());
    defineProperty(tick, "constructor", { __proto__: null, value: undefined });
    apply(then, tick, [job]);
  }

  // Requests of one synchronous stretch are sent together at its end, or refused together.
  function flush() {
    const items = burst;
    const length = burstLength;
    burst = { __proto__: null };
    burstLength = 0;
    if (capacity === 0) capacity = +fetch(fetchKind.setting, "maxPendingToolCalls") + QUEUE_LENGTH;
    const refused = outstanding > capacity;
    for (let i = 0; i < length; i++) {
      const item = items[i];
      if (refused) {
        fail(item.id, { __proto__: null, message: TOO_MANY, code: "too_many_pending_tool_calls", detail: "too_many_pending_tool_calls" });
      } else {
        emit(emitKind.call, item.line);
      }
    }
  }

  // One request: `method` is a word, `target` any string, `body` JSON text. Rejects with an Error whose stack is the caller's.
  shared.request = function request(method, target, body) {
    return new PromiseCtor((resolve, reject) => {
      // Lone surrogates name no tool, and the host's strings cannot hold them.
      target = apply(toWellFormed, target, []);
      const id = ++lastId;
      outstanding++;
      pending[id] = { __proto__: null, resolve, reject, method, target, error: new ErrorCtor() };
      burst[burstLength++] = { __proto__: null, id, line: id + " " + method + " " + stringify(target) + "\n" + body };
      if (burstLength === 1) later(flush);
    });
  };

  shared.nextId = () => ++lastId;

  function take(id) {
    const entry = pending[id];
    if (entry === undefined) return undefined;
    delete pending[id];
    outstanding--;
    return entry;
  }

  function data(target, key, value) {
    defineProperty(target, key, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  }

  function fail(id, given) {
    const entry = take(id);
    if (entry === undefined) return;
    const error = entry.error;
    // What the guest put on Object.prototype is no part of a failure.
    const reason = { __proto__: null };
    for (const key in FIELDS) if (apply(hasOwn, given, [key])) reason[key] = given[key];
    data(error, "message", reason.message);
    if (reason.name !== undefined) data(error, "name", reason.name);
    for (let i = 0; i < 5; i++) {
      const key = i === 0 ? "code" : i === 1 ? "details" : i === 2 ? "runId" : i === 3 ? "status" : "content";
      if (reason[key] !== undefined) defineProperty(error, key, { __proto__: null, value: reason[key], writable: true, enumerable: true, configurable: true });
    }
    apply(weakSet, origins, [
      error,
      { __proto__: null, method: entry.method, target: entry.target, detail: reason.detail },
    ]);
    entry.reject(error);
  }

  function settle(id, kind, text) {
    if (kind === settleKind.timer) {
      shared.fireTimer(id);
      return;
    }
    let value;
    try {
      value = parse(text);
    } catch (error) {
      fail(id, { __proto__: null, message: "the tool result could not be read: " + error.message, detail: "nested_tool_failed" });
      return;
    }
    if (kind === settleKind.error) {
      fail(id, value);
    } else {
      const entry = take(id);
      if (entry !== undefined) entry.resolve(value);
    }
  }

  shared.later = later;
  shared.originOf = (error) => {
    const type = typeof error;
    return (type === "object" && error !== null) || type === "function" ? apply(weakGet, origins, [error]) : undefined;
  };
  shared.controller = { __proto__: null, settle };
})
