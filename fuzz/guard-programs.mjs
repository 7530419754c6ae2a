// Programs that reach for a module in every way a language lawyer would try, and look-alikes that do not.
//
// Each has a kind, which says what must come of it:
//   refused  module access that can be seen in the source: refused before anything runs
//   dynamic  made at run time (eval, computed names): refused, or an ordinary error when it runs; never a module
//   benign   only looks like module access: must run and give `benign`

const REFUSED = "refused";
const DYNAMIC = "dynamic";
const BENIGN = "benign";

/** Makes one program: `{ code, kind, language }`. `canary` is the path of a module that really exists. */
export function guardProgram(random, canary) {
  const language = random.chance(0.5) ? "typescript" : "javascript";
  const typescript = language === "typescript";
  const kind = random.pick([REFUSED, REFUSED, REFUSED, DYNAMIC, BENIGN]);
  const maker = new Maker(random, typescript, canary);
  const body = kind === REFUSED ? maker.refused() : kind === DYNAMIC ? maker.dynamic() : maker.benign();
  const code = [`text("ran");`, ...maker.noise(), body, `return "end";`].join(random.pick(["\n", "\n", " ", "\r\n"]));
  return { code, kind, language };
}

class Maker {
  constructor(random, typescript, canary) {
    this.random = random;
    this.typescript = typescript;
    this.specifiers = [
      "fs",
      "node:fs",
      "child_process",
      "./x.js",
      canary,
      "data:text/javascript,1",
      "std",
      "os",
      "qjs:std",
    ];
  }

  pick(...items) {
    return this.random.pick(items);
  }

  // What may stand between two tokens.
  gap() {
    return this.pick(
      "",
      "",
      "",
      " ",
      "/**/",
      "/* require */",
      "\t",
      "\u00a0",
      "\ufeff",
      " // import('x')\n",
      "\n",
      "\u2028",
      "\v\f",
    );
  }

  // The same, where a line end would end the statement.
  space() {
    return this.pick(" ", " ", "/**/", "/* ' */", "\t", "\u00a0", "\ufeff");
  }

  specifier() {
    const text = this.random.pick(this.specifiers);
    return this.pick(
      JSON.stringify(text),
      `'${text}'`,
      `\`${text}\``,
      `\`\${"${text}"}\``,
      `"" + "${text}"`,
      `["${text}"][0]`,
      `"\\x${text.charCodeAt(0).toString(16)}${text.slice(1)}"`,
    );
  }

  // A name with some of its letters escaped.
  escaped(name) {
    if (!this.random.chance(0.4)) return name;
    const at = this.random.below(name.length);
    const hex = name.charCodeAt(at).toString(16);
    return name.slice(0, at) + this.pick(`\\u00${hex}`, `\\u{${hex}}`, `\\u{0000${hex}}`) + name.slice(at + 1);
  }

  call(callee) {
    const generic = this.typescript && this.random.chance(0.1) ? "<any>" : "";
    return this.pick(
      () => `${callee}${generic}${this.gap()}(${this.gap()}${this.specifier()}${this.gap()})`,
      () => `${callee}${this.gap()}?.${this.gap()}(${this.specifier()})`,
      () => `(${callee})(${this.specifier()})`,
      () => `(0,${this.gap()}${callee})(${this.specifier()})`,
      () => `((${callee}))?.(${this.specifier()})`,
      () => `${callee}.call(null, ${this.specifier()})`,
      () => `${callee}["apply"](null, [${this.specifier()}])`,
      () => `Reflect.apply(${callee}, null, [${this.specifier()}])`,
      () => `new ${callee}(${this.specifier()})`,
      () => `${callee}\`fs\``,
      () => `[${callee}][0](${this.specifier()})`,
      () => `({ f: ${callee} }).f(${this.specifier()})`,
      () => `(() => ${callee})()(${this.specifier()})`,
      () => `(a => a(${this.specifier()}))(${callee})`,
      () => `[${this.specifier()}].map(${callee})[0]`,
      () => `((f = ${callee}) => f(${this.specifier()}))()`,
      () => `(({ f = ${callee} }) => f(${this.specifier()}))({})`,
      () => (this.typescript ? `(${callee} as any)(${this.specifier()})` : `(${callee})(${this.specifier()})`),
      () => (this.typescript ? `${callee}!(${this.specifier()})` : `(${callee})(${this.specifier()})`),
      () => (this.typescript ? `(<any>${callee})(${this.specifier()})` : `(${callee})(${this.specifier()})`),
      () => (this.typescript ? `(${callee} satisfies any)(${this.specifier()})` : `(${callee})(${this.specifier()})`),
    )();
  }

