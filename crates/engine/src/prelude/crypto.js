// crypto.randomUUID and crypto.getRandomValues, with randomness from the host. No keys, no digests.
// (Math.random is replaced by the VM.)
(function (host, shared) {
  "use strict";
  const {
    Uint8Array, DOMException, typedArrayTag, typedArrayByteLength, slice, numberToString, expose, tag,
  } = shared.primordials;
  const { fillRandom } = host;

  class Crypto {
    getRandomValues(array) {
      const type = typedArrayTag(array);
      if (type === undefined || slice(type, 0, 5) === "Float")
        throw new DOMException("The data argument must be an integer-type TypedArray", "TypeMismatchError");
      if (typedArrayByteLength(array) > 65536)
        throw new DOMException("The requested length exceeds 65,536 bytes", "QuotaExceededError");
      fillRandom(array);
      return array;
    }
    randomUUID() {
      const bytes = new Uint8Array(16);
      fillRandom(bytes);
      bytes[6] = (bytes[6] & 0x0f) | 0x40;
      bytes[8] = (bytes[8] & 0x3f) | 0x80;
      let text = "";
      for (let i = 0; i < 16; i++)
        text += (i === 4 || i === 6 || i === 8 || i === 10 ? "-" : "") + slice(numberToString(bytes[i] + 256, 16), 1);
      return text;
    }
  }
  tag(Crypto, "Crypto");
  expose("crypto", new Crypto());
})
