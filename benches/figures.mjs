import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/places.mjs';

const STACKS = ['A', 'A compiled', 'B', 'D', 'E'];

/**
 * Converts results to figures: `{ row, at, value, unit, least }`. A ratio or a size is good below its goal, or above it with
 * `least`. Goals and limits are in limits.json; other rows are shown for comparison.
 */
export function wholeOrderFigures(results) {
  const { issues, ...sizes } = results;
  const row = 'P1 order of 10 lines with 5 issues';
  const withIssues = stacksOf(issues).map((stack) => ({ row, at: `÷ ${stack}`, value: issues.ratio[stack] }));
  return [...bySize('P1 verdict, totals and body', sizes), ...withIssues];
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

/** Returns the cost of a line, which dominates from 1,000 lines on, and the fixed cost. */
export function perLineFigures({ ms, ratio }) {
  return [
    { row: 'P8 cost of a line', at: '10,000 lines ÷ 1,000', value: ratio[1000] / 10 },
    { row: 'P8 order of 1 line, µs', at: 'fixed cost', value: ms[1] * 1000 },
  ];
}

/** Returns the instructions of the core; none if they were not counted. */
export function instructionFigures(counted = {}) {
  const row = 'P1 instructions of the core, thousands';
  return Object.entries(counted).map(([kind, value]) => ({ row, at: `${kind}, 3 lines`, value: value / 1000 }));
}

export function liveEditFigures(sizes) {
  const row = 'P2 one line replaced';
  return Object.entries(sizes).map(([lines, { ratio }]) => ({ row, at: `${linesOf(lines)} ÷ A`, value: ratio.A }));
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

export function sendingFigures({ ratio }) {
  return [{ row: 'P7 `createOrders`, orders/s', at: '÷ bare fetch', value: ratio.fetch, least: true }];
}

export function sizeFigures({ own, client, A, B, D, E }) {
  const figure = (at, value) => ({ row: 'P3 shipped, KB brotli', at, value, unit: 'KB' });
  return [
    figure('default entry', own),
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

/** The memory is the factor by which it grows from 10,000 orders to 100,000. */
export function relayFigures({ ratio, memory }) {
  const row = 'P10 relay';
  return [
    { row, at: 'accepted orders/s, ÷ bare Fastify', value: ratio.bare, least: true },
    { row, at: 'accepted orders/s, ÷ bare Fastify with shared commits', value: ratio.together, least: true },
    { row, at: 'memory after 30,000 orders, ÷ after 5,000', value: memory.many / memory.few },
  ];
}

const RULES = JSON.parse(readFileSync(join(root, 'benches/limits.json'), 'utf8'));

/** Returns the goal of a figure and the limit beyond which the benchmark fails, everywhere or in one place; undefined if it has none. */
export function ruleOf(place, { row, at }) {
  return RULES[`${row}, ${at}, ${nameOf(place)}`] ?? RULES[`${row}, ${at}`] ?? RULES[row];
}

/** Returns the name of a place without its version. */
export function nameOf(place) {
  return place.split(' ')[0];
}

export function isWorse({ value, least }, bound) {
  return least ? value < bound : value > bound;
}
