/** Draws the ratios of the benchmark as bars: to the right of the line this package is quicker, to the left the other. */
import { escaped, svgOf } from './svg.mjs';

const WIDTH = 420;
const HEAD = 28;
const ROW = 42;
const TOP = 36;
/** The scale is logarithmic: 4 times as fast and 4 times as slow are bars of the same length. */
const LARGEST = 20;
const MIDDLE = WIDTH / 2;
/** Leaves room for the number at the end of a bar. */
const REACH = MIDDLE - 56;

const PLACES = ['Node', 'Chromium'];

/** Returns an SVG for Node and one for Chromium, by the name of its file. */
export function barCharts({ columns, machine }) {
  return Object.fromEntries(
    columns
      .filter(({ place }) => PLACES.includes(place.split(' ')[0]))
      .map(({ place, figures }) => [
        `benchmark-${place.split(' ')[0].toLowerCase()}.svg`,
        chart(place, figures, machine),
      ]),
  );
}

function chart(place, figures, machine) {
  const bars = figures.filter(isComparison).map((figure) => ({ ...figure, speed: speedOf(figure) }));
  const parts = [
    `<text x="${MIDDLE - 8}" y="18" text-anchor="end" font-size="12" class="soft">the other is quicker</text>`,
    `<text x="${MIDDLE + 8}" y="18" font-size="12" class="soft">this package is quicker</text>`,
  ];
  let y = TOP;
  let row = '';
  for (const bar of bars) {
    if (bar.row !== row) {
      row = bar.row;
      parts.push(`<text x="0" y="${y + 18}" font-size="13" font-weight="bold">${escaped(plain(row))}</text>`);
      y += HEAD;
    }
    parts.push(barOf(bar, y));
    y += ROW;
  }
  const spoken = bars.map((bar) => `${plain(bar.row)}, ${plain(bar.at)}: ${times(bar.speed)}`).join('; ');
  return svgOf({
    title: `The benchmark in ${place}`,
    description: `How many times as fast as the other this package is, on ${machine}. ${spoken}.`,
    width: WIDTH,
    height: y + 4,
    drawing: parts.join('\n'),
  });
}

function barOf({ at, speed }, y) {
  const length = Math.max(1, Math.round((REACH * Math.min(Math.abs(Math.log(speed)), LONGEST)) / LONGEST));
  const isFaster = speed >= 1;
  const [x, end, anchor] = isFaster
    ? [MIDDLE, MIDDLE + length + 5, 'start']
    : [MIDDLE - length, MIDDLE - length - 5, 'end'];
  return [
    `<text x="0" y="${y + 12}" font-size="12" class="soft">${escaped(plain(at))}</text>`,
    `<path class="axis" d="M${MIDDLE} ${y + 15}v22"/>`,
    `<rect class="${isFaster ? 'faster' : 'slower'}" x="${x}" y="${y + 18}" width="${length}" height="16" rx="2"/>`,
    `<text x="${end}" y="${y + 31}" text-anchor="${anchor}" font-size="13">${times(speed)}</text>`,
  ].join('\n');
}

const LONGEST = Math.log(LARGEST);

/** Sizes, and this package compared with itself, are in the table only. */
const isComparison = ({ row, at, unit }) => unit === undefined && /÷ \D/.test(`${row} ${at}`);
/** A figure is a ratio of times; with `least` it is one of orders a second. */
const speedOf = ({ value, least }) => (least ? value : 1 / value);
const times = (speed) => `${speed >= 10 ? speed.toFixed(0) : speed.toFixed(2)} ×`;
const plain = (text) => text.replaceAll('`', '');
