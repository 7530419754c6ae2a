// Event, EventTarget, AbortController and AbortSignal, as far as programs use them: no bubbling, no capture.
(function (host, shared) {
  "use strict";
  const {
    list, TypeError, RangeError, DOMException, apply, expose, tag, isArray, symbolIterator, freeze, globalThis,
  } = shared.primordials;
  const internal = freeze({ __proto__: null });
  let setEvent;

  class Event {
    #type;
    #target = null;
    #cancelable;
    #prevented = false;
    #stopped = false;
    #timeStamp = host.monotonicMs();
    static {
      setEvent = {
        __proto__: null,
        dispatch: (event, target) => { event.#target = target; },
        stopped: (event) => event.#stopped,
        is: (value) => typeof value === "object" && value !== null && #type in value,
      };
    }
    constructor(type, options) {
      if (arguments.length === 0) throw new TypeError('The "type" argument must be specified');
      this.#type = "" + type;
      this.#cancelable = !!(options && options.cancelable);
    }
    get type() { return this.#type; }
    get target() { return this.#target; }
    get currentTarget() { return this.#target; }
    get cancelable() { return this.#cancelable; }
    get defaultPrevented() { return this.#prevented; }
    get timeStamp() { return this.#timeStamp; }
    get bubbles() { return false; }
    preventDefault() { if (this.#cancelable) this.#prevented = true; }
    stopImmediatePropagation() { this.#stopped = true; }
    stopPropagation() {}
  }

  class CustomEvent extends Event {
    #detail;
    constructor(type, options) {
      super(type, options);
      this.#detail = options && options.detail !== undefined ? options.detail : null;
    }
    get detail() { return this.#detail; }
  }

  class EventTarget {
    #listeners = list();
    addEventListener(type, listener, options) {
      if (listener === null || listener === undefined) return;
      const signal = options && typeof options === "object" ? options.signal : undefined;
      if (signal && signal.aborted) return;
      type = "" + type;
      const listeners = this.#listeners;
      for (let i = 0; i < listeners.length; i++) if (listeners[i].type === type && listeners[i].listener === listener) return;
      const once = !!(options && typeof options === "object" && options.once);
      listeners[listeners.length] = { __proto__: null, type, listener, once };
      if (signal) signal.addEventListener("abort", () => this.removeEventListener(type, listener), { once: true });
    }
    removeEventListener(type, listener) {
      const kept = list();
      const listeners = this.#listeners;
      for (let i = 0; i < listeners.length; i++)
        if (listeners[i].type !== "" + type || listeners[i].listener !== listener) kept[kept.length] = listeners[i];
      this.#listeners = kept;
    }
    dispatchEvent(event) {
      if (!setEvent.is(event)) throw new TypeError('The "event" argument must be an instance of Event');
      setEvent.dispatch(event, this);
      const handler = this["on" + event.type];
      if (typeof handler === "function") apply(handler, this, [event]);
      const listeners = this.#listeners;
      for (let i = 0; i < listeners.length && !setEvent.stopped(event); i++) {
        const { listener, once, type } = listeners[i];
        if (type !== event.type) continue;
        if (once) this.removeEventListener(type, listener);
        if (typeof listener === "function") apply(listener, this, [event]);
        else if (typeof listener.handleEvent === "function") listener.handleEvent(event);
      }
      return !event.defaultPrevented;
    }
  }

  const followers = (signal) => signalState.followers(signal);
  let signalState;

  class AbortSignal extends EventTarget {
    #aborted = false;
    #reason = undefined;
    #followers = list();
    onabort = null;
    static {
      signalState = {
        __proto__: null,
        is: (value) => typeof value === "object" && value !== null && #aborted in value,
        followers: (signal) => signal.#followers,
        abort(signal, reason) {
          if (signal.#aborted) return;
          signal.#aborted = true;
          signal.#reason = reason === undefined ? new DOMException("This operation was aborted", "AbortError") : reason;
          const dependent = signal.#followers;
          signal.#followers = list();
          signal.dispatchEvent(new Event("abort"));
          for (let i = 0; i < dependent.length; i++) signalState.abort(dependent[i], signal.#reason);
        },
      };
    }
    constructor(token) {
      if (token !== internal) throw new TypeError("Illegal constructor");
      super();
    }
    get aborted() { return this.#aborted; }
    get reason() { return this.#reason; }
    throwIfAborted() { if (this.#aborted) throw this.#reason; }
    static abort(reason) {
      const signal = new AbortSignal(internal);
      signalState.abort(signal, reason);
      return signal;
    }
    static timeout(ms) {
      if (typeof ms !== "number" || !(ms >= 0)) throw new RangeError('The value of "delay" is out of range');
      const signal = new AbortSignal(internal);
      // Without the engine's own timer this is the guest's, found when needed.
      const start = shared.backgroundTimeout || globalThis.setTimeout;
      start(() => signalState.abort(signal, new DOMException("The operation was aborted due to timeout", "TimeoutError")), ms);
      return signal;
    }
    static any(signals) {
      const result = new AbortSignal(internal);
      const sources = list();
      if (isArray(signals)) for (let i = 0; i < signals.length; i++) sources[i] = signals[i];
      else {
        const iterator = signals[symbolIterator]();
        for (let step; !(step = iterator.next()).done; ) sources[sources.length] = step.value;
      }
      for (let i = 0; i < sources.length; i++) {
        if (!signalState.is(sources[i])) throw new TypeError("AbortSignal.any takes AbortSignals");
        if (sources[i].aborted) {
          signalState.abort(result, sources[i].reason);
          return result;
        }
      }
      for (let i = 0; i < sources.length; i++) {
        const queue = followers(sources[i]);
        queue[queue.length] = result;
      }
      return result;
    }
  }

  class AbortController {
    #signal = new AbortSignal(internal);
    get signal() { return this.#signal; }
    abort(reason) { signalState.abort(this.#signal, reason); }
  }

  const classes = { __proto__: null, Event, CustomEvent, EventTarget, AbortSignal, AbortController };
  for (const name in classes) {
    tag(classes[name], name);
    expose(name, classes[name]);
  }
  shared.isAbortSignal = signalState.is;
})
