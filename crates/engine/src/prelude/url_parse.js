// The URL parser after the WHATWG URL standard, without its state machine: it takes the text apart at its separators
// instead of character by character.
(function (host, shared) {
  "use strict";
  const {
    list, slice, indexOf, lastIndexOf, charCodeAt, toLowerCase, toWellFormed, startsWith,
  } = shared.primordials;
  const { FRAGMENT, QUERY, SPECIAL_QUERY, PATH, USERINFO, encodeSet, hasAny, parseHost, join, isDigits } = shared.url;
  const special = { __proto__: null, http: 80, https: 443, ws: 80, wss: 443, ftp: 21, file: -1 };

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

  const parts = { special, isSpecial, isLetter, isSlash, parse, format, pathText, hostText, addSegments, parseQuery, stripBreaks, schemeEnd, partEnd, hostEnd };
  for (const name in parts) shared.url[name] = parts[name];
})
