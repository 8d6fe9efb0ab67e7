/** Prints the results of `make bench`, and writes them into benches/figures.json and docs/reference/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/places.mjs';
import { isWorse, nameOf, ruleOf } from './figures.mjs';

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

/** Writes the figures, and their table into the page; `make bench` makes the bars from it. */
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
  const note = `Measured on ${machine}. ✗ marks a figure that misses its goal; a figure without a goal is shown for comparison.`;
  const parts = [tableOf(columns), note, missedLimits(columns)];
  return `${before}${START}\n${parts.join('\n\n')}\n${END}${after}`;
}

/** Returns the goal of a row, or those of its figures if they differ or some have none, and their places if these differ. */
function goalOf(row, columns) {
  const goals = new Map();
  for (const { place, figures } of columns) {
    for (const figure of figures.filter((each) => each.row === row)) {
      const rule = ruleOf(place, figure);
      const goal = rule && `${figure.least ? '≥' : '≤'} ${rule.goal}`;
      const found = goals.get(figure.at) ?? [];
      // Versions of one engine have the same goal.
      if (!found.some((each) => each.place === nameOf(place)))
        goals.set(figure.at, [...found, { place: nameOf(place), goal }]);
    }
  }
  const all = [...goals.values()].flat().map(({ goal }) => goal);
  if (new Set(all).size === 1) return all[0] ?? '';
  return [...goals].flatMap(([at, found]) => goalsAt(at, found)).join('<br>');
}

function goalsAt(at, found) {
  const isOne = new Set(found.map(({ goal }) => goal)).size === 1;
  const shownOnce = isOne ? found.slice(0, 1) : found;
  return shownOnce.flatMap(({ place, goal }) => (goal ? `${at}${isOne ? '' : ` in ${place}`}: ${goal}` : []));
}

/** Says plainly which limits are missed: the benchmark has failed then. */
function missedLimits(columns) {
  const missed = new Map();
  for (const { place, figures } of columns) {
    for (const figure of figures) {
      const limit = ruleOf(place, figure)?.limit;
      if (limit === undefined || !isWorse(figure, limit)) continue;
      const name = `${figure.row}, ${figure.at} (limit ${limit})`;
      missed.set(name, [...(missed.get(name) ?? []), `${shown(figure)} in ${place}`]);
    }
  }
  if (missed.size === 0) return 'No limit is missed.';
  const list = [...missed].map(([name, values]) => `${name}: ${values.join(' and ')}`);
  return `**${missed.size === 1 ? 'One limit is' : `${missed.size} limits are`} missed.** ${list.join('; ')}.`;
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
