"""How the page looks: in light and dark, on a telephone, on paper."""

_LIGHT = """
  --paper: #fbfbf9; --card: #ffffff; --ink: #1c2127; --soft: #59636e; --faint: #e3e5e2;
  --band: #f0f2ef; --local: #2868b0; --org: #b9540f; --memory: #7b858f; --range: #c9d6e6;
  --lost: #c9cdd2;
"""
_DARK = """
  --paper: #14171b; --card: #1b1f25; --ink: #e7eaed; --soft: #a0a9b3; --faint: #2e343c;
  --band: #20252c; --local: #6fb0f3; --org: #f0975a; --memory: #8b959f; --range: #31465f;
  --lost: #4a525b;
"""

STYLE = (
    f":root {{ color-scheme: light dark; {_LIGHT} }}\n"
    f"@media (prefers-color-scheme: dark) {{ :root {{ {_DARK} }} }}\n"
    f"body.vscode-light {{ color-scheme: light; {_LIGHT} }}\n"
    f"body.vscode-dark, body.vscode-high-contrast {{ color-scheme: dark; {_DARK} }}\n"
    """
* { box-sizing: border-box; }
body {
  margin: 0; padding: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  font-variant-numeric: tabular-nums;
}
main { max-width: 62rem; margin: 0 auto; padding: 2.6rem 1.4rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.015em; margin: 0; }
h2 { font-size: 1.12rem; line-height: 1.3; margin: 0 0 .2rem; letter-spacing: -.005em; }
p { margin: .2rem 0; max-width: 46rem; }
.soft, .note { color: var(--soft); }
.note { font-size: .86rem; line-height: 1.45; }
section {
  background: var(--card); border: 1px solid var(--faint); border-radius: 12px;
  padding: 1.2rem 1.4rem 1.1rem; margin: 1.1rem 0;
}
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 0 1.1rem; }
.pair section { min-width: 0; }
dl.tiles {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(9.2rem, 1fr)); gap: .9rem;
  margin: 1.6rem 0 1.1rem;
}
dl.tiles div {
  background: var(--card); border: 1px solid var(--faint); border-radius: 12px;
  padding: .8rem 1rem .75rem;
}
dl.tiles dt { color: var(--soft); font-size: .84rem; }
dl.tiles dd { margin: 0; font-size: 1.7rem; line-height: 1.25; font-weight: 620; }
dl.tiles dd.of { font-size: .82rem; font-weight: 400; color: var(--soft); line-height: 1.4; }
figure { margin: .9rem 0 0; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: var(--soft); }
svg text.ink { fill: var(--ink); font-weight: 600; }
svg text.end { text-anchor: end; } svg text.middle { text-anchor: middle; }
svg .grid { stroke: var(--faint); } svg .zero { stroke: var(--soft); opacity: .6; }
svg .local { fill: var(--local); } svg .org { fill: var(--org); }
svg .memory { fill: var(--memory); }
svg .range { stroke: var(--local); stroke-width: 6; opacity: .26; stroke-linecap: round; }
svg .line { fill: none; stroke: var(--local); stroke-width: 1.6; opacity: .75; }
svg .mark { stroke: var(--ink); stroke-width: 1.2; stroke-dasharray: 3 2; }
.said { margin: .7rem 0 .2rem; } .said p:first-child { font-weight: 600; }
.legend {
  display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; list-style: none; padding: 0;
  margin: .5rem 0 0; font-size: .86rem; color: var(--soft);
}
.legend i {
  display: inline-block; width: .72rem; height: .72rem; border-radius: 3px; margin-right: .4rem;
  vertical-align: -.04rem;
}
.wide { overflow-x: auto; margin-top: .8rem; }
.wide:focus-visible, summary:focus-visible { outline: 2px solid var(--local); outline-offset: 3px; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
th, td { padding: .3rem .6rem; text-align: right; white-space: nowrap; }
thead th { color: var(--soft); font-weight: 500; border-bottom: 1px solid var(--faint);
  vertical-align: bottom; }
tbody th { text-align: left; font-weight: 500; white-space: normal; min-width: 12rem;
  overflow-wrap: anywhere; }
thead th:first-child { text-align: left; }
th:first-child { padding-left: 0; } td:last-child, th:last-child { padding-right: 0; }
tbody tr + tr > * { border-top: 1px solid var(--band); }
tbody tr.group th { color: var(--soft); font-weight: 500; padding-top: .9rem; font-size: .82rem; }
tr.group + tr > * { border-top-color: var(--faint); }
td.plot { width: 38%; min-width: 8rem; padding-left: 1rem; padding-right: 1rem; }
th.plot { text-align: left; padding-left: 1rem; padding-right: 1rem; }
th.plot span { float: right; }
.track {
  position: relative; height: 1.15rem;
  background: linear-gradient(90deg, var(--faint) 1px, transparent 1px) 0 0 / 25% 100%;
  border-right: 1px solid var(--faint);
}
.track b, .track i, .bar b { position: absolute; display: block; }
.track b { top: .34rem; height: .46rem; border-radius: .23rem; background: var(--range);
  min-width: 2px; }
.track i { top: .2rem; width: .75rem; height: .75rem; margin-left: -.375rem; border-radius: 50%;
  background: var(--local); border: 2px solid var(--card); }
.bar { position: relative; height: .95rem; border-radius: 3px; background: transparent; }
.bar b { top: 0; height: 100%; border-radius: 2px; min-width: 1px; }
b.local, .legend .local { background: var(--local); }
b.org, .legend .org { background: var(--org); }
b.lost, .legend .lost { background: var(--lost); }
.legend .memory { background: var(--memory); }
.weak td, .weak th { color: var(--soft); }
.weak .track i { background: var(--card); border-color: var(--soft); }
details { margin-top: .8rem; font-size: .9rem; }
summary { cursor: pointer; color: var(--soft); width: fit-content; border-radius: 4px; }
details[open] summary { margin-bottom: .4rem; }
code { font: .92em ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
footer { color: var(--soft); font-size: .86rem; margin-top: 1.6rem; }
@media (max-width: 640px) {
  main { padding: 1.4rem .8rem 2.5rem; }
  section { padding: 1rem .9rem .9rem; }
  tbody th { min-width: 8.5rem; }
  .pair { grid-template-columns: minmax(0, 1fr); }
  .scaled { overflow-x: auto; } .scaled svg { min-width: 560px; }
}
@media print {
  :root { color-scheme: light;"""
    + _LIGHT
    + """}
  body { print-color-adjust: exact; -webkit-print-color-adjust: exact; font-size: 12px; }
  main { max-width: none; padding: 0; }
  section, figure, tr { break-inside: avoid; }
  section { border-radius: 0; border-width: 1px 0 0; padding: .8rem 0; }
}
"""
)
"""CSS without any address."""
