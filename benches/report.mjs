/** Prints the results of `make bench`, and writes them into benches/figures.json, from which the documentation is made. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/places.mjs';
import { isBeyond, limitOf } from './figures.mjs';

const FIGURES = join(root, 'benches/figures.json');

/** Returns all figures as text: a line for each, with its limit if it has one. */
export function textOf(columns) {
  return columns
    .flatMap(({ place, figures }) => [
      place,
      ...figures.map((figure) => {
        const limit = limitOf(place, figure);
        return `  ${figure.row}, ${figure.at}: ${shown(figure)}${limit === undefined ? '' : ` (limit ${limit})`}`;
      }),
    ])
    .join('\n');
}

export function writeFigures(columns, machine) {
  const rounded = columns.map(({ place, figures }) => ({
    place,
    figures: figures.map((figure) => ({ ...figure, value: Number(figure.value.toPrecision(6)) })),
  }));
  writeFileSync(FIGURES, `${JSON.stringify({ machine, columns: rounded }, null, 2)}\n`);
}

/** Returns the figures beyond their limits, as text. */
export function beyondLimits(columns) {
  return columns.flatMap(({ place, figures }) =>
    figures
      .filter((figure) => isBeyond(figure, limitOf(place, figure)))
      .map(
        (figure) =>
          `${place}: ${figure.row}, ${figure.at}: ${shown(figure)}, and the limit is ${limitOf(place, figure)}`,
      ),
  );
}

function shown({ value, unit }) {
  if (unit === undefined) return value.toFixed(2);
  return unit === '/s' ? value.toFixed(0) : `${value.toFixed(1)} ${unit}`;
}
