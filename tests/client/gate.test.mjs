/**
 * Tests the gate alone, on a clock that the test advances: how many attempts may run, pauses, probes, and the start
 * after an outage (D52).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { handClock } from '../hand-clock.mjs';
import { installedFile } from '../node/installed.mjs';

const { Gate } = await import(pathToFileURL(installedFile('dist/esm/internals.js')).href);

const BOUNDS = { baseMs: 1000, capMs: 8000, concurrency: 8, leastGroups: 1 };
/** The part of a pause that passes with the clock's random number, 0.5: a pause is random in its upper half. */
const PART = 0.75;

/** @param {any[]} first */
function gateOn(clock, bounds = {}, ...first) {
  return new Gate(clock.platform, { ...BOUNDS, ...bounds }, ...first);
}

/** Starts as many attempts as the gate permits; returns their turns. */
function fill(gate) {
  const turns = [];
  while (gate.room > 0) turns.push(gate.enter());
  return turns;
}

/** Ends an attempt that has started. */
const succeed = (gate, turn) => {
  gate.leave();
  gate.succeeded(turn);
};
const fail = (gate, turn, order = `order ${turn}`, group = '') => {
  gate.leave();
  return gate.failed(turn, order, group);
};

/** Closes a gate with failed probes; returns how long each pause was. */
async function failedProbes(gate, clock, count) {
  const pauses = [];
  for (let n = 0; n < count; n++) {
    pauses.push(gate.pauseMs);
    await clock.advance(gate.pauseMs);
    fail(gate, gate.enter());
  }
  return pauses;
}

const closedGate = (clock, bounds) => {
  const gate = gateOn(clock, bounds);
  gate.close(gate.enter());
  gate.leave();
  return gate;
};

test('a gate starts with four attempts, or with the concurrency if that is lower, or with another number', () => {
  const clock = handClock();
  assert.equal(fill(gateOn(clock)).length, 4);
  assert.equal(fill(gateOn(clock, { concurrency: 3 })).length, 3);
  assert.equal(fill(gateOn(clock, {}, 8)).length, 8);
});

test('an attempt that started after the halving halves again', () => {
  const gate = gateOn(handClock(), {}, 8);
  const [first, second] = [gate.enter(), gate.enter()];
  fail(gate, first);
  const later = gate.enter();
  fail(gate, second);
  assert.equal(gate.limit, 4);
  fail(gate, later);
  assert.equal(gate.limit, 2);
});

test('five orders that fail in a row close the gate; a success in between starts the count again', () => {
  const gate = gateOn(handClock());
  const closed = [];
  for (let n = 0; n < 4; n++) closed.push(fail(gate, gate.enter()));
  succeed(gate, gate.enter());
  for (let n = 0; n < 5; n++) closed.push(fail(gate, gate.enter()));
  assert.deepEqual(closed, [...new Array(8).fill(false), true]);
  // The first probe may start at once.
  assert.ok(!gate.isOpen && gate.pauseMs === 0);
  gate.leave();
});

test('one order that fails five times does not close the gate', () => {
  const gate = gateOn(handClock());
  for (let n = 0; n < 20; n++) assert.equal(fail(gate, gate.enter(), 'the same order'), false);
  assert.ok(gate.isOpen);
});

test('orders of fewer groups than needed do not close the gate; one more group does', () => {
  const gate = gateOn(handClock(), { leastGroups: 2 });
  for (let n = 0; n < 20; n++) assert.equal(fail(gate, gate.enter(), `order ${n}`, 'north'), false);
  assert.equal(fail(gate, gate.enter(), 'another', 'south'), true);
});

test('with infinite groups, failures never close the gate, but a Retry-After does', () => {
  const gate = gateOn(handClock(), { leastGroups: Number.POSITIVE_INFINITY });
  for (let n = 0; n < 50; n++) fail(gate, gate.enter(), `order ${n}`, `group ${n}`);
  assert.ok(gate.isOpen);
  gate.close(gate.enter(), { askedMs: 3000 });
  assert.ok(gate.isClosed);
});

