//# TextEncoder bytes
const e = new TextEncoder();
return ["", "abc", "é", "日本", "\u{1f600}", "\ud800x", "a\udc00", "\0", undefined, 12, null].map((text) => [...e.encode(text)]).concat([e.encoding, e.encode("x") instanceof Uint8Array]);
//# TextEncoder.encodeInto reports what fits
const e = new TextEncoder();
return [0, 1, 2, 3, 4, 5, 8].map((size) => {
  const target = new Uint8Array(size);
  return [e.encodeInto("aé\u{1f600}b", target), [...target]];
});
//# TextDecoder replaces what is malformed
const d = new TextDecoder();
return [[0x61, 0xff, 0x62], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x98, 0x80], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xef, 0xbb, 0xbf, 0x41], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x28, 0xa1], [0xf0, 0x80, 0x80, 0x41]].map((bytes) => d.decode(new Uint8Array(bytes)));
//# TextDecoder options
const bom = new Uint8Array([0xef, 0xbb, 0xbf, 0x41]);
const strict = new TextDecoder("utf-8", { fatal: true });
const out = [new TextDecoder("utf8", { ignoreBOM: true }).decode(bom).length, new TextDecoder().decode(bom).length, strict.fatal, strict.ignoreBOM, strict.encoding];
try {
  strict.decode(new Uint8Array([0xff]));
} catch (error) {
  out.push(error.name, error.code);
}
try {
  new TextDecoder("nope-8");
} catch (error) {
  out.push(error.name, error.code);
}
return out;
//# TextDecoder takes every buffer source
const bytes = new TextEncoder().encode("hello world");
return [new TextDecoder().decode(bytes.buffer), new TextDecoder().decode(new DataView(bytes.buffer, 6)), new TextDecoder().decode(bytes.subarray(0, 5)), new TextDecoder().decode(new Uint16Array(bytes.buffer.slice(0, 4))), new TextDecoder().decode()];
//# TextDecoder streams
const bytes = new TextEncoder().encode("aé日\u{1f600}z");
const d = new TextDecoder();
let text = "";
for (const byte of bytes) text += d.decode(new Uint8Array([byte]), { stream: true });
text += d.decode();
const cut = new TextDecoder();
return [text, cut.decode(bytes.subarray(0, 2), { stream: true }) + "|" + cut.decode(), cut.decode(bytes.subarray(0, 1))];
//# UTF-16 and windows-1252 labels
//= ["Aé😀", "A€“éÿ", "windows-1252", "utf-16le", "�"]
const le = new Uint8Array([0x41, 0, 0xe9, 0, 0x3d, 0xd8, 0, 0xde]);
return [new TextDecoder("utf-16le").decode(le), new TextDecoder("latin1").decode(new Uint8Array([0x41, 0x80, 0x93, 0xe9, 0xff])), new TextDecoder("ascii").encoding, new TextDecoder("UTF-16").encoding, new TextDecoder("utf-16le").decode(new Uint8Array([0, 0xd8, 0x41]))];
//# atob and btoa
const out = [btoa(""), btoa("hello"), btoa("\xff\x00"), atob("aGVsbG8="), atob(" aGVs bG8 "), atob("YQ"), atob("YQ=="), btoa(123), atob("")];
for (const run of [() => btoa("é€"), () => atob("a"), () => atob("!!!!"), () => atob("YQ=")]) {
  try {
    out.push(run());
  } catch (error) {
    out.push(error.name, error instanceof DOMException);
  }
}
return out;
//# base64 of UTF-8 text, the usual way
const bytes = new TextEncoder().encode("Grüße, 世界 \u{1f30d}");
const b64 = btoa(String.fromCharCode(...bytes));
const back = new TextDecoder().decode(Uint8Array.from(atob(b64), (c) => c.charCodeAt(0)));
return { b64, back };