  // An expression that reaches for a module in plain sight.
  access() {
    return this.pick(
      () => this.call(this.escaped("require")),
      () => this.call(this.escaped("require")),
      () => `import${this.gap()}(${this.gap()}${this.specifier()}${this.gap()})`,
      () => `import${this.gap()}(${this.specifier()}, { with: { type: "json" } })`,
      () => `(await import(${this.specifier()}))`,
      () => `import(${this.specifier()}).then((m) => m.default)`,
      () => `import${this.gap()}.${this.gap()}meta`,
      () => `import.meta?.url`,
      () => `import.source(${this.specifier()})`,
      () => `import.defer(${this.specifier()})`,
      () => this.call(`module${this.gap()}.${this.gap()}require`),
      () => this.call(`module?.require`),
      () => this.call(`module["require"]`),
      () => this.call("module[`require`]"),
      () => this.call(`module["req" + "uire"]`),
      () => this.call(`(0, module).require`),
      () => this.call(`process.getBuiltinModule`),
      () => this.call(`process?.["getBuiltinModule"]`),
      () => this.call(`process.${this.escaped("getBuiltinModule")}`),
      () => `require.cache`,
      () => `require.resolve(${this.specifier()})`,
      () => `require.main.require(${this.specifier()})`,
      () => `require["extensions"]`,
      () => `{ ...require }`.replace(/^/, "(").replace(/$/, ")"),
      () => `{ require }`.replace(/^/, "(").replace(/$/, ")"),
      () => `typeof require(${this.specifier()})`,
      () => `typeof (0, require)(${this.specifier()})`,
      () => `delete require.cache.x`,
      () => `(require = 1, require)`,
      () => `"x" in require`,
      () => `require instanceof Object`,
    )();
  }

  // A statement around an expression; how deep it hides is random.
  around(e) {
    const inner = this.random.chance(0.3) ? this.hidden(e) : e;
    return this.pick(
      () => `await (${inner});`,
      () => `const got = ${inner};`,
      () => `return ${this.space()}(${inner});`,
      () => `throw (${inner});`,
      () => `const f = async () => (${inner}); await f();`,
      () => `async function f() { return ${this.space()}(${inner}); } await f();`,
      () => `function* g() { yield (${inner}); } [...g()];`,
      () => `class A { static x = (${inner.replaceAll("await ", "")}); }`,
      () => `class A { static { (${inner.replaceAll("await ", "")}); } }`,
      () => `class A { [(${inner})]() {} }`,
      () => `class A extends (${inner}) {}`,
      () => `class A { get x() { return (${inner.replaceAll("await ", "")}); } } new A().x;`,
      () => `const o = { get x() { return (${inner.replaceAll("await ", "")}); } }; o.x;`,
      () => `const o = { [(${inner})]: 1 };`,
      () => `const { x = (${inner}) } = {};`,
      () => `const [x = (${inner})] = [];`,
      () => `if (${inner}) { } else (${inner});`,
      () => `for (const x of [${inner}]) ;`,
      () => `for (let x = (${inner}); ; ) break;`,
      () => `for (const x in (${inner})) ;`,
      () => `while (${inner}) break;`,
      () => `do { } while (void (${inner}));`,
      () => `switch (1) { case (${inner}): default: }`,
      () => `try { (${inner}); } finally { }`,
      () => `try { throw 1 } catch { (${inner}); }`,
      () => `try { throw {} } catch ({ x = (${inner}) }) { }`,
      () => `label: { (${inner}); break label; }`,
      () => `with ({}) { (${inner}); }`,
      () => `let a = 4, b = 2, g = 1; a / b / (${inner}) / g;`,
      () => `let a = 4, g = 1; a++ / (${inner}) / g;`,
      () => `let a = 4, i = 1; a\n/ (${inner})/i`,
      () => `let a = { }; ({}) / (${inner}) / 1`,
      () => `if (true) /x/.test((${inner}))`,
      () => `const t = \`a \${\`b \${(${inner})}\`} c\`;`,
      () => `const t = String.raw\`\\\${}\${(${inner})}\`;`,
      () => `const t = \`\${"\`"}\${(${inner})}\`;`,
      () => `const r = /[/\`"'(]/; (${inner});`,
      () => `const r = /\\/[\\]/*"]/g; (${inner});`,
      () => `let a = 1\n(${inner})`,
      () => `var x = "\\\n"; (${inner});`,
      () => `var x = 1; x <!--x\n; (${inner});`,
      () => `1\n--> a comment\n; (${inner});`,
      () => `/* */ (${inner}) // */`,
      () => `async () => { }; (${inner});`,
      ...(this.typescript ? this.typescriptStatements(inner) : []),
    )();
  }

