"""How the page looks, in light and dark."""

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fcfcfa; --ink: #1d2126; --soft: #5d6670; --faint: #e4e5e1; --card: #f3f3ef;
  --score: #7440b0; --evidence: #0f7a5a; --synconfroute: #1f62b5; --confidence: #c25a12;
  --oracle: #7b838c; --other: #b9bec4; --good: #cfe3d8; --bad: #eccfc4; --on: #1d2126;
  --both: #bcd5ee; --local: #cfe3d8; --larger: #f0d9bd; --neither: #dfe0dd;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #15181c; --ink: #e6e8ea; --soft: #9aa3ad; --faint: #2b3037; --card: #1d2126;
    --score: #bf97f0; --evidence: #4fc79d; --synconfroute: #74b0f2; --confidence: #f09a58;
    --oracle: #9aa3ad; --other: #4a525c; --good: #24513f; --bad: #63362a; --on: #f0f1f2;
    --both: #274c74; --local: #24513f; --larger: #6a4a1e; --neither: #3a4048;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main { max-width: 900px; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; letter-spacing: -.01em; }
h2 { font-size: 1.2rem; margin: 3rem 0 .7rem; }
p { margin: .6rem 0; max-width: 44rem; }
.subtitle { color: var(--soft); margin-bottom: 2rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(130px, 1fr)); gap: .8rem; }
.figures div { background: var(--card); border-radius: 10px; padding: .8rem 1rem; }
.figures dt { color: var(--soft); font-size: .82rem; }
.figures dd { margin: .1rem 0 0; font-size: 1.45rem; font-weight: 600; }
dl.figures { margin: 1.5rem 0; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; min-width: 60%; font-size: .88rem; }
table, .figures dd, svg text { font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .36rem .55rem; white-space: nowrap; }
th {
  color: var(--soft); font-weight: 500; border-bottom: 1px solid var(--faint);
  white-space: normal; vertical-align: bottom; line-height: 1.25;
}
td { border-bottom: 1px solid var(--faint); }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
tr.marked td { font-weight: 600; }
figure { margin: 1.2rem 0; }
figcaption { color: var(--soft); font-size: .88rem; margin-top: .5rem; }
svg { display: block; width: 100%; height: auto; }
svg text { font: 12px system-ui, sans-serif; fill: var(--soft); }
svg .end { text-anchor: end; } svg .middle { text-anchor: middle; }
svg .grid { stroke: var(--faint); stroke-width: 1; }
svg .line { fill: none; stroke-width: 2.4; stroke-linejoin: round; }
svg .line:hover { stroke-width: 4.5; }
svg .line.other { stroke: var(--other); stroke-width: 1.4; }
svg .line.oracle { stroke: var(--oracle); stroke-width: 1.6; stroke-dasharray: 5 4; }
svg .line.confidence { stroke: var(--confidence); } svg .line.score { stroke: var(--score); }
svg .line.synconfroute { stroke: var(--synconfroute); }
svg .line.evidence { stroke: var(--evidence); }
svg text.on { fill: var(--on); font-weight: 600; }
svg rect.both { fill: var(--both); } svg rect.local { fill: var(--local); }
svg rect.larger { fill: var(--larger); } svg rect.neither { fill: var(--neither); }
svg rect.good { fill: var(--good); } svg rect.bad { fill: var(--bad); }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-size: .88rem; padding: 0; }
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
  background: var(--card); border-radius: 10px; padding: 1rem; overflow-x: auto;
  font: .85rem/1.5 ui-monospace, "Cascadia Mono", Menlo, monospace; white-space: pre-wrap;
}
@media print { main { padding-top: 0; } h2 { break-after: avoid; } figure { break-inside: avoid; } }
"""
"""CSS without any address: the page needs no network."""
