"""How the page looks, in light and dark."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fcfcfa; --ink: #1d2126; --soft: #5d6670; --faint: #e4e5e1; --card: #f3f3ef;
  --score: #7440b0; --evidence: #0f7a5a; --synconfroute: #1f62b5; --confidence: #c25a12;
  --oracle: #7b838c; --other: #b9bec4; --good: #cfe3d8; --bad: #eccfc4; --on: #1d2126;
  --both: #bcd5ee; --local: #b9d6c6; --larger: #e6cfae; --neither: #dfe0dd;
  --yes: #0f7a5a; --no: #b3412a; --link: #1f62b5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #e6e8ea; --soft: #9aa3ad; --faint: #2b3037; --card: #1d2126;
    --score: #bf97f0; --evidence: #4fc79d; --synconfroute: #74b0f2; --confidence: #f09a58;
    --oracle: #9aa3ad; --other: #4a525c; --good: #24513f; --bad: #63362a; --on: #f0f1f2;
    --both: #274c74; --local: #2f5a48; --larger: #6a4f28; --neither: #3a4048;
    --yes: #4fc79d; --no: #f08a70; --link: #74b0f2;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 980px; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 {
  font-size: 1.3rem; line-height: 1.3; margin: 3.5rem 0 .8rem; padding-top: 1.2rem;
  border-top: 1px solid var(--faint); overflow-wrap: anywhere;
}
h3 { font-size: 1.05rem; line-height: 1.35; margin: 2.4rem 0 .5rem; }
p { margin: .6rem 0; max-width: 44rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
.subtitle { color: var(--soft); margin-bottom: 1.2rem; }
nav { background: var(--card); border-radius: 10px; padding: .8rem 1.2rem; font-size: .88rem; }
nav ol { columns: 2 20rem; margin: 0; padding-left: 1.4rem; }
nav li { break-inside: avoid; padding: .1rem 0; }
nav li::marker { color: var(--soft); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: .8rem; }
.figures div { background: var(--card); border-radius: 10px; padding: .8rem 1rem; }
.figures dt { color: var(--soft); font-size: .82rem; }
.figures dd { margin: .1rem 0 0; font-size: 1.45rem; font-weight: 600; }
dl.figures { margin: 1.2rem 0; }
.wide { overflow-x: auto; margin: .4rem 0; }
.drawing svg { min-width: 620px; }
table { border-collapse: collapse; min-width: 60%; font-size: .86rem; }
table, .figures dd, svg text { font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .36rem .6rem; white-space: nowrap; vertical-align: top; }
th {
  color: var(--soft); font-weight: 500; border-bottom: 1px solid var(--faint);
  white-space: normal; vertical-align: bottom; line-height: 1.25;
}
th.group { text-align: center; color: var(--ink); } th.none { border-bottom: 0; }
td { border-bottom: 1px solid var(--faint); }
td small {
  display: block; color: var(--soft); font-size: .92em; font-weight: 400; line-height: 1.3;
}
th.words, td.words { text-align: left; white-space: normal; }
th:first-child, td:first-child { padding-left: 0; }
td.words:first-child { white-space: nowrap; }
td small { white-space: pre; } td.words small { white-space: pre-line; max-width: 17rem; }
tr.marked td { font-weight: 600; }
td.good { color: var(--yes); font-weight: 700; } td.bad { color: var(--no); font-weight: 700; }
td.soft { color: var(--soft); }
figure { margin: 1.4rem 0; }
figcaption { color: var(--soft); font-size: .86rem; line-height: 1.45; max-width: 46rem; }
figcaption b { color: var(--ink); }
svg { display: block; width: 100%; height: auto; }
svg text { font: 12px system-ui, "Segoe UI", sans-serif; fill: var(--soft); }
svg text.end { text-anchor: end; } svg text.middle { text-anchor: middle; }
svg text.head { font-size: 13px; font-weight: 600; fill: var(--ink); }
svg text.small { font-size: 11px; }
svg text.value { font-size: 11px; fill: var(--ink); font-weight: 600; }
svg text.name {
  fill: var(--ink); paint-order: stroke; stroke: var(--paper); stroke-width: 3px;
}
svg .grid { stroke: var(--faint); stroke-width: 1; }
svg .target { stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 5 4; }
svg .leader { stroke: var(--soft); stroke-width: .7; }
svg .whisker { stroke: var(--ink); stroke-width: 1; fill: none; opacity: .55; }
svg .mark { stroke: var(--ink); stroke-width: 1.4; fill: var(--paper); }
svg .line { fill: none; stroke-width: 2.4; stroke-linejoin: round; }
svg .line:hover { stroke-width: 4.5; }
svg .line.other { stroke: var(--other); stroke-width: 1.4; }
svg .line.oracle { stroke: var(--oracle); stroke-width: 1.6; stroke-dasharray: 5 4; }
svg .line.confidence { stroke: var(--confidence); } svg .line.score { stroke: var(--score); }
svg .line.synconfroute { stroke: var(--synconfroute); }
svg .line.evidence { stroke: var(--evidence); }
svg .spot { fill: var(--other); stroke: var(--paper); stroke-width: 1.5; }
svg .spot.score { fill: var(--score); } svg .spot.evidence { fill: var(--evidence); }
svg .spot.synconfroute { fill: var(--synconfroute); }
svg .spot.confidence { fill: var(--confidence); } svg .spot.oracle { fill: var(--oracle); }
svg .spot.hollow { fill: var(--paper); stroke: var(--other); stroke-width: 2; }
svg .spot.hollow.confidence { stroke: var(--confidence); }
svg .spot.hollow.synconfroute { stroke: var(--synconfroute); }
svg text.on { fill: var(--on); font-weight: 600; }
svg rect.both { fill: var(--both); } svg rect.local { fill: var(--local); }
svg rect.larger { fill: var(--larger); } svg rect.neither { fill: var(--neither); }
svg rect.good { fill: var(--good); } svg rect.bad { fill: var(--bad); }
svg rect.score { fill: var(--score); } svg rect.confidence { fill: var(--confidence); }
svg rect.synconfroute { fill: var(--synconfroute); }
.legend {
  display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-size: .86rem; padding: 0; margin: .5rem 0;
}
.legend li { list-style: none; display: flex; align-items: center; gap: .45rem; }
.legend i { width: 18px; height: 4px; border-radius: 2px; background: var(--other); }
.legend i.block { height: 12px; width: 12px; border-radius: 3px; }
.legend .score { background: var(--score); } .legend .evidence { background: var(--evidence); }
.legend .synconfroute { background: var(--synconfroute); }
.legend .confidence { background: var(--confidence); }
.legend .oracle { background: var(--oracle); }
.legend .both { background: var(--both); } .legend .local { background: var(--local); }
.legend .larger { background: var(--larger); } .legend .neither { background: var(--neither); }
.legend .good { background: var(--good); } .legend .bad { background: var(--bad); }
ul.listing { columns: 3 14rem; font-size: .85rem; padding-left: 1.1rem; }
ul.listing li { overflow-wrap: anywhere; }
pre {
  background: var(--card); border-radius: 10px; padding: .9rem 1rem; overflow-x: auto;
  font: .82rem/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.missing {
  border-left: 3px solid var(--faint); padding-left: 1rem; margin: 1rem 0; color: var(--soft);
}
details {
  margin: 1.2rem 0; border: 1px solid var(--faint); border-radius: 10px; padding: .6rem 1rem;
}
summary { cursor: pointer; font-weight: 600; font-size: .92rem; }
@media (max-width: 700px) {
  main { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.55rem; }
  table { width: max-content; }
  td.words div { max-width: 13rem; }
  .slim svg text { font-size: 21px; }
}
@media print { main { padding-top: 0; } h2 { break-after: avoid; } figure { break-inside: avoid; } }
""" + "".join(
    f"svg .spot.family-{name}, .legend .family-{name} "
    f"{{ fill: {colour}; background: {colour}; }}\n"
    for name, colour in {
        "qwen": "#4f86d8", "starcoder": "#b8860b", "deepseek": "#c0504d", "yi-coder": "#3d9970",
        "opencoder": "#8e6bbf", "refact": "#d4739d", "codegemma": "#e08a3c", "stable": "#6b8e23",
        "granite": "#2a9d9d", "codellama": "#a0703c", "magicoder": "#7a7fd1",
        "codegeex": "#cc6677", "other": "#868e96",
    }.items()
)  # fmt: skip
"""CSS without any address: the page needs no network."""