  typescriptStatements(e) {
    const plain = e.replaceAll("await ", "");
    return [
      () => `enum E { A = (${plain}) as any }`,
      () => `namespace N { export const x = (${plain}); }`,
      () => `namespace N.M { (${plain}); }`,
      () => `class A { constructor(private x = (${plain})) { } } new A();`,
      () => `const x: any = (${e});`,
      () => `const x = <any>(${e});`,
      () => `const x = (${e})! as unknown as string;`,
      () => `type T = { a: "\`" }; (${e});`,
      () => `interface I { require: typeof import("x"); } (${e});`,
      () => `let g = <T,>(x: T) => (${e}); await g(1);`,
      () => `function over(a: string): void; function over(a: any) { (${e}) } over("");`,
      () => `abstract class A { abstract x: string; static y = (${plain}); }`,
      () => `let a = 1 as number\n(${e})`,
      () => `let a = b < c > (${e}); var b: any, c: any;`,
    ];
  }

  // An expression with another one inside.
  hidden(e) {
    return this.pick(
      `(${e})`,
      `[${e}][0]`,
      `(0, ${e})`,
      `((${e}) ?? 1)`,
      `(1 && (${e}))`,
      `(true ? (${e}) : 0)`,
      `\`\${(${e})}\``,
      `(async () => (${e}))()`,
      `{ a: (${e}) }.a`.replace(/^/, "(").replace(/\.a$/, ").a"),
      `[...[${e}]]`,
      `Promise.resolve(${e})`,
      `String(${e})`,
      `(x => x)(${e})`,
      `(function () { return arguments[0]; })(${e})`,
      `void (${e})`,
      `!(${e})`,
      `(${e}) / 2 / 1`,
    );
  }

  // Whole statements that are module access.
  refused() {
    if (this.random.chance(0.7)) return this.around(this.access());
    const s = JSON.stringify(this.random.pick(this.specifiers));
    const gap = this.space();
    const statements = [
      `import${gap}fs from ${s};`,
      `import ${s};`,
      `import * as fs from ${s};`,
      `import { readFile as r } from ${s};`,
      `import { "a b" as r } from ${s};`,
      `import {} from ${s}`,
      `import fs, { x } from ${s};`,
      `import j from ${s} with { type: "json" };`,
      `export const a = 1;`,
      `export default 1;`,
      `export { x } from ${s};`,
      `export * from ${s};`,
      `export {};`,
      `if (1) { import fs from ${s}; }`,
      `const load = ${this.escaped("require")}; load(${s});`,
      `let load; load = require; load(${s});`,
      `const { getBuiltinModule } = process; getBuiltinModule(${s});`,
      `const { getBuiltinModule: g } = process; g(${s});`,
      `const { require: r } = module; r(${s});`,
      `let r; ({ require: r } = module); r(${s});`,
      // Bound elsewhere, not here.
      `{ let require = () => 1; } require(${s});`,
      `function f() { var require; } require(${s});`,
      `try { } catch (require) { } require(${s});`,
      `for (let require of []) ; require(${s});`,
      `for (const require in {}) ; require(${s});`,
      `(class require { }); require(${s});`,
      `(function require() { }); require(${s});`,
      `(require => 1); require(${s});`,
      `((a, { require }) => 1); require(${s});`,
      `require: for (;;) break require; require(${s});`,
      `const o = { require() { } }; require(${s});`,
      `class A { require() { } static #require = 1; } require(${s});`,
      `switch (0) { case 1: let require; } require(${s});`,
      `{ class require { } } require(${s});`,
      `const f = () => { let require; }; require(${s});`,
      `class A { static { var require; } } require(${s});`,
      `const { require: other } = {}; require(${s});`,
    ];
    const typescript = [
      `import fs = require(${s});`,
      `export import fs = require(${s});`,
      `import type fs = require(${s});`,
      `import type { A } from ${s};`,
      `import { type A } from ${s};`,
      `import type A from ${s};`,
      `export = 1;`,
      `export type A = 1;`,
      `export as namespace X;`,
      `declare const require: any; require(${s});`,
      `declare function require(name: string): any; require(${s});`,
      `declare var require: any, module: any; require(${s});`,
      `interface require { } require(${s});`,
      `type require = 1; require(${s});`,
      `declare namespace require { const x: 1; } require(${s});`,
      `declare class require { } require(${s});`,
      `declare enum require { A } require(${s});`,
      `namespace N { export const require = 1; } require(${s});`,
      `function f(this: any, require?: any): void { } require(${s});`,
      `type F = (require: any) => void; require(${s});`,
      `declare module "x" { export const require: any; } require(${s});`,
      `declare global { var require: any; } require(${s});`,
      `abstract class A { abstract require(): void; } require(${s});`,
      `enum E { require } require(${s});`,
      `function g<require>(x: require) { } require(${s});`,
      `const x = require as any as (s: string) => any; x(${s});`,
    ];
    return this.random.pick(this.typescript ? [...statements, ...typescript] : statements);
  }

