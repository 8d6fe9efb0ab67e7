/** What `make bench` prints, and writes into benches/figures.json and docs/reference/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/places.mjs';
import { isWorse, ruleOf } from './figures.mjs';

export const FIGURES = join(root, 'benches/figures.json');
export const PAGE = join(root, 'docs/reference/performance.md');
const START = '<!-- make bench writes from here -->';
const END = '<!-- to here -->';

/** Returns the table as Markdown: a row per job, a column per environment; marks figures that miss their goals. */
export function tableOf(columns) {
  const rows = [...new Set(columns.flatMap(({ figures }) => figures.map(({ row }) => row)))].sort();
  const lines = rows.map((row) => [row, goalOf(row, columns), ...columns.map((column) => cell(column, row))]);
  const head = ['What', 'Goal', ...columns.map(({ place }) => place)];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Writes the figures, and their table into the page; `make diagrams` makes the bars. */
export function writeReport(columns, machine) {
  const rounded = columns.map(({ place, figures }) => ({
    place,
    figures: figures.map((figure) => ({ ...figure, value: Number(figure.value.toPrecision(6)) })),
  }));
  writeFileSync(FIGURES, `${JSON.stringify({ machine, columns: rounded }, null, 2)}\n`);
  writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), { columns: rounded, machine }));
}

/** Returns the text of the page with the table, and where it was measured, between the marks. */
export function pageWith(text, { columns, machine }) {
  const [before, rest] = text.split(START);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`docs/reference/performance.md lacks the marks ${START} and ${END}`);
  const note = `Measured on ${machine}; ✗ marks what is not reached.`;
  return `${before}${START}\n${tableOf(columns)}\n\n${note}\n${END}${after}`;
}

function goalOf(row, columns) {
  const goals = columns.flatMap(({ place, figures }) =>
    figures
      .filter((figure) => figure.row === row && ruleOf(place, figure))
      .map((figure) => `${figure.least ? '≥' : '≤'} ${ruleOf(place, figure)?.goal}`),
  );
  return [...new Set(goals)].join('<br>');
}

function cell({ place, figures }, row) {
  const cells = figures.filter((figure) => figure.row === row);
  return cells.map((figure) => `${figure.at}: ${shown(figure)}${markOf(place, figure)}`).join('<br>');
}

function markOf(place, figure) {
  const rule = ruleOf(place, figure);
  return rule && isWorse(figure, rule.goal) ? ' ✗' : '';
}

export function shown({ value, unit }) {
  return unit === 'KB' ? value.toFixed(1) : value.toFixed(2);
}
