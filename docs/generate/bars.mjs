/** Draws how many times as fast as other stacks this package is: to the right of the line it is faster, to the left the other. */
import { STACKS, figureIn } from './performance.mjs';
import { escaped, svgOf } from './svg.mjs';

const WIDTH = 420;
const HEAD = 28;
const ROW = 42;
const TOP = 36;
/** The scale is logarithmic: 4 times as fast and 4 times as slow are bars of the same length. */
const LARGEST = 8;
const MIDDLE = WIDTH / 2;
/** Leaves room for the number at the end of a bar. */
const REACH = MIDDLE - 56;
const LINES = '10 lines';
const JOBS = { 'a plain order': 'P1 verdict, totals and body', 'a realistic mix': 'P1b realistic mix' };

/** Returns the SVG of an order of 10 lines, in Node and in Chromium. */
export function barChart({ columns, machine }) {
  const groups = [columns[0], columns.at(-1)].flatMap(({ place, figures }) =>
    Object.entries(JOBS).map(([job, row]) => ({
      title: `${place}, ${job}`,
      bars: Object.entries(STACKS).map(([stack, name]) => ({
        name,
        speed: 1 / figureIn(place, figures, `${row} ÷ ${stack}`, LINES),
      })),
    })),
  );
  const parts = [
    `<text x="${MIDDLE - 8}" y="18" text-anchor="end" font-size="12" class="soft">the other is faster</text>`,
    `<text x="${MIDDLE + 8}" y="18" font-size="12" class="soft">this package is faster</text>`,
  ];
  let y = TOP;
  for (const { title, bars } of groups) {
    parts.push(`<text x="0" y="${y + 18}" font-size="13" font-weight="bold">${escaped(title)}</text>`);
    y += HEAD;
    for (const bar of bars) {
      parts.push(barOf(bar, y));
      y += ROW;
    }
  }
  const spoken = groups.map(
    ({ title, bars }) => `${title}: ${bars.map(({ name, speed }) => `${name} ${times(speed)}`).join(', ')}`,
  );
  return svgOf({
    title: `The benchmark of an order of ${LINES}`,
    description: `How many times as fast as other stacks this package is, on ${machine}. ${spoken.join('; ')}.`,
    width: WIDTH,
    height: y + 4,
    drawing: parts.join('\n'),
  });
}

function barOf({ name, speed }, y) {
  const length = Math.max(1, Math.round((REACH * Math.min(Math.abs(Math.log(speed)), LONGEST)) / LONGEST));
  const isFaster = speed >= 1;
  const [x, end, anchor] = isFaster
    ? [MIDDLE, MIDDLE + length + 5, 'start']
    : [MIDDLE - length, MIDDLE - length - 5, 'end'];
  return [
    `<text x="0" y="${y + 12}" font-size="12" class="soft">${escaped(name)}</text>`,
    `<path class="axis" d="M${MIDDLE} ${y + 15}v22"/>`,
    `<rect class="${isFaster ? 'faster' : 'slower'}" x="${x}" y="${y + 18}" width="${length}" height="16" rx="2"/>`,
    `<text x="${end}" y="${y + 31}" text-anchor="${anchor}" font-size="13">${times(speed)}</text>`,
  ].join('\n');
}

const LONGEST = Math.log(LARGEST);

const times = (speed) => `${speed.toFixed(2)} ×`;