  // Reaches for a module at run time only. The value says what came of it.
  dynamic() {
    const s = JSON.stringify(this.random.pick(this.specifiers));
    const inside = this.pick(
      `import(${s})`,
      `require(${s})`,
      `import.meta`,
      `import x from ${s}`,
      `import ${s}`,
      `import * as m from ${s}; m`,
      `export default 1`,
      `module.require(${s})`,
      `process.getBuiltinModule(${s})`,
    );
    const text = this.pick(
      JSON.stringify(inside),
      JSON.stringify(inside.slice(0, 4)) + " + " + JSON.stringify(inside.slice(4)),
    );
    const value = JSON.stringify(`return ${inside}`);
    const e = this.pick(
      `eval(${text})`,
      `(0, eval)(${text})`,
      `globalThis.eval(${text})`,
      `globalThis["ev" + "al"](${text})`,
      `new Function(${value})()`,
      `Function(${value})()`,
      `(() => {}).constructor(${value})()`,
      `(async () => {}).constructor(${value})()`,
      `(function* () {}).constructor(${value})().next().value`,
      `(async function* () {}).constructor(${value})().next()`,
      `Reflect.construct(Function, [${value}])()`,
      `Object.getPrototypeOf(async () => {}).constructor(${value})()`,
      `globalThis["req" + "uire"](${s})`,
      `globalThis["imp" + "ort"](${s})`,
      `this["require"](${s})`,
      `(function () { return this; })()["require"](${s})`,
      `Reflect.get(globalThis, "require")(${s})`,
      `globalThis.module.require(${s})`,
      `globalThis.process.getBuiltinModule(${s})`,
      `globalThis.process.binding("fs")`,
      `globalThis.process.mainModule.require(${s})`,
      `tools.constructor.constructor(${value})()`,
      `text.constructor(${value})()`,
      `Error.prepareStackTrace.constructor(${value})()`,
      `setTimeout(${text})`,
      `JSON.parse.constructor(${value})()`,
      `globalThis.std.open(${s})`,
      `globalThis.os.exec([${s}])`,
      `globalThis.loadScript(${s})`,
      `globalThis.std.loadFile(${s})`,
      `new (globalThis.Worker)(${s})`,
      `globalThis.importScripts(${s})`,
      `globalThis.Deno.readTextFile(${s})`,
      `globalThis.Bun.file(${s})`,
      `new ShadowRealm().importValue(${s}, "default")`,
      `new ShadowRealm().evaluate(${text})`,
    );
    const report = `{ got: typeof m, keys: m === null || m === undefined ? [] : Object.getOwnPropertyNames(m).slice(0, 5), tag: Object.prototype.toString.call(m) }`;
    return `try { const m = await (${e}); return ${report}; } catch (error) { return { error: String(error && error.name) }; }`;
  }