test('the first probe starts at once; then pauses double with each failed probe, from a quarter of baseMs up to capMs', async () => {
  const clock = handClock();
  const pauses = await failedProbes(closedGate(clock), clock, 8);
  assert.deepEqual(
    pauses,
    [0, 250, 500, 1000, 2000, 4000, 8000, 8000].map((ms) => PART * ms),
  );
});

test('if it is certain that nothing can succeed, the first pause is baseMs', async () => {
  const clock = handClock();
  const gate = gateOn(clock);
  const pauses = [];
  for (let n = 0; n < 4; n++) {
    gate.close(gate.enter(), { isCertain: true });
    gate.leave();
    pauses.push(gate.pauseMs);
    assert.equal(gate.isOpen, false);
    await clock.advance(gate.pauseMs);
    assert.equal(gate.room, 1);
  }
  assert.deepEqual(pauses, [750, 1500, 3000, 6000]);
});

test('a probe that takes longer than five baseMs gets another one beside it', async () => {
  const clock = handClock();
  const gate = closedGate(clock);
  await clock.advance(gate.pauseMs);
  gate.enter();
  assert.equal(gate.waitMs, 5000);
  await clock.advance(4999);
  assert.equal(gate.room, 0);
  await clock.advance(1);
  const second = gate.enter();
  assert.equal(gate.room, 0);
  succeed(gate, second);
  assert.ok(gate.isOpen);
});

test('after one short pause the number is half of what it was, and one more for the probe', async () => {
  const clock = handClock();
  const gate = gateOn(clock, {}, 8);
  gate.close(gate.enter(), { askedMs: 2000 });
  gate.leave();
  await clock.advance(gate.pauseMs);
  succeed(gate, gate.enter());
  assert.equal(gate.limit, 5);
  assert.equal(fill(gate).length, 5);
});

test('after an outage the number grows from one, and at most 2 × concurrency attempts start in the first baseMs', async () => {
  const clock = handClock();
  const gate = closedGate(clock);
  await failedProbes(gate, clock, 3);
  await clock.advance(gate.pauseMs);
  const reopenedAt = clock.platform.now();
  let started = 0;
  const limits = [];
  for (let n = 0; n < 100 && gate.room > 0; n++) {
    started++;
    succeed(gate, gate.enter());
    limits.push(gate.limit);
  }
  assert.equal(started, 2 * BOUNDS.concurrency);
  assert.deepEqual(limits.slice(0, 4), [2, 3, 4, 5]);
  assert.equal(gate.waitMs, BOUNDS.baseMs);
  await clock.advance(BOUNDS.baseMs - 1);
  assert.equal(gate.room, 0);
  await clock.advance(1);
  assert.equal(clock.platform.now(), reopenedAt + BOUNDS.baseMs);
  assert.equal(fill(gate).length, BOUNDS.concurrency);
});

test('a start after an outage is paced only once', async () => {
  const clock = handClock();
  const gate = closedGate(clock);
  await failedProbes(gate, clock, 2);
  await clock.advance(gate.pauseMs);
  succeed(gate, gate.enter());
  await clock.advance(BOUNDS.baseMs);
  for (let n = 0; n < 100; n++) succeed(gate, gate.enter());
  assert.equal(gate.room, BOUNDS.concurrency);
});

test('an attempt that started before the pause proves nothing: it neither opens the gate nor makes the pause longer', async () => {
  const clock = handClock();
  const gate = gateOn(clock);
  const [first, second, third, fourth] = fill(gate);
  assert.equal(gate.close(first, { isCertain: true }), true);
  gate.leave();
  const { pauseMs } = gate;
  assert.equal(fail(gate, second), false);
  assert.equal(gate.close(third), false);
  gate.leave();
  succeed(gate, fourth);
  assert.deepEqual([gate.pauseMs, gate.isOpen, gate.limit], [pauseMs, false, 1]);
  assert.ok([first, second, third, fourth].every((turn) => gate.isStale(turn)));
  await clock.advance(pauseMs);
  const probe = gate.enter();
  assert.equal(gate.isStale(probe), false);
  fail(gate, probe);
  assert.equal(gate.pauseMs, PART * 250);
});

