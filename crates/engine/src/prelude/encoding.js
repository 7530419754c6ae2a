// TextEncoder and TextDecoder; atob and btoa are the VM's own.
(function (host, shared) {
  "use strict";
  const {
    Uint8Array, TypeError, RangeError, toLowerCase, trim, fromCharCode, isView, typedArrayTag, typedArrayBuffer,
    typedArrayByteOffset, typedArrayByteLength, viewBuffer, viewByteOffset, viewByteLength, subarray, typedArraySet,
    charCodeAt, slice, toWellFormed, expose, tag,
  } = shared.primordials;
  const { utf8Encode, utf8Decode, classOf } = host;

  const labels = {
    __proto__: null, "utf-8": "utf-8", utf8: "utf-8", "unicode-1-1-utf-8": "utf-8", "utf-16le": "utf-16le", "utf-16": "utf-16le",
    ucs2: "utf-16le", "ucs-2": "utf-16le", "utf-16be": "utf-16be", latin1: "windows-1252", "iso-8859-1": "windows-1252",
    ascii: "windows-1252", "us-ascii": "windows-1252", "windows-1252": "windows-1252", cp1252: "windows-1252", l1: "windows-1252",
  };
  // windows-1252 differs from latin1 only here, from 0x80 on.
  const HIGH = "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
    "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

  // The bytes behind any buffer source, without copying.
  const bytesOf = (input) => {
    if (classOf(input) !== 9) throw new TypeError("The \"input\" argument must be an ArrayBuffer or a view of one");
    if (!isView(input)) return new Uint8Array(input);
    return typedArrayTag(input) === undefined
      ? new Uint8Array(viewBuffer(input), viewByteOffset(input), viewByteLength(input))
      : new Uint8Array(typedArrayBuffer(input), typedArrayByteOffset(input), typedArrayByteLength(input));
  };

  class TextEncoder {
    get encoding() { return "utf-8"; }
    encode(text = "") { return utf8Encode("" + text); }
    encodeInto(text, target) {
      if (typedArrayTag(target) !== "Uint8Array") throw new TypeError("The \"dest\" argument must be an instance of Uint8Array");
      text = toWellFormed("" + text);
      const room = typedArrayByteLength(target);
      let read = 0;
      let written = 0;
      while (read < text.length) {
        const code = charCodeAt(text, read);
        const pair = code >= 0xd800 && code <= 0xdbff;
        const size = code < 0x80 ? 1 : code < 0x800 ? 2 : pair ? 4 : 3;
        if (written + size > room) break;
        written += size;
        read += pair ? 2 : 1;
      }
      typedArraySet(target, utf8Encode(slice(text, 0, read)));
      return { read, written };
    }
  }

  class TextDecoder {
    #encoding;
    #fatal;
    #ignoreBOM;
    #pending = new Uint8Array(0);
    #started = false;
    constructor(label = "utf-8", options = {}) {
      this.#encoding = labels[toLowerCase(trim("" + label))];
      if (this.#encoding === undefined) {
        const error = new RangeError("The \"" + label + "\" encoding is not supported");
        error.code = "ERR_ENCODING_NOT_SUPPORTED";
        throw error;
      }
      this.#fatal = !!(options && options.fatal);
      this.#ignoreBOM = !!(options && options.ignoreBOM);
    }
    get encoding() { return this.#encoding; }
    get fatal() { return this.#fatal; }
    get ignoreBOM() { return this.#ignoreBOM; }
    decode(input, options) {
      const stream = !!(options && options.stream);
      let bytes = input === undefined ? new Uint8Array(0) : bytesOf(input);
      if (typedArrayByteLength(this.#pending) > 0) {
        const joined = new Uint8Array(typedArrayByteLength(this.#pending) + typedArrayByteLength(bytes));
        typedArraySet(joined, this.#pending);
        typedArraySet(joined, bytes, typedArrayByteLength(this.#pending));
        bytes = joined;
      }
      this.#pending = new Uint8Array(0);
      const length = typedArrayByteLength(bytes);
      if (stream) {
        const whole = length - (this.#encoding === "utf-8" ? incompleteTail(bytes, length) : this.#encoding === "windows-1252" ? 0 : length % 2);
        this.#pending = subarray(new Uint8Array(bytes), whole);
        bytes = subarray(bytes, 0, whole);
      }
      const keepBOM = this.#ignoreBOM || this.#started;
      this.#started = stream && (this.#started || typedArrayByteLength(bytes) > 0);
      if (this.#encoding !== "utf-8") return decodeUnits(bytes, this.#encoding, this.#fatal, keepBOM);
      try {
        return utf8Decode(bytes, this.#fatal, keepBOM);
      } catch {
        throw invalid("utf-8");
      }
    }
  }

  const invalid = (encoding) => {
    const error = new TypeError("The encoded data was not valid for encoding " + encoding);
    error.code = "ERR_ENCODING_INVALID_ENCODED_DATA";
    return error;
  };

  // How many bytes at the end begin a code point that a later chunk may finish.
  const incompleteTail = (bytes, length) => {
    for (let back = 1; back <= 3 && back <= length; back++) {
      const byte = bytes[length - back];
      if (byte >= 0xc2 && byte <= 0xf4) {
        const second = bytes[length - back + 1];
        const impossible = back > 1 && ((byte === 0xe0 && second < 0xa0) || (byte === 0xed && second > 0x9f) ||
          (byte === 0xf0 && second < 0x90) || (byte === 0xf4 && second > 0x8f));
        return !impossible && back < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? back : 0;
      }
      if (byte < 0x80 || byte > 0xbf) return 0;
    }
    return 0;
  };

  const decodeUnits = (bytes, encoding, fatal, keepBOM) => {
    const length = typedArrayByteLength(bytes);
    let text = "";
    if (encoding === "windows-1252") {
      for (let i = 0; i < length; i++) {
        const byte = bytes[i];
        text += byte >= 0x80 && byte < 0xa0 ? HIGH[byte - 0x80] : fromCharCode(byte);
      }
      return text;
    }
    const low = encoding === "utf-16le" ? 0 : 1;
    for (let i = 0; i + 1 < length; i += 2) text += fromCharCode(bytes[i + low] | (bytes[i + 1 - low] << 8));
    if (!keepBOM && text[0] === "\ufeff") text = slice(text, 1);
    // An odd byte at the end is malformed, together with a high surrogate before it.
    const last = text === "" ? 0 : charCodeAt(text, text.length - 1);
    const fixed = toWellFormed(text) + (length % 2 && !(last >= 0xd800 && last <= 0xdbff) ? "\ufffd" : "");
    if (fatal && fixed !== text) throw invalid(encoding);
    return fixed;
  };

  tag(TextEncoder, "TextEncoder");
  tag(TextDecoder, "TextDecoder");
  expose("TextEncoder", TextEncoder);
  expose("TextDecoder", TextDecoder);
})
