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
  --alert: light-dark(#fdf3dc, #352b16);
  font: 1rem/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; }
html { background: var(--ground); color: var(--ink); }
body { margin: 0 auto; padding: 0 1rem 3rem; max-width: 72rem; }
header { padding: 1.25rem 0 0.5rem; }
h1 { margin: 0; font-size: 1.35rem; overflow-wrap: anywhere; }
h2, h3 { margin: 0.25rem 0 0.5rem; font-size: 1.05rem; }
p, dl, ol, ul, blockquote { margin: 0 0 0.5rem; padding: 0; }
ol, ul { list-style: none; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
code, pre, textarea { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9em; overflow-wrap: anywhere; }
pre { margin: 0; }
pre, blockquote { white-space: pre-wrap; unicode-bidi: plaintext; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
.card { margin: 0 0 1rem; padding: 1rem; background: var(--card); }
.card { border: 1px solid var(--line); border-radius: 0.5rem; }
.card > :last-child { margin-bottom: 0; }
.alert { background: var(--alert); border-color: var(--edge); }
.counts, .filter, .pager, .actions { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: end; }
.pager, .actions { align-items: start; }
.counts a { display: block; padding: 0.35rem 0.8rem; border: 1px solid var(--line); border-radius: 2rem; }
.counts a { background: var(--card); color: inherit; text-decoration: none; }
.counts a[aria-current=true] { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.counts strong { margin-left: 0.35rem; font-variant-numeric: tabular-nums; }
label { display: block; flex: 1 1 10rem; font-size: 0.9rem; color: var(--soft); }
input, select, textarea, button { display: block; width: 100%; min-height: 2.75rem; padding: 0.4rem 0.6rem; font: inherit; }
input, select, textarea, button { color: var(--ink); background: var(--card); border: 1px solid var(--edge); border-radius: 0.375rem; }
textarea { min-height: 20rem; font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9rem; }
label ~ button, .actions + form, .actions + p, .filter + .filter { margin-top: 0.75rem; }
.filter button { margin: 0; }
button { width: auto; padding: 0.4rem 1rem; cursor: pointer; color: var(--accent); border-color: var(--accent); font-weight: 600; }
.entries li { padding: 0.75rem 0; border-top: 1px solid var(--line); }
.entries li:first-child { border-top: 0; padding-top: 0; }
.entries p { margin: 0; }
.entries a, .pager a, header a, section > p > a { display: inline-block; padding: 0.25rem 0; }
.state { display: inline-block; min-width: 5.5rem; margin-right: 0.5rem; font-weight: 600; color: var(--soft); }
.created { color: var(--good); }
.refused, .stalled { color: var(--bad); }
.facts { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr; gap: 0.25rem 1rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
blockquote { padding-left: 0.75rem; border-left: 3px solid var(--edge); }
details { flex: 1 1 12rem; }
summary { padding: 0.6rem 0; cursor: pointer; font-weight: 600; color: var(--accent); }
@media (min-width: 60rem) {
  .sides { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: start; }
}
`;
