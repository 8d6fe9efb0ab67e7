import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/places.mjs';

const STACKS = ['A', 'A compiled', 'B', 'D', 'E'];

/**
 * Converts results to figures: `{ row, at, value, unit, least }`. A figure is good below its limit, or above it with `least`.
 * A figure without a unit is a ratio. The limits are in limits.json; other figures are shown for comparison.
 */
export function wholeOrderFigures(results) {
  const { issues, ...sizes } = results;
  const row = 'P1 order of 10 lines with 5 issues';
  const withIssues = stacksOf(issues).map((stack) => ({ row, at: `÷ ${stack}`, value: issues.ratio[stack] }));
  const times = timesOf('P1 verdict, totals and body, µs', sizes);
  return [...bySize('P1 verdict, totals and body', sizes), ...times, ...withIssues];
}

/** Returns the time of this package for each number of lines. */
function timesOf(row, sizes) {
  return Object.entries(sizes).map(([lines, { ms }]) => ({
    row,
    at: linesOf(lines),
    value: ms.own * 1000,
    unit: 'µs',
  }));
}

export function realisticMixFigures(results) {
  return bySize('P1b realistic mix', results);
}

/** Returns a row for each stack, with a figure for each number of lines. */
function bySize(job, sizes) {
  const results = Object.entries(sizes);
  return stacksOf(results[0][1]).flatMap((stack) =>
    results.map(([lines, { ratio }]) => ({
      row: `${job} ÷ ${stack}`,
      at: linesOf(lines),
      value: ratio[stack],
    })),
  );
}

function linesOf(lines) {
  return `${lines} ${lines === '1' ? 'line' : 'lines'}`;
}

/** Returns the stacks that were measured: some can't run without generated code. */
function stacksOf({ ratio }) {
  return STACKS.filter((stack) => stack in ratio);
}

/** Returns the cost of a line, which dominates from 1,000 lines on. */
export function perLineFigures({ ratio }) {
  return [{ row: 'P8 cost of a line', at: '10,000 lines ÷ 1,000', value: ratio[1000] / 10 }];
}

/** Returns the instructions of the core; none if they were not counted. */
export function instructionFigures(counted = {}) {
  const row = 'P1 instructions of the core, thousands';
  return Object.entries(counted).map(([kind, value]) => ({ row, at: `${kind}, 3 lines`, value: value / 1000 }));
}

export function liveEditFigures(sizes) {
  const row = 'P2 one line replaced';
  const ratios = Object.entries(sizes).map(([lines, { ratio }]) => ({
    row,
    at: `${linesOf(lines)} ÷ A`,
    value: ratio.A,
  }));
  return [...ratios, ...timesOf(`${row}, µs`, sizes)];
}

export function newIdFigures({ ratio }) {
  return [
    { row: 'P5 `newOrderId`', at: '÷ `crypto.randomUUID`', value: ratio.platform },
    { row: 'P5 `newOrderId`', at: '÷ npm `uuid`', value: ratio.uuid },
  ];
}

export function startFigures({ ratio }) {
  return [{ row: 'P4 fresh process to first verdict', at: '÷ A', value: ratio.A }];
}

export function sendingFigures({ perSecond, ratio }) {
  const row = 'P7 `createOrders`, orders/s';
  return [
    { row, at: '÷ bare fetch', value: ratio.fetch, least: true },
    { row, at: 'orders/s', value: perSecond.own, unit: '/s' },
  ];
}

export function sizeFigures({ own, client, A, B, D, E }) {
  const figure = (at, value) => ({ row: 'P3 shipped, KB brotli', at, value, unit: 'KB' });
  return [
    figure('a page that evaluates', own),
    figure('with the client', client),
    figure('A', A),
    figure('B', B),
    figure('D', D),
    figure('E', E),
  ];
}

export function loadFigures(ratio) {
  return [{ row: 'P6 durable orders/s', at: '÷ Fastify', value: ratio, least: true }];
}

export function outboxFigures({ adds, addsAtOnce, sqlite, postgres }) {
  const figure = (at, { ratio }) => ({ row: 'P9 outbox', at, value: ratio, least: true });
  return [
    figure('`add` one by one, ÷ bare SQLite insert', adds),
    figure('`add` by 16 callers, ÷ bare SQLite insert', addsAtOnce),
    figure('deliveries on SQLite, ÷ `createOrders`', sqlite),
    figure('orders through PostgreSQL, ÷ bare pg-boss', postgres),
    { row: 'P9 outbox', at: 'orders/s through `add`', value: addsAtOnce.own, unit: '/s' },
    { row: 'P9 outbox', at: 'orders/s through PostgreSQL', value: postgres.own, unit: '/s' },
  ];
}

/** The behaviour of the outbox when the service fails (D52). */
export function outageFigures({ faults8, faults30, firstSecond, outagePerPause, whileAsked }) {
  const row = 'P9 outbox';
  return [
    { row, at: 'orders/s with 8 % faults, ÷ without', value: faults8, least: true },
    { row, at: 'orders/s with 30 % faults, ÷ without', value: faults30, least: true },
    { row, at: 'requests in the first second after an outage, ÷ `concurrency`', value: firstSecond },
    { row, at: 'requests during an outage, ÷ pauses', value: outagePerPause },
    { row, at: 'requests within Retry-After', value: whileAsked },
  ];
}

/** The memory is the factor by which it grows from few orders to many. */
export function relayFigures({ ratio, memory }) {
  const row = 'P10 relay';
  return [
    { row, at: 'accepted orders/s, ÷ bare Fastify', value: ratio.bare, least: true },
    { row, at: 'accepted orders/s, ÷ bare Fastify with shared commits', value: ratio.together, least: true },
    { row, at: 'memory after 30,000 orders, ÷ after 5,000', value: memory.many / memory.few },
  ];
}

export function fileFigures({ csv, ndjson, lookups }) {
  const row = 'P11 `check` of 50,000 orders, ÷ a script';
  const looked = 'P11 CSV with look-ups of 100,000 rows, ÷ without';
  return [
    { row, at: 'CSV', value: csv.ratio },
    { row, at: 'NDJSON', value: ndjson.ratio },
    { row: looked, at: 'time', value: lookups.seconds / csv.own },
    { row: looked, at: 'memory', value: lookups.megabytes / csv.megabytes },
  ];
}

export function firstTotalFigures(pages) {
  const row = 'P12 slow phone, first total';
  const { own, afterPaint, ...peers } = pages;
  const figure = (at, value) => ({ row, at, value, unit: 'ms' });
  return [
    ...Object.entries(peers).map(([stack, { total }]) => ({ row, at: `÷ ${stack}`, value: own.total / total })),
    figure('this package', own.total),
    figure('loaded after the first paint', afterPaint.total),
    ...Object.entries(peers).map(([stack, { total }]) => figure(stack, total)),
    figure('first paint', own.paint),
    figure('first paint, before loading', afterPaint.paint),
  ];
}

/** @type {Record<string, number>} */
const LIMITS = JSON.parse(readFileSync(join(root, 'benches/limits.json'), 'utf8'));

/** Returns the limit of a figure, everywhere or in one place, beyond which the benchmark fails; undefined if it has none. */
export function limitOf(place, { row, at }) {
  const [name] = place.split(' ');
  return LIMITS[`${row}, ${at}, ${name}`] ?? LIMITS[`${row}, ${at}`] ?? LIMITS[row];
}

export function isBeyond({ value, least }, limit) {
  return least ? value < limit : value > limit;
}
