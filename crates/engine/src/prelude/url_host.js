// The lower half of URL: percent encoding and hosts (names, IPv4, IPv6). Names are mapped to ASCII by case folding,
// NFKC and punycode, without the full IDNA tables.
(function (host, shared) {
  "use strict";
  const {
    list, slice, indexOf, lastIndexOf, charCodeAt, codePointAt, fromCharCode, fromCodePoint, toLowerCase, normalize,
    startsWith, endsWith, numberToString, Uint8Array, typedArrayByteLength, MathFloor,
  } = shared.primordials;
  const { utf8Encode, utf8Decode } = host;

  // ---- percent encoding. Each set lists the ASCII characters it adds to C0 controls and everything above "~".
  const FRAGMENT = ' "<>`';
  const QUERY = ' "#<>';
  const SPECIAL_QUERY = QUERY + "'";
  const PATH = QUERY + "?`{}^";
  const USERINFO = PATH + "/:;=@[\\]|";

  const byteText = (byte) => "%" + (byte < 16 ? "0" : "") + shared.primordials.toUpperCase(numberToString(byte, 16));
  const encodeBytes = (text) => {
    const bytes = utf8Encode(text);
    const length = typedArrayByteLength(bytes);
    let result = "";
    for (let i = 0; i < length; i++) result += byteText(bytes[i]);
    return result;
  };
  const encodeSet = (text, set) => {
    let result = "";
    let start = 0;
    let i = 0;
    while (i < text.length) {
      const code = charCodeAt(text, i);
      if (code > 0x1f && code < 0x7f && indexOf(set, text[i]) < 0) {
        i++;
        continue;
      }
      let end = i + 1;
      if (code > 0x7e) while (end < text.length && charCodeAt(text, end) > 0x7e) end++;
      result += slice(text, start, i) + encodeBytes(slice(text, i, end));
      start = i = end;
    }
    return start === 0 ? text : result + slice(text, start);
  };
  const hexValue = (code) =>
    code >= 48 && code <= 57 ? code - 48 : code >= 65 && code <= 70 ? code - 55 : code >= 97 && code <= 102 ? code - 87 : -1;
  // Percent-decoded text, malformed escapes left as they are.
  const decode = (text) => {
    if (indexOf(text, "%") < 0) return text;
    const bytes = utf8Encode(text);
    const length = typedArrayByteLength(bytes);
    let size = 0;
    for (let i = 0; i < length; i++, size++) {
      const high = bytes[i] === 37 && i + 2 < length ? hexValue(bytes[i + 1]) : -1;
      const low = high < 0 ? -1 : hexValue(bytes[i + 2]);
      if (low < 0) bytes[size] = bytes[i];
      else {
        bytes[size] = high * 16 + low;
        i += 2;
      }
    }
    return utf8Decode(new Uint8Array(shared.primordials.typedArrayBuffer(bytes), 0, size), false, true);
  };

  // ---- hosts
  const FORBIDDEN_HOST = "\0\t\n\r #/:<>?@[\\]^|";
  const hasAny = (text, characters) => {
    for (let i = 0; i < characters.length; i++) if (indexOf(text, characters[i]) >= 0) return true;
    return false;
  };
  // undefined is failure, here and below.
  const parseHost = (text, isSpecial) => {
    if (text[0] === "[") {
      if (!endsWith(text, "]")) return;
      const pieces = parseIPv6(slice(text, 1, text.length - 1));
      return pieces && "[" + formatIPv6(pieces) + "]";
    }
    if (!isSpecial) return hasAny(text, FORBIDDEN_HOST) ? undefined : encodeSet(text, "");
    const ascii = toASCII(decode(text));
    if (ascii === undefined || ascii === "" || hasAny(ascii, FORBIDDEN_HOST + "%\x7f")) return;
    for (let i = 0; i < ascii.length; i++) if (charCodeAt(ascii, i) < 0x20) return;
    return endsInNumber(ascii) ? parseIPv4(ascii) : ascii;
  };

  const split = (text, separator) => {
    const parts = list();
    let start = 0;
    for (let at; (at = indexOf(text, separator, start)) >= 0; start = at + 1) parts[parts.length] = slice(text, start, at);
    parts[parts.length] = slice(text, start);
    return parts;
  };
  const join = (parts, separator) => {
    let text = "";
    for (let i = 0; i < parts.length; i++) text += (i === 0 ? "" : separator) + parts[i];
    return text;
  };
  const isDigits = (text) => {
    for (let i = 0; i < text.length; i++) if (text[i] < "0" || text[i] > "9") return false;
    return text !== "";
  };

  const toASCII = (text) => {
    let ascii = true;
    for (let i = 0; i < text.length && ascii; i++) ascii = charCodeAt(text, i) < 0x80;
    if (ascii && indexOf(text, "xn--") < 0 && indexOf(text, "XN--") < 0) return toLowerCase(text);
    let mapped = normalize(toLowerCase(normalize(text, "NFKC")), "NFKC");
    // Soft hyphens and joiners vanish, ideographic full stops are dots.
    let clean = "";
    for (let i = 0; i < mapped.length; i++) {
      const unit = mapped[i];
      if (indexOf("\u3002\uff0e\uff61", unit) >= 0) clean += ".";
      else if (indexOf("\xad\u200b\u2060\ufeff", unit) < 0) clean += unit;
    }
    // What was no UTF-8 is no host.
    if (indexOf(clean, "\ufffd") >= 0) return;
    const labels = split(clean, ".");
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i];
      let plain = true;
      for (let j = 0; j < label.length && plain; j++) plain = charCodeAt(label, j) < 0x80;
      if (!plain) {
        if (startsWith(label, "xn--")) return;
        const encoded = punycode(label);
        if (encoded === undefined) return;
        labels[i] = "xn--" + encoded;
      } else if (startsWith(label, "xn--") && !isPunycode(slice(label, 4))) return;
    }
    return join(labels, ".");
  };

  // RFC 3492.
  const punycode = (label) => {
    const points = list();
    let result = "";
    for (let i = 0; i < label.length; i++) {
      const point = codePointAt(label, i);
      if (point >= 0xd800 && point <= 0xdfff) return;
      if (point > 0xffff) i++;
      if (point < 0x80) result += fromCharCode(point);
      points[points.length] = point;
    }
    let handled = result.length;
    const basic = handled;
    if (basic > 0) result += "-";
    let n = 0x80;
    let delta = 0;
    let bias = 72;
    while (handled < points.length) {
      let next = 0x110000;
      for (let i = 0; i < points.length; i++) if (points[i] >= n && points[i] < next) next = points[i];
      delta += (next - n) * (handled + 1);
      n = next;
      for (let i = 0; i < points.length; i++) {
        if (points[i] < n) delta++;
        if (points[i] !== n) continue;
        let q = delta;
        for (let k = 36; ; k += 36) {
          const t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
          if (q < t) break;
          result += digit(t + ((q - t) % (36 - t)));
          q = MathFloor((q - t) / (36 - t));
        }
        result += digit(q);
        bias = adapt(delta, handled + 1, handled === basic);
        delta = 0;
        handled++;
      }
      delta++;
      n++;
    }
    return result;
  };
  // Whether text decodes to something that is not plain ASCII and encodes back to it.
  const isPunycode = (text) => {
    const dash = lastIndexOf(text, "-");
    let decoded = list();
    for (let i = 0; i < dash; i++) decoded[i] = charCodeAt(text, i);
    let n = 0x80;
    let bias = 72;
    let index = 0;
    for (let at = dash < 0 ? 0 : dash + 1; at < text.length; ) {
      const before = index;
      for (let weight = 1, k = 36; ; k += 36) {
        if (at === text.length) return false;
        const code = charCodeAt(text, at++);
        const value = code >= 48 && code <= 57 ? code - 22 : code >= 97 && code <= 122 ? code - 97 : -1;
        if (value < 0 || (index += value * weight) > 0x7fffffff) return false;
        const t = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
        if (value < t) break;
        weight *= 36 - t;
      }
      const size = decoded.length + 1;
      bias = adapt(index - before, size, before === 0);
      n += MathFloor(index / size);
      index %= size;
      if (n > 0x10ffff || (n >= 0xd800 && n <= 0xdfff)) return false;
      const next = list();
      for (let i = 0; i < size; i++) next[i] = i < index ? decoded[i] : i === index ? n : decoded[i - 1];
      decoded = next;
      index++;
    }
    let label = "";
    for (let i = 0; i < decoded.length; i++) label += fromCodePoint(decoded[i]);
    return dash !== 0 && decoded.length > 0 && n > 0x80 && normalize(toLowerCase(label), "NFKC") === label && punycode(label) === text;
  };
  const adapt = (delta, size, first) => {
    delta = MathFloor(delta / (first ? 700 : 2));
    delta += MathFloor(delta / size);
    let k = 0;
    for (; delta > 455; k += 36) delta = MathFloor(delta / 35);
    return k + MathFloor((36 * delta) / (delta + 38));
  };
  const digit = (value) => fromCharCode(value < 26 ? value + 97 : value + 22);

  const ipv4Number = (text) => {
    let radix = 10;
    if (text === "") return -1;
    if (text.length > 1 && text[0] === "0") {
      radix = 8;
      text = slice(text, 1);
      if (text[0] === "x" || text[0] === "X") {
        radix = 16;
        text = slice(text, 1);
      }
    }
    let number = 0;
    for (let i = 0; i < text.length; i++) {
      const value = hexValue(charCodeAt(text, i));
      if (value < 0 || value >= radix) return -1;
      number = number * radix + value;
    }
    return number;
  };
  const endsInNumber = (text) => {
    const parts = split(text, ".");
    let last = parts[parts.length - 1];
    if (last === "") {
      if (parts.length === 1) return false;
      last = parts[parts.length - 2];
    }
    return isDigits(last) || (startsWith(last, "0x") && ipv4Number(last) >= 0);
  };
  const parseIPv4 = (text) => {
    const parts = split(text, ".");
    if (parts[parts.length - 1] === "" && parts.length > 1) parts.length--;
    if (parts.length > 4) return;
    let address = 0;
    for (let i = 0; i < parts.length; i++) {
      const number = ipv4Number(parts[i]);
      const last = i === parts.length - 1;
      if (number < 0 || number >= (last ? 256 ** (5 - parts.length) : 256)) return;
      address += last ? number : number * 256 ** (3 - i);
    }
    let result = "" + (address % 256);
    for (let i = 0; i < 3; i++) {
      address = MathFloor(address / 256);
      result = (address % 256) + "." + result;
    }
    return result;
  };

  const parseIPv6 = (text) => {
    const gap = indexOf(text, "::");
    if (gap >= 0 && indexOf(text, "::", gap + 1) >= 0) return;
    const head = gap < 0 ? text : slice(text, 0, gap);
    const tail = gap < 0 ? "" : slice(text, gap + 2);
    const front = ipv6Pieces(head, gap < 0);
    const back = ipv6Pieces(tail, true);
    if (front === undefined || back === undefined) return;
    const missing = 8 - front.length - back.length;
    if (gap < 0 ? missing !== 0 : missing < 1) return;
    for (let i = 0; i < missing; i++) front[front.length] = 0;
    for (let i = 0; i < back.length; i++) front[front.length] = back[i];
    return front;
  };
  const ipv6Pieces = (text, mayEndInIPv4) => {
    const pieces = list();
    if (text === "") return pieces;
    const parts = split(text, ":");
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      if (mayEndInIPv4 && i === parts.length - 1 && indexOf(part, ".") >= 0) {
        const bytes = split(part, ".");
        if (bytes.length !== 4) return;
        for (let j = 0; j < 4; j++)
          if (!isDigits(bytes[j]) || bytes[j].length > 3 || +bytes[j] > 255 || (bytes[j].length > 1 && bytes[j][0] === "0")) return;
        pieces[pieces.length] = bytes[0] * 256 + +bytes[1];
        pieces[pieces.length] = bytes[2] * 256 + +bytes[3];
        continue;
      }
      if (part === "" || part.length > 4) return;
      let number = 0;
      for (let j = 0; j < part.length; j++) {
        const value = hexValue(charCodeAt(part, j));
        if (value < 0) return;
        number = number * 16 + value;
      }
      pieces[pieces.length] = number;
    }
    return pieces;
  };
  const formatIPv6 = (pieces) => {
    let best = -1;
    let bestLength = 1;
    for (let i = 0; i < 8; i++) {
      let length = 0;
      while (i + length < 8 && pieces[i + length] === 0) length++;
      if (length > bestLength) {
        best = i;
        bestLength = length;
      }
    }
    let text = "";
    for (let i = 0; i < 8; i++) {
      if (i === best) {
        text += i === 0 ? "::" : ":";
        i += bestLength - 1;
        continue;
      }
      text += numberToString(pieces[i], 16) + (i < 7 ? ":" : "");
    }
    return text;
  };

  // What url_parse.js and url.js use.
  shared.url = { __proto__: null, FRAGMENT, QUERY, SPECIAL_QUERY, PATH, USERINFO, byteText, encodeBytes, encodeSet, decode, hasAny, parseHost, split, join, isDigits };
})