  // Looks like module access and is not.
  benign() {
    const s = JSON.stringify(this.random.pick(this.specifiers));
    const api = "{ import: () => 'benign', require: () => 'benign', meta: 1 }";
    const pieces = [
      `const api = ${api}; return api.import(${s});`,
      `const api = ${api}; return api${this.gap()}.${this.gap()}require(${s});`,
      `const api = ${api}; return api["require"](${s});`,
      `const api = ${api}; return api?.import?.(${s});`,
      `const { require } = ${api}; return require(${s});`,
      `const require = () => "benign"; return require(${s});`,
      `function require() { return "benign"; } return r\\u0065quire(${s});`,
      `return ((require) => require(${s}))(() => "benign");`,
      `class A { static require() { return "benign"; } import() { } } return A.require(${s});`,
      `const o = { get import() { return "benign"; } }; return o.import;`,
      `const t = "import(" + ${s} + ")"; return t.length > 0 ? "benign" : t;`,
      `const t = \`require(\${${s}})\`; return t.startsWith("require") ? "benign" : t;`,
      `const r = /import\\(|require\\(/; return r.test("import(") ? "benign" : 0;`,
      `// import fs from "fs"\n/* require("fs") */ return "benign";`,
      `const module = { require: () => "benign" }; return module.require(${s});`,
      `const process = { getBuiltinModule: () => "benign" }; return process.getBuiltinModule(${s});`,
      `return typeof require === "undefined" ? "benign" : 0;`,
      `return typeof module === "undefined" && typeof process === "undefined" ? "benign" : 0;`,
      `require: for (;;) { break require; } return "benign";`,
      `let important = "benign"; return important;`,
      `const exports = { default: "benign" }; return exports.default;`,
      `const { require: other = "benign" } = {}; return other;`,
      `const o = { module: { require: "benign" } }; return o.module.require;`,
      `try { throw () => "benign" } catch (require) { return require(${s}); }`,
      `for (const require of [() => "benign"]) return require(${s});`,
      `switch (1) { case 1: const require = () => "benign"; return require(${s}); }`,
      `var f = function require(n) { return n ? "benign" : require(1); }; return f(0);`,
      `return JSON.stringify({ require: 1, import: 2 }).length === 24 ? "benign" : 0;`,
    ];
    const typescript = [
      `let x: typeof import("fs") | undefined; return "benign";`,
      `type T = import("fs").Stats; return "benign" as string;`,
      `interface I { require(name: string): any; import: string } return "benign";`,
      `namespace N { export const require = () => "benign"; } return N.require();`,
      `namespace N { const require = () => "benign"; export const x = require(); } return N.x;`,
      `class A { constructor(public require: () => string) { } } return new A(() => "benign").require();`,
      `const require = ((s: string) => "benign") as any; return require<any>(${s})!;`,
      `function f(x: import("fs").PathLike): string { return "benign"; } return f("");`,
      `namespace M { export const v = "benign"; } namespace N { import v = M.v; export const w = v; } return N.w;`,
    ];
    return this.random.pick(this.typescript ? [...pieces, ...typescript] : pieces);
  }

  // Harmless statements in front, chosen to confuse a scanner.
  noise() {
    const all = [
      `const n1 = /[/*"'\`]/.source;`,
      `const n2 = "\\"/*";`,
      `const n3 = \`\\\`\${"}"}\`;`,
      `let n4 = 1; n4 = n4++ / 2 / 1;`,
      `// it's a "comment" \`\n`,
      `/* } */`,
      `const n5 = 4 /2/ 1;`,
      `const n6 = { if: 1 }.if / 2;`.replace("{ if: 1 }", "({ if: 1 })"),
      `const n7 = (a) => a / 2; /x/.test("x");`,
      `if (true) { } /}/.test("");`,
      `const n8 = "\\u2028";`,
      `var n9 = function () { } / 1;`,
      `const n10 = \`\${{ a: "}" }.a}\`;`,
      `const n11 = [1, 2].map((x) => x)[0] /1/ 1;`,
      `const n12 = \`\${/}\`/.source}\`;`,
      `const n13 = "import x from 'y'";`,
    ];
    return all.filter(() => this.random.chance(0.08));
  }
}