test('a Retry-After of an attempt that started before the pause makes the pause longer, never shorter', async () => {
  const clock = handClock();
  const gate = gateOn(clock);
  const [first, second, third, fourth] = fill(gate);
  gate.close(first, { askedMs: 10_000 });
  gate.close(second, { askedMs: 30_000 });
  assert.equal(gate.pauseMs, 30_500);
  gate.close(third, { askedMs: 5000 });
  assert.equal(gate.pauseMs, 30_500);
  await clock.advance(30_500);
  // The pause is over: what it has to report is old.
  gate.close(fourth, { askedMs: 60_000 });
  assert.equal(gate.isClosed, false);
});

test('a gate is idle if it holds nothing back and remembers nothing', async () => {
  const clock = handClock();
  const gate = gateOn(clock, { concurrency: 2 });
  assert.ok(gate.isIdle);
  const turn = gate.enter();
  assert.ok(!gate.isIdle);
  fail(gate, turn);
  assert.ok(!gate.isIdle);
  succeed(gate, gate.enter());
  assert.ok(gate.isIdle);
  gate.close(gate.enter());
  gate.leave();
  await clock.advance(gate.pauseMs);
  assert.ok(!gate.isIdle);
});

// ---------------------------------------------------------------- long pauses

const MINUTE = 60_000;
/** The part of `baseMs` that is added to a pause of less than a minute that the service asks for. */
const JITTER = 500;

/** Creates a gate whose service has just asked for a pause. */
const askedGate = (clock, askedMs, bounds) => {
  const gate = gateOn(clock, bounds);
  gate.close(gate.enter(), { askedMs });
  gate.leave();
  return gate;
};

test('during a pause of an hour one attempt a minute may start, however it ends, until one succeeds', async () => {
  const clock = handClock();
  const gate = askedGate(clock, 60 * MINUTE);
  assert.deepEqual(await failedProbes(gate, clock, 3), [MINUTE, MINUTE, MINUTE]);
  assert.equal(gate.pauseMs, MINUTE);
  await clock.advance(gate.pauseMs);
  succeed(gate, gate.enter());
  assert.ok(gate.isOpen && gate.askedMs === 0);
});

test('a probe whose result is about another gate is the only one in its minute', async () => {
  const clock = handClock();
  const gate = askedGate(clock, 60 * MINUTE);
  await clock.advance(gate.pauseMs);
  gate.enter();
  gate.leave();
  assert.deepEqual([gate.room, gate.waitMs], [0, MINUTE]);
});

test('beside a probe without a response another one starts after a minute, not after some seconds', async () => {
  const clock = handClock();
  const gate = askedGate(clock, 60 * MINUTE);
  await clock.advance(gate.pauseMs);
  gate.enter();
  assert.equal(gate.room, 0);
  await clock.advance(MINUTE - 1);
  assert.equal(gate.room, 0);
  await clock.advance(1);
  assert.equal(gate.room, 1);
});

test('a pause of less than a minute is kept as it is, and afterwards probes are as after any other', async () => {
  const clock = handClock();
  const gate = askedGate(clock, 5000);
  assert.equal(gate.pauseMs, 5000 + JITTER);
  await clock.advance(gate.pauseMs);
  fail(gate, gate.enter());
  assert.ok(gate.pauseMs < 5000, `${gate.pauseMs} ms`);
});

test('attempts that started before a long pause do not put off the probe', async () => {
  const clock = handClock();
  const gate = gateOn(clock);
  const [first, second] = [gate.enter(), gate.enter()];
  gate.close(first, { askedMs: 60 * MINUTE });
  gate.leave();
  await clock.advance(50_000);
  gate.close(second, { askedMs: 60 * MINUTE });
  gate.leave();
  assert.ok(gate.pauseMs <= 10_000, `${gate.pauseMs} ms`);
});

test('an attempt that started before a pause that is over asks for nothing any more', async () => {
  const clock = handClock();
  const gate = gateOn(clock);
  const [first, second] = [gate.enter(), gate.enter()];
  gate.close(first, { askedMs: 1000 });
  gate.leave();
  await clock.advance(gate.pauseMs);
  succeed(gate, gate.enter());
  gate.leave();
  assert.equal(gate.close(second, { askedMs: 60 * MINUTE }), false);
  assert.deepEqual([gate.isOpen, gate.askedMs, gate.isClosed], [true, 0, false]);
});
