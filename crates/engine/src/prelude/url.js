// URL and URLSearchParams after the WHATWG URL standard. The parser is in url_parse.js, hosts in url_host.js.
(function (host, shared) {
  "use strict";
  const {
    list, toArray, TypeError, slice, indexOf, charCodeAt, toLowerCase, toWellFormed, isArray, symbolIterator, apply,
    define, expose, tag, keys, arraySort,
  } = shared.primordials;
  const {
    FRAGMENT, USERINFO, byteText, encodeBytes, encodeSet, decode, parseHost, split, special, isSpecial, isLetter, isSlash, parse,
    format, pathText, hostText, addSegments, parseQuery, stripBreaks, schemeEnd, partEnd, hostEnd,
  } = shared.url;

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
