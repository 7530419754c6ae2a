// text, json and yield_control.
(function (host, shared) {
  "use strict";
  const { emit, fetch } = host;
  const { emitKind, fetchKind, encode, request } = shared;
  let limit = 0;

  // A value that cannot fit the output limit ends the cell here, whether or not the guest catches the error.
  shared.encodeOutput = (value) => {
    if (limit === 0) limit = +fetch(fetchKind.setting, "outputLimit");
    try {
      return encode(value, limit);
    } catch (error) {
      if (error === shared.outputTooLarge) emit(emitKind.overflow, "");
      throw error;
    }
  };

  shared.readOnly = (name, value) => {
    Object.defineProperty(globalThis, name, { __proto__: null, value, writable: false, enumerable: true, configurable: false });
  };
  const { freeze } = Object;

  shared.readOnly("text", freeze((value) => {
    emit(emitKind.text, typeof value === "string" ? value : shared.encodeOutput(value));
  }));
  shared.readOnly("json", freeze((value) => {
    emit(emitKind.json, shared.encodeOutput(value));
  }));
  shared.readOnly("yield_control", freeze((reason) => request("yield", "", encode(reason === undefined ? null : reason, 1024))));
})
