/** Every pair of text and background has a contrast of at least 4.5:1, in both colour schemes. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f3f4f1, #131715);
  --card: light-dark(#fff, #1c211f);
  --ink: light-dark(#18211d, #e6ece8);
  --soft: light-dark(#54605a, #a5b1ab);
  --line: light-dark(#d6dcd7, #363e3a);
  --edge: light-dark(#78857e, #76837c);
  --accent: light-dark(#0b6b5d, #64d2be);
  --good: light-dark(#17653a, #7fd6a0);
  --bad: light-dark(#b3261e, #ff9a90);
  --late: light-dark(#8a4f00, #f0b35a);
  --odd: light-dark(#6d3794, #cda4ee);
  --busy: light-dark(#1d5d8a, #8cc7f0);
  --alert: light-dark(#fdf3dc, #352b16);
  font: 1rem/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); }
body { margin: 0 auto; padding: 0 1rem 3rem; max-width: 76rem; }
header { padding: 1.25rem 0 0.75rem; }
h1 { margin: 0; font-size: 1.4rem; overflow-wrap: anywhere; }
h2, h3 { margin: 0.25rem 0 0.75rem; font-size: 1.05rem; }
p, dl, ol, ul, blockquote { margin: 0 0 0.5rem; padding: 0; }
ol, ul { list-style: none; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
bdi, code, dd { overflow-wrap: anywhere; }
code, pre { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.875em; }
pre { margin: 0; }
pre, blockquote { white-space: pre-wrap; unicode-bidi: plaintext; overflow-wrap: anywhere; }
.soft, .soft a { color: var(--soft); }
.card { margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--card); min-width: 0; }
.card, fieldset { border: 1px solid var(--line); border-radius: 0.5rem; }
.card > :last-child { margin-bottom: 0; }
.alert { background: var(--alert); border-color: var(--edge); }
.done { border-left: 0.3rem solid var(--good); }
.counts, .filter, .pager, .actions, .legend, .search { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; }
.pager, .actions { align-items: center; }
.counts { gap: 0.5rem; }
.counts a { display: block; padding: 0.35rem 0.8rem; border: 1px solid var(--line); border-radius: 2rem; }
.counts a { background: var(--card); color: inherit; text-decoration: none; }
.counts a[aria-current=true] { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
strong { font-variant-numeric: tabular-nums; }
label { display: block; font-size: 0.9rem; color: var(--soft); }
.filter label, .search label { flex: 1 1 10rem; }
input, select, textarea, button, .button { display: block; width: 100%; min-height: 2.75rem; padding: 0.4rem 0.7rem; font: inherit; }
input, select, textarea, button, .button { color: var(--ink); background: var(--card); border: 1px solid var(--edge); border-radius: 0.375rem; }
[aria-invalid=true] { border: 2px solid var(--bad); }
.choice { display: flex; gap: 0.5rem; align-items: center; width: fit-content; }
.choice input { width: 1.25rem; accent-color: var(--accent); }
button, .button { width: auto; padding: 0.55rem 1rem; line-height: 1.5; cursor: pointer; text-decoration: none; }
button, .button { color: var(--accent); border-color: var(--accent); font-weight: 600; }
.main { background: var(--accent); color: var(--card); }
.entries li { padding: 0.75rem 0; border-top: 1px solid var(--line); }
.entries li:first-child, tbody tr:first-child > * { border-top: 0; }
.entries p, .axis { margin: 0; }
.pager { margin-bottom: 0.5rem; }
.entries a, .pager a, header a, section > p > a { display: inline-block; padding: 0.25rem 0; }
.reference { margin-right: 0.5rem; font-weight: 600; }
.state { display: inline-block; margin-right: 0.5rem; padding: 0 0.6rem; border: 1px solid; border-radius: 1rem; }
.state { color: var(--hue); background: var(--card); font-size: 0.9rem; font-weight: 600; line-height: 1.6rem; vertical-align: middle; }
.created, .done { --hue: var(--good); }
.refused, .error { --hue: var(--bad); }
.stalled, .unknown, .warning { --hue: var(--late); }
.invalid { --hue: var(--odd); }
.waiting, .sending, .notice { --hue: var(--busy); }
.cancelled { --hue: var(--soft); }
svg { display: block; width: 100%; height: 6rem; border-bottom: 1px solid var(--edge); }
rect { fill: var(--hue); }
.axis { display: flex; justify-content: space-between; font-size: 0.9rem; }
.legend li::before { content: ''; display: inline-block; width: 0.75rem; height: 0.75rem; margin-right: 0.4rem; background: var(--hue); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.35rem 0 0.35rem 0.75rem; border-top: 1px solid var(--line); text-align: right; }
thead th { border-top: 0; color: var(--soft); font-size: 0.9rem; font-weight: 400; vertical-align: bottom; }
th:first-child { padding-left: 0; text-align: left; }
.facts { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: 0.25rem 1rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
.totals { max-width: 24rem; }
.totals dd { text-align: right; font-variant-numeric: tabular-nums; }
.totals > :nth-last-child(-n + 2) { padding-top: 0.25rem; border-top: 1px solid var(--line); color: var(--ink); font-weight: 600; }
.events li { position: relative; padding: 0 0 0.75rem 1.5rem; }
.events li::before { content: ''; position: absolute; left: 0.15rem; top: 0.45rem; width: 0.7rem; height: 0.7rem; border-radius: 50%; }
.events li::before { background: var(--hue, var(--edge)); z-index: 1; }
.events li:not(:last-child)::after { content: ''; position: absolute; left: 0.45rem; top: 0.8rem; bottom: -0.5rem; border-left: 1px solid var(--line); }
.events p { margin: 0; }
.events time { color: var(--soft); font-size: 0.9rem; }
.issue { padding-left: 0.6rem; border-left: 3px solid var(--hue); margin-bottom: 0.25rem; }
.issue strong { color: var(--hue); }
.field .issue { display: block; margin-top: 0.25rem; font-size: 0.9rem; }
.fields, fieldset { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 0.75rem 1rem; align-items: start; }
.fields { margin: 1rem 0; }
fieldset { grid-column: 1 / -1; margin: 0; padding: 0.5rem 1rem 0.75rem; min-width: 0; }
legend { padding: 0 0.4rem; font-weight: 600; }
.field p { margin: 0; }
.field code { font-size: 0.8rem; }
blockquote { padding-left: 0.75rem; border-left: 3px solid var(--edge); }
summary { padding: 0.6rem 0; cursor: pointer; font-weight: 600; color: var(--accent); }
@media (max-width: 30rem) {
  .card { padding: 1rem 0.75rem; }
  th, td { padding-left: 0.4rem; font-size: 0.85rem; }
  thead th { font-size: 0.75rem; }
}
@media (min-width: 60rem) {
  .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: start; }
  .list { display: flex; gap: 2rem; align-items: end; justify-content: space-between; }
  .search { flex: 0 1 32rem; }
  .wide { grid-column: span 2; }
  .entries li { display: grid; grid-template-columns: 1fr auto; }
  .entries .soft { grid-area: 1 / 2; }
}
`;
