/** The timeline's look: one set of colours for light, one for dark. Failures differ from successes in lightness too. */

/** Style of the picture. Every name begins with `cm`, since a page takes over the style of a picture inside it. */
export const STYLE = `
.cm{--paper:#fff;--ink:#1f2328;--soft:#59636e;--line:#e3e7ec;--band:#f6f8fa;--run:#57606a;--on:#fff;--ok:#2f6fdb;--bad:#c2410c;--cut:#7a838d;--open:#8250df;--rest:#eef1f4;--rest-line:#d3d9e0;--limit:#b3123a;--note:#8250df;
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:11px}
@media (prefers-color-scheme:dark){.cm{--paper:#0d1117;--ink:#e6edf3;--soft:#9aa5b1;--line:#262d36;--band:#141a22;--run:#8b949e;--on:#0d1117;--ok:#6ea8fe;--bad:#ff8f5a;--cut:#7d8894;--open:#c29bff;--rest:#1b222b;--rest-line:#313a45;--limit:#ff6b8b;--note:#c29bff}}
.cm-paper{fill:var(--paper)}.cm-band{fill:var(--band)}.cm-grid{stroke:var(--line);fill:none}
.cm text{fill:var(--ink)}.cm .cm-head{font-size:13px;font-weight:600}.cm .cm-tick,.cm .cm-count,.cm .cm-note{fill:var(--soft)}
.cm .cm-count-failed{fill:var(--bad);font-weight:600}.cm .cm-on{fill:var(--on)}.cm .cm-off{fill:var(--soft)}
.cm-running{fill:var(--run)}.cm-suspended{fill:url(#cm-hatch)}.cm-hatch-ground{fill:var(--rest)}.cm-hatch-line{fill:var(--rest-line)}
.cm-ok,.cm-error,.cm-aborted,.cm-open{stroke:var(--paper);stroke-width:.6}
.cm-ok{fill:var(--ok)}.cm-error{fill:var(--bad)}.cm-aborted{fill:var(--cut)}.cm-open{fill:var(--open)}
.cm-limit{stroke:var(--limit);stroke-width:1.5;stroke-dasharray:4 3;fill:none}.cm .cm-limit-name{fill:var(--limit);font-weight:600}.cm-notice{fill:var(--note)}
`.trim();

/** Style of the page around the picture. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--paper:#fff;--ink:#1f2328;--soft:#59636e;--line:#e3e7ec;--bad:#c2410c}
@media (prefers-color-scheme:dark){:root{--paper:#0d1117;--ink:#e6edf3;--soft:#9aa5b1;--line:#262d36;--bad:#ff8f5a}}
body{margin:24px auto;max-width:1240px;padding:0 16px;background:var(--paper);color:var(--ink);font:14px/1.5 system-ui,sans-serif}
h1{font-size:20px;margin:0 0 4px}h2{font-size:15px;margin:28px 0 6px;overflow-wrap:anywhere}
p{margin:4px 0;color:var(--soft)}.picture{overflow-x:auto;margin:12px 0}.picture svg{max-width:100%;min-width:900px;height:auto}
.key span{display:inline-block;margin-right:18px;white-space:nowrap}.key i{display:inline-block;width:14px;height:11px;border-radius:2px;margin-right:6px;vertical-align:-1px}
table{border-collapse:collapse;width:100%;font-size:13px}th{text-align:left;font-weight:600;color:var(--soft)}
th,td{padding:3px 12px 3px 0;border-bottom:1px solid var(--line);vertical-align:top}td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
td.name{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px;overflow-wrap:anywhere}.bad{color:var(--bad);font-weight:600}
details{margin:10px 0}summary{cursor:pointer;color:var(--soft)}ul{margin:4px 0;padding-left:20px}li{overflow-wrap:anywhere}
`.trim();
