// URL and URLSearchParams after the WHATWG URL standard. The parser walks the text part by part instead of
// character by character; hosts are mapped to ASCII by case folding, NFKC and punycode (no full IDNA tables).
(function (host, shared) {
  "use strict";
  const {
    list, toArray, TypeError, slice, indexOf, lastIndexOf, charCodeAt, codePointAt, fromCharCode, fromCodePoint,
    toLowerCase, normalize, toWellFormed, startsWith, endsWith, numberToString, isArray, Uint8Array,
    typedArrayByteLength, MathFloor, symbolIterator, apply, define, expose, tag, keys, arraySort,
  } = shared.primordials;
  const { utf8Encode, utf8Decode } = host;
  const special = { __proto__: null, http: 80, https: 443, ws: 80, wss: 443, ftp: 21, file: -1 };

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

  // ---- the parser. A record is { scheme, username, password, host, port, path, query, fragment }: host null or
  // text, port null or a number, path a list or (opaque) text, query and fragment null or text.
  const isSpecial = (url) => special[url.scheme] !== undefined;
  const isLetter = (code) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  const isDrive = (text) => text.length === 2 && isLetter(charCodeAt(text, 0)) && (text[1] === ":" || text[1] === "|");
  const startsWithDrive = (text) => isDrive(slice(text, 0, 2)) && (text.length === 2 || indexOf("/\\?#", text[2]) >= 0);
  const copyPath = (path) => {
    if (typeof path === "string") return path;
    const copy = list();
    for (let i = 0; i < path.length; i++) copy[i] = path[i];
    return copy;
  };
  const shorten = (url) => {
    const { path } = url;
    if (url.scheme === "file" && path.length === 1 && isDrive(path[0]) && path[0][1] === ":") return;
    if (path.length > 0) path.length--;
  };

  const clean = (text) => {
    let start = 0;
    let end = text.length;
    while (start < end && charCodeAt(text, start) <= 0x20) start++;
    while (end > start && charCodeAt(text, end - 1) <= 0x20) end--;
    return stripBreaks(slice(text, start, end));
  };
  const stripBreaks = (text) => {
    if (!hasAny(text, "\t\n\r")) return text;
    let result = "";
    for (let i = 0; i < text.length; i++) if (indexOf("\t\n\r", text[i]) < 0) result += text[i];
    return result;
  };
  const schemeEnd = (text) => {
    if (text === "" || !isLetter(charCodeAt(text, 0))) return -1;
    for (let i = 1; i < text.length; i++) {
      const code = charCodeAt(text, i);
      if (code === 58) return i;
      if (!isLetter(code) && !(code >= 48 && code <= 57) && code !== 43 && code !== 45 && code !== 46) return -1;
    }
    return -1;
  };

  const parse = (input, base) => {
    let text = clean(toWellFormed(input));
    const url = { __proto__: null, scheme: "", username: "", password: "", host: null, port: null, path: list(), query: null, fragment: null };
    const colon = schemeEnd(text);
    const hash = indexOf(text, "#");
    if (hash >= 0) {
      url.fragment = encodeSet(slice(text, hash + 1), FRAGMENT);
      text = slice(text, 0, hash);
    }
    if (colon >= 0) {
      url.scheme = toLowerCase(slice(text, 0, colon));
      text = slice(text, colon + 1);
      if (url.scheme === "file") return parseFile(url, text, base && base.scheme === "file" ? base : undefined);
      if (isSpecial(url)) {
        if (base && base.scheme === url.scheme && !startsWith(text, "//")) return parseRelative(url, text, base);
        return parseAuthority(url, text, skipSlashes(text));
      }
      if (startsWith(text, "//")) return parseAuthority(url, text, 2);
      if (text[0] === "/") return parsePathQuery(url, text);
      return parseOpaque(url, text);
    }
    if (!base) return;
    if (typeof base.path === "string") {
      if (text !== "" || url.fragment === null) return;
      url.scheme = base.scheme;
      url.path = base.path;
      url.query = base.query;
      return url;
    }
    url.scheme = base.scheme;
    return base.scheme === "file" ? parseFile(url, text, base) : parseRelative(url, text, base);
  };

  const skipSlashes = (text) => {
    let i = 0;
    while (text[i] === "/" || text[i] === "\\") i++;
    return i;
  };
  const isSlash = (url, character) => character === "/" || (character === "\\" && isSpecial(url));
  // The first of / ? (and \ for special schemes) from `start` on.
  const partEnd = (url, text, start) => {
    for (let i = start; i < text.length; i++) if (text[i] === "?" || isSlash(url, text[i])) return i;
    return text.length;
  };

  const parseRelative = (url, text, base) => {
    if (isSlash(url, text[0]) && isSlash(url, text[1]))
      return parseAuthority(url, text, isSpecial(url) ? skipSlashes(text) : 2);
    url.username = base.username;
    url.password = base.password;
    url.host = base.host;
    url.port = base.port;
    if (isSlash(url, text[0])) return parsePathQuery(url, text);
    return parseFromBasePath(url, text, base);
  };
  const parseFromBasePath = (url, text, base) => {
    url.path = copyPath(base.path);
    if (text === "") {
      url.query = base.query;
      return url;
    }
    if (text[0] === "?") return parseQuery(url, slice(text, 1));
    shorten(url);
    return parseSegments(url, text);
  };

  const parseFile = (url, text, base) => {
    url.host = "";
    const slashes = (isSlash(url, text[0]) ? 1 : 0) + (isSlash(url, text[0]) && isSlash(url, text[1]) ? 1 : 0);
    if (slashes === 2) {
      const end = partEnd(url, text, 2);
      const name = slice(text, 2, end);
      if (isDrive(name)) return parseSegments(url, slice(text, 2));
      if (name !== "") {
        url.host = parseHost(name, true);
        if (url.host === undefined) return;
        if (url.host === "localhost") url.host = "";
      }
      return parsePathQuery(url, slice(text, end));
    }
    if (slashes === 1) {
      if (base) {
        url.host = base.host;
        if (!startsWithDrive(slice(text, 1)) && base.path.length > 0 && isDrive(base.path[0])) url.path[0] = base.path[0];
      }
      return parseSegments(url, slice(text, 1));
    }
    if (!base) return parseSegmentsOrQuery(url, text);
    url.host = base.host;
    if (text !== "" && text[0] !== "?" && startsWithDrive(text)) return parseSegments(url, text);
    return parseFromBasePath(url, text, base);
  };

  const parseAuthority = (url, text, start) => {
    const end = partEnd(url, text, start);
    let authority = slice(text, start, end);
    const at = lastIndexOf(authority, "@");
    if (at >= 0) {
      const credentials = slice(authority, 0, at);
      authority = slice(authority, at + 1);
      if (authority === "") return;
      const colon = indexOf(credentials, ":");
      url.username = encodeSet(colon < 0 ? credentials : slice(credentials, 0, colon), USERINFO);
      if (colon >= 0) url.password = encodeSet(slice(credentials, colon + 1), USERINFO);
    }
    if (!setHostPort(url, authority)) return;
    return parsePathQuery(url, slice(text, end));
  };
  const hostEnd = (text) => indexOf(text, ":", text[0] === "[" ? (indexOf(text, "]") + 1 || text.length) : 0);
  const setHostPort = (url, text) => {
    const colon = hostEnd(text);
    const name = colon < 0 ? text : slice(text, 0, colon);
    if (name === "" && (isSpecial(url) || colon >= 0)) return false;
    const parsed = name === "" ? "" : parseHost(name, isSpecial(url));
    if (parsed === undefined) return false;
    let port = null;
    if (colon >= 0 && colon + 1 < text.length) {
      const digits = slice(text, colon + 1);
      if (!isDigits(digits)) return false;
      port = +digits;
      if (port > 65535) return false;
      if (port === special[url.scheme]) port = null;
    }
    url.host = parsed;
    url.port = port;
    return true;
  };

  // From the start of a path ("/a/b?c"), of a query, or at the end.
  const parsePathQuery = (url, text) => {
    if (isSlash(url, text[0])) return parseSegments(url, slice(text, 1));
    return parseSegmentsOrQuery(url, text);
  };
  const parseSegmentsOrQuery = (url, text) => {
    if (isSpecial(url)) return parseSegments(url, text);
    return text === "" ? url : parseQuery(url, slice(text, 1));
  };
  const isDot = (segment) => segment === "." || toLowerCase(segment) === "%2e";
  const isDoubleDot = (segment) => {
    const lower = toLowerCase(segment);
    return lower === ".." || lower === ".%2e" || lower === "%2e." || lower === "%2e%2e";
  };
  const parseSegments = (url, text) => {
    const question = indexOf(text, "?");
    addSegments(url, question < 0 ? text : slice(text, 0, question));
    return question < 0 ? url : parseQuery(url, slice(text, question + 1));
  };
  const addSegments = (url, text) => {
    const { path } = url;
    for (let start = 0; start <= text.length; ) {
      let end = start;
      while (end < text.length && !isSlash(url, text[end])) end++;
      const last = end === text.length;
      let segment = encodeSet(slice(text, start, end), PATH);
      if (isDoubleDot(segment)) {
        shorten(url);
        if (last) path[path.length] = "";
      } else if (isDot(segment)) {
        if (last) path[path.length] = "";
      } else {
        if (url.scheme === "file" && path.length === 0 && isDrive(segment)) segment = segment[0] + ":";
        path[path.length] = segment;
      }
      start = end + 1;
    }
  };
  const parseQuery = (url, text) => {
    url.query = encodeSet(text, isSpecial(url) ? SPECIAL_QUERY : QUERY);
    return url;
  };
  const parseOpaque = (url, text) => {
    const question = indexOf(text, "?");
    url.path = encodeSet(question < 0 ? text : slice(text, 0, question), "");
    return question < 0 ? url : parseQuery(url, slice(text, question + 1));
  };

  const pathText = (url) => (typeof url.path === "string" ? url.path : url.path.length === 0 ? "" : "/" + join(url.path, "/"));
  const hostText = (url) => (url.host === null ? "" : url.port === null ? url.host : url.host + ":" + url.port);
  const format = (url) => {
    let text = url.scheme + ":";
    if (url.host !== null) {
      text += "//";
      if (url.username !== "" || url.password !== "")
        text += url.username + (url.password === "" ? "" : ":" + url.password) + "@";
      text += hostText(url);
    } else if (typeof url.path !== "string" && url.path.length > 1 && url.path[0] === "") text += "/.";
    text += pathText(url);
    if (url.query !== null) text += "?" + url.query;
    if (url.fragment !== null) text += "#" + url.fragment;
    return text;
  };

  // ---- URLSearchParams
  const formEncode = (text) => {
    let result = "";
    text = toWellFormed(text);
    for (let i = 0; i < text.length; i++) {
      const code = charCodeAt(text, i);
      if (isLetter(code) || (code >= 48 && code <= 57) || code === 42 || code === 45 || code === 46 || code === 95) result += text[i];
      else if (code === 32) result += "+";
      else if (code < 0x80) result += byteText(code);
      else {
        const wide = code >= 0xd800 && code <= 0xdbff;
        result += encodeBytes(slice(text, i, i + (wide ? 2 : 1)));
        if (wide) i++;
      }
    }
    return result;
  };
  const formDecode = (text) => {
    let spaced = "";
    let start = 0;
    for (let at; (at = indexOf(text, "+", start)) >= 0; start = at + 1) spaced += slice(text, start, at) + " ";
    return decode(spaced + slice(text, start));
  };
  const parseForm = (text) => {
    const pairs = list();
    const parts = split(text, "&");
    for (let i = 0; i < parts.length; i++) {
      if (parts[i] === "") continue;
      const equals = indexOf(parts[i], "=");
      const name = formDecode(equals < 0 ? parts[i] : slice(parts[i], 0, equals));
      pairs[pairs.length] = { __proto__: null, name, value: equals < 0 ? "" : formDecode(slice(parts[i], equals + 1)) };
    }
    return pairs;
  };
  const text = (value) => toWellFormed("" + value);
  // What an iterable yields, as a list; works on the guest's own iterables too.
  const collect = (iterable) => {
    const items = list();
    const iterator = apply(iterable[symbolIterator], iterable, []);
    for (let step; !(step = iterator.next()).done; ) items[items.length] = step.value;
    return items;
  };

  let paramsOf;
  class URLSearchParams {
    #pairs = list();
    #changed = undefined;
    static {
      paramsOf = {
        __proto__: null,
        link: (params, query, changed) => {
          params.#pairs = parseForm(query);
          if (changed !== undefined) params.#changed = changed;
        },
      };
    }
    constructor(init = "") {
      const add = (name, value) => {
        this.#pairs[this.#pairs.length] = { __proto__: null, name: text(name), value: text(value) };
      };
      if ((typeof init !== "object" && typeof init !== "function") || init === null) {
        // Node takes null for "nothing".
        init = init === null ? "" : text(init);
        this.#pairs = parseForm(init[0] === "?" ? slice(init, 1) : init);
      } else if (init[symbolIterator] !== undefined && init[symbolIterator] !== null) {
        const items = collect(init);
        for (let i = 0; i < items.length; i++) {
          const pair = isArray(items[i]) ? items[i] : collect(items[i]);
          if (pair.length !== 2) throw new TypeError("Each query pair must be an iterable [name, value] tuple");
          add(pair[0], pair[1]);
        }
      } else {
        const names = keys(init);
        for (let i = 0; i < names.length; i++) add(names[i], init[names[i]]);
      }
    }
    #update() {
      if (this.#changed !== undefined) this.#changed(this.toString());
    }
    get size() { return this.#pairs.length; }
    append(name, value) {
      this.#pairs[this.#pairs.length] = { __proto__: null, name: text(name), value: text(value) };
      this.#update();
    }
    delete(name, value) {
      const kept = list();
      name = text(name);
      if (value !== undefined) value = text(value);
      for (let i = 0; i < this.#pairs.length; i++) {
        const pair = this.#pairs[i];
        if (pair.name !== name || (value !== undefined && pair.value !== value)) kept[kept.length] = pair;
      }
      this.#pairs = kept;
      this.#update();
    }
    get(name) {
      name = text(name);
      for (let i = 0; i < this.#pairs.length; i++) if (this.#pairs[i].name === name) return this.#pairs[i].value;
      return null;
    }
    getAll(name) {
      const found = list();
      name = text(name);
      for (let i = 0; i < this.#pairs.length; i++) if (this.#pairs[i].name === name) found[found.length] = this.#pairs[i].value;
      return toArray(found);
    }
    has(name, value) {
      name = text(name);
      if (value !== undefined) value = text(value);
      for (let i = 0; i < this.#pairs.length; i++)
        if (this.#pairs[i].name === name && (value === undefined || this.#pairs[i].value === value)) return true;
      return false;
    }
    set(name, value) {
      name = text(name);
      value = text(value);
      const kept = list();
      let done = false;
      for (let i = 0; i < this.#pairs.length; i++) {
        const pair = this.#pairs[i];
        if (pair.name !== name) kept[kept.length] = pair;
        else if (!done) {
          done = true;
          pair.value = value;
          kept[kept.length] = pair;
        }
      }
      if (!done) kept[kept.length] = { __proto__: null, name, value };
      this.#pairs = kept;
      this.#update();
    }
    sort() {
      arraySort(this.#pairs, (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
      this.#update();
    }
    forEach(callback, self) {
      for (let i = 0; i < this.#pairs.length; i++) apply(callback, self, [this.#pairs[i].value, this.#pairs[i].name, this]);
    }
    *entries() { for (let i = 0; i < this.#pairs.length; i++) yield [this.#pairs[i].name, this.#pairs[i].value]; }
    *keys() { for (let i = 0; i < this.#pairs.length; i++) yield this.#pairs[i].name; }
    *values() { for (let i = 0; i < this.#pairs.length; i++) yield this.#pairs[i].value; }
    toString() {
      let result = "";
      for (let i = 0; i < this.#pairs.length; i++)
        result += (i === 0 ? "" : "&") + formEncode(this.#pairs[i].name) + "=" + formEncode(this.#pairs[i].value);
      return result;
    }
  }
  define(URLSearchParams.prototype, symbolIterator, URLSearchParams.prototype.entries);

  // ---- URL
  const invalid = (input, base) => {
    const error = new TypeError("Invalid URL");
    error.code = "ERR_INVALID_URL";
    error.input = input;
    if (base !== undefined) error.base = base;
    return error;
  };
  const tryParse = (input, base) => {
    let parsedBase;
    if (base !== undefined) {
      parsedBase = parse("" + base);
      if (parsedBase === undefined) return;
    }
    return parse("" + input, parsedBase);
  };

  class URL {
    #url;
    #params = undefined;
    static {
      // The console shows URLs by it.
      shared.urlText = (value) => (typeof value === "object" && value !== null && #url in value ? format(value.#url) : undefined);
    }
    constructor(input, base) {
      if (arguments.length === 0) throw new TypeError('The "url" argument must be specified');
      this.#url = tryParse(input, base);
      if (this.#url === undefined) throw invalid("" + input, base === undefined ? undefined : "" + base);
    }
    static canParse(input, base) { return tryParse(input, base) !== undefined; }
    static parse(input, base) {
      try {
        return new URL(input, base);
      } catch {
        return null;
      }
    }
    #cannotHaveCredentials() {
      const { host, scheme } = this.#url;
      return host === null || host === "" || scheme === "file";
    }
    get href() { return format(this.#url); }
    set href(value) {
      const parsed = parse("" + value);
      if (parsed === undefined) throw invalid("" + value);
      this.#url = parsed;
      if (this.#params !== undefined) paramsOf.link(this.#params, parsed.query || "");
    }
    get origin() {
      const { scheme, path } = this.#url;
      if (scheme === "blob" && typeof path === "string") {
        const inner = parse(path);
        return inner !== undefined && (inner.scheme === "http" || inner.scheme === "https") ? inner.scheme + "://" + hostText(inner) : "null";
      }
      return special[scheme] > 0 ? scheme + "://" + hostText(this.#url) : "null";
    }
    get protocol() { return this.#url.scheme + ":"; }
    set protocol(value) {
      value = "" + value + ":";
      const end = schemeEnd(value);
      if (end < 0) return;
      const scheme = toLowerCase(slice(value, 0, end));
      const url = this.#url;
      if ((special[scheme] === undefined) !== (special[url.scheme] === undefined)) return;
      if (scheme === "file" && (url.username !== "" || url.password !== "" || url.port !== null)) return;
      if (url.scheme === "file" && url.host === "") return;
      url.scheme = scheme;
      if (url.port === special[scheme]) url.port = null;
    }
    get username() { return this.#url.username; }
    set username(value) { if (!this.#cannotHaveCredentials()) this.#url.username = encodeSet(text(value), USERINFO); }
    get password() { return this.#url.password; }
    set password(value) { if (!this.#cannotHaveCredentials()) this.#url.password = encodeSet(text(value), USERINFO); }
    get host() { return hostText(this.#url); }
    set host(value) { this.#setHost(text(value), true); }
    get hostname() { return this.#url.host === null ? "" : this.#url.host; }
    set hostname(value) { this.#setHost(text(value), false); }
    #setHost(value, withPort) {
      const url = this.#url;
      if (typeof url.path === "string") return;
      value = stripBreaks(value);
      let end = partEnd(url, value, 0);
      const hash = indexOf(value, "#");
      if (hash >= 0 && hash < end) end = hash;
      value = slice(value, 0, end);
      const colon = hostEnd(value);
      if (colon >= 0 && !withPort) return;
      const name = colon < 0 ? value : slice(value, 0, colon);
      if (name === "") {
        if (isSpecial(url) && url.scheme !== "file") return;
        if (colon >= 0 || url.username !== "" || url.password !== "" || url.port !== null) return;
        url.host = "";
        return;
      }
      const parsed = parseHost(name, isSpecial(url));
      if (parsed === undefined) return;
      url.host = url.scheme === "file" && parsed === "localhost" ? "" : parsed;
      if (colon >= 0) this.#setPort(slice(value, colon + 1));
    }
    get port() { return this.#url.port === null ? "" : "" + this.#url.port; }
    set port(value) {
      if (this.#cannotHaveCredentials()) return;
      value = stripBreaks(text(value));
      if (value === "") this.#url.port = null;
      else this.#setPort(value);
    }
    #setPort(value) {
      let end = 0;
      while (end < value.length && value[end] >= "0" && value[end] <= "9") end++;
      const port = +slice(value, 0, end);
      if (end === 0 || port > 65535) return;
      this.#url.port = port === special[this.#url.scheme] ? null : port;
    }
    get pathname() { return pathText(this.#url); }
    set pathname(value) {
      const url = this.#url;
      if (typeof url.path === "string") return;
      value = stripBreaks(text(value));
      url.path = list();
      if (value === "" && !isSpecial(url)) return;
      addSegments(url, isSlash(url, value[0]) ? slice(value, 1) : value);
    }
    get search() { return this.#url.query === null || this.#url.query === "" ? "" : "?" + this.#url.query; }
    set search(value) {
      value = stripBreaks(text(value));
      if (value === "") this.#url.query = null;
      else parseQuery(this.#url, value[0] === "?" ? slice(value, 1) : value);
      if (this.#params !== undefined) paramsOf.link(this.#params, this.#url.query || "");
    }
    get searchParams() {
      if (this.#params === undefined) {
        this.#params = new URLSearchParams();
        paramsOf.link(this.#params, this.#url.query || "", (query) => { this.#url.query = query === "" ? null : query; });
      }
      return this.#params;
    }
    get hash() { return this.#url.fragment === null || this.#url.fragment === "" ? "" : "#" + this.#url.fragment; }
    set hash(value) {
      value = stripBreaks(text(value));
      this.#url.fragment = value === "" ? null : encodeSet(value[0] === "#" ? slice(value, 1) : value, FRAGMENT);
    }
    toString() { return format(this.#url); }
    toJSON() { return format(this.#url); }
  }

  tag(URL, "URL");
  tag(URLSearchParams, "URLSearchParams");
  expose("URL", URL);
  expose("URLSearchParams", URLSearchParams);
})
