/** Writes what pages say of the last `make bench`: sentences, and a table. */

/** The stacks of benches/peers, as a reader knows them. */
export const STACKS = {
  A: 'zod, decimal.js',
  B: 'ajv, big.js',
  D: 'TypeBox, cents',
  E: 'valibot, big.js',
};
const JOB = 'P1 verdict, totals and body';
/** The columns of the table, which fits a phone, and the sizes of their orders. */
const SIZES = { 1: '1 line', 10: '10 lines', 100: '100 lines' };

/** @param {(path: string) => string} read */
export function performanceText(read) {
  const { place, figureOf, chromium, machine } = figuresOf(read);
  const size = (at) => figureOf('P3 shipped, KB brotli', at).toFixed(0);
  const ofOutbox = (at) => figureOf('P9 outbox', at);
  const ofFiles = (at) => figureOf('P11 `check` of 50,000 orders, ÷ a script', at).toFixed(2);
  const seconds = (at) => secondsOf(chromium, at);
  const sizes = Object.values(SIZES);
  return [
    `- **A key press**: an order of 10 lines is evaluated again in ${chromium.figureOf('P2 one line replaced, µs', '10 lines').toFixed(0)} µs (${chromium.place}). A frame has 16,000 µs.`,
    `- **A page** loads ${size('a page that evaluates')} KB to evaluate orders, and ${size('with the client')} KB if it also sends them.`,
    `- **A slow phone** (slow 4G, processor 4 times slower) shows a cart's first total after ${seconds('this package')} s: zod and decimal.js ${seconds('A')}, ajv and big.js ${seconds('B')}, valibot and big.js ${seconds('E')}. A page that [loads the package after the first paint](../guides/react.md#load-the-core-after-the-first-paint) shows the cart sooner.`,
    `- **A night's export**: \`check\` of 50,000 orders takes ${ofFiles('CSV')} times the processor time of a script with csv-parse, zod and decimal.js, and ${ofFiles('NDJSON')} times for NDJSON. \`createOrders\` sends ${rounded(figureOf('P7 `createOrders`, orders/s', 'orders/s'))} orders a second, ${figureOf('P7 `createOrders`, orders/s', '÷ bare fetch').toFixed(2)} times as many as a bare loop of \`fetch\`. The rest is the response time of the service.`,
    `- **Durable orders**: an outbox on SQLite stores ${rounded(ofOutbox('orders/s through `add`'))} orders a second. One on PostgreSQL stores and delivers ${rounded(ofOutbox('orders/s through PostgreSQL'))} a second, ${ofOutbox('orders through PostgreSQL, ÷ bare pg-boss').toFixed(1)} times as many as a loop of pg-boss.`,
    `- **An outage**: the outbox sends one probe after each pause, however many orders wait. In the first second after the outage it sends at most ${ofOutbox('requests in the first second after an outage, ÷ `concurrency`').toFixed(0)} × \`concurrency\` requests. If 8 % of the requests fail, ${(100 * ofOutbox('orders/s with 8 % faults, ÷ without')).toFixed(0)} % of the orders a second remain.`,
    '',
    `How many times as fast as other stacks this package checks an order of 1, 10 and 100 lines, totals it and writes its body (${place}). Below 1, the other is faster:`,
    '',
    row('Stack', 'KB', ...Object.keys(SIZES)),
    '|---|---:|---:|---:|---:|',
    row(
      'this package',
      size('a page that evaluates'),
      ...sizes.map((at) => `${figureOf(`${JOB}, µs`, at).toFixed(0)} µs`),
    ),
    ...Object.entries(STACKS).map(([stack, name]) =>
      row(name, size(stack), ...sizes.map((at) => (1 / figureOf(`${JOB} ÷ ${stack}`, at)).toFixed(1))),
    ),
    '',
    `Measured on ${machine}.`,
  ].join('\n');
}

/** @param {(path: string) => string} read */
export function firstPaintText(read) {
  const { chromium } = figuresOf(read);
  const [cart, total, both] = ['first paint, before loading', 'loaded after the first paint', 'this package'].map(
    (at) => secondsOf(chromium, at),
  );
  return `On a slow phone (slow 4G, processor 4 times slower), the cart then shows after ${cart} s and its total after ${total} s. With the package in the first script, both show after ${both} s.`;
}

/** Returns the figures of Node, those of Chromium, and the machine. */
function figuresOf(read) {
  const { columns, machine } = JSON.parse(read('benches/figures.json'));
  const [node, chromium] = [columns[0], columns.at(-1)].map(({ place, figures }) => ({
    place,
    figureOf: (row, at) => figureIn(place, figures, row, at),
  }));
  return { ...node, chromium, machine };
}

function secondsOf({ figureOf }, at) {
  return (figureOf('P12 slow phone, first total', at) / 1000).toFixed(2);
}

export function figureIn(place, figures, row, at) {
  const figure = figures.find((each) => each.row === row && each.at === at);
  if (!figure) throw new Error(`benches/figures.json lacks ${row}, ${at}, in ${place}: run \`make bench\``);
  return figure.value;
}

function row(...cells) {
  return `| ${cells.join(' | ')} |`;
}

/** Rounds to two digits: others depend on the machine. */
function rounded(value) {
  return Number(value.toPrecision(2)).toLocaleString('en');
}
