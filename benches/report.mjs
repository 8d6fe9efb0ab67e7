/** The table that `make bench` prints and writes into the README. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/places.mjs';
import { isWorse, ruleOf } from './figures.mjs';

const README = join(root, 'README.md');
const START = '<!-- make bench writes from here -->';
const END = '<!-- to here -->';

/** Returns the table as Markdown: a row per job, a column per environment; marks figures that miss their goals. */
export function tableOf(columns) {
  const rows = [...new Set(columns.flatMap(({ figures }) => figures.map(({ row }) => row)))].sort();
  const lines = rows.map((row) => [row, goalOf(row, columns), ...columns.map((column) => cell(column, row))]);
  const head = ['', 'Goal', ...columns.map(({ place }) => place)];
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** Puts the table and where it was measured between the marks. */
export function writeReadme(table, machine) {
  const text = readFileSync(README, 'utf8');
  const [before, rest] = text.split(START);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`README.md lacks the marks ${START} and ${END}`);
  writeFileSync(
    README,
    `${before}${START}\n${table}\n\nMeasured on ${machine}; ✗ marks what is not reached.\n${END}${after}`,
  );
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
