"""How the HTML report looks: light and dark, without a script or a font of its own."""

from __future__ import annotations

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #fdfdfc; --ink: #1c1d1f; --faint: #63666b; --line: #dddedb; --panel: #f3f4f1;
  --good: #1a6f3c; --bad: #b3261e; --doubt: #8a5a00; --dot: #33669966;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #17181a; --ink: #e6e6e3; --faint: #a0a4a8; --line: #35383b; --panel: #202224;
    --good: #7fcf9a; --bad: #ff8a80; --doubt: #e9bd6b; --dot: #8fb8e066;
  }
}
body {
  margin: 0 auto; padding: 1.5rem 1.25rem 4rem; max-width: 76rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
}
header { border-left: .4rem solid var(--tone); padding: .1rem 0 .1rem 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; font-weight: 600; }
h1 b { color: var(--tone); }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .6rem; }
h3 { font-size: 1rem; font-weight: 600; margin: 1.4rem 0 .4rem; }
p, ul, pre { margin: .4rem 0; max-width: 60rem; }
p, li, h1, h3 { overflow-wrap: anywhere; }
ul { padding-left: 1.2rem; }
li { margin: .25rem 0; }
.faint { color: var(--faint); }
code, pre { font: .88em/1.45 ui-monospace, "SF Mono", Menlo, "DejaVu Sans Mono", monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--panel); padding: .6rem .8rem; overflow-x: auto; border-radius: .3rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .92rem; }
th { text-align: left; color: var(--faint); font-weight: 500; }
th, td { padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.number { text-align: right; white-space: nowrap; }
.name { min-width: 11rem; }
@media (max-width: 50rem) { .name { min-width: 9rem; } }
.word { white-space: nowrap; }
.fail, .error, .gone { --tone: var(--bad); }
.unsettled, .accepted { --tone: var(--doubt); }
.pass, .improved { --tone: var(--good); }
td.word { color: var(--tone, var(--ink)); font-weight: 600; }
td.word.pass, td.word.new { color: var(--faint); font-weight: 400; }
details { border-top: 1px solid var(--line); padding: .6rem 0; }
details[open] { padding-bottom: 1rem; }
section + details { margin-top: 2.25rem; }
summary { cursor: pointer; font-weight: 600; }
article details { border-top: 0; }
svg { display: block; overflow: visible; }
svg .axis { stroke: var(--faint); }
svg .limit { stroke: var(--faint); stroke-dasharray: 2 2; }
svg .span { stroke: var(--tone, var(--faint)); stroke-width: 3; }
svg .at { fill: var(--tone, var(--ink)); }
svg .pair { fill: var(--dot); }
"""
