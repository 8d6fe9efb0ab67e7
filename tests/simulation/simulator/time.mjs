/**
 * Time, order and chance, all from one seed. Everything that may happen is an event of a queue; the scheduler takes the
 * earliest, and by chance if several are due, and lets the promises settle before the next one. Processes are killed
 * and frozen between two events.
 */

/** 2026-01-01, the time of the service. The clocks of processes differ from it. */
const START = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** Returns a function that returns numbers from 0 to below 1 (mulberry32). */
export function chance(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export class Scheduler {
  now = 0;
  events = 0;
  random;
  /** Statements that a database is executing. */
  statements = 0;
  /** The earliest event is the last one. */
  #queue = [];
  #mostEvents;

  /** @param mostEvents More are a loop without an end. */
  constructor(seed, mostEvents) {
    this.random = chance(seed);
    this.#mostEvents = mostEvents;
  }

  get isBusy() {
    return this.events > this.#mostEvents;
  }

  /** Returns a number between two others. */
  between(least, most) {
    return least + this.random() * (most - least);
  }

  /** Calls back at a time, unless the process is dead by then; returns a function that cancels this. */
  at(time, process, run) {
    const event = { at: Math.max(time, this.now), tie: this.random(), process, run };
    this.#enqueue(event);
    return () => {
      event.run = undefined;
    };
  }

  in(ms, process, run) {
    return this.at(this.now + ms, process, run);
  }

  /** Returns a promise that resolves later, for a process that is alive then. */
  pause(ms, process) {
    return new Promise((resolve) => void this.in(ms, process, resolve));
  }

  /** Lets time pass until a condition holds; returns false if it does not before this time. */
  async run(until, isOver) {
    await this.#settled();
    while (!isOver()) {
      const event = this.#queue.pop();
      if (!event || event.at > until) return false;
      const { process } = event;
      if (!event.run || (process && !process.isAlive)) continue;
      this.now = event.at;
      if (process && process.frozenUntil > this.now) {
        event.at = process.frozenUntil;
        this.#enqueue(event);
        continue;
      }
      this.events++;
      if (this.isBusy) return false;
      event.run();
      await this.#settled();
    }
    return true;
  }

  #enqueue(event) {
    let [low, high] = [0, this.#queue.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#queue[middle];
      if (event.at < other.at || (event.at === other.at && event.tie < other.tie)) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, event);
  }

  /** Waits for all promises: they settle before the next turn of the event loop, but those of a server. */
  async #settled() {
    do await new Promise(setImmediate);
    while (this.statements > 0);
  }
}

/** A process of the shop, with clocks of its own. When it is killed, it does nothing more: what it waits for never comes. */
export class Process {
  isAlive = true;
  frozenUntil = 0;
  /** Milliseconds by which its wall clock differs, and by which it differs more each day. */
  skewMs = 0;
  driftMs = 0;
  /** How many statements it executes before it dies, if that is decided. */
  statementsLeft = Number.POSITIVE_INFINITY;
  /** Resolves when it has ended, in any way. */
  ended;
  /** Called when it dies. @type {(downMs: number) => void} */
  onDeath = () => {};
  platform;
  #end = () => {};

  constructor(name, scheduler) {
    this.name = name;
    this.ended = new Promise((resolve) => {
      this.#end = () => resolve(undefined);
    });
    const started = scheduler.now - scheduler.between(0, 5000);
    const { random } = scheduler;
    const hex = (digits) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');
    this.platform = {
      now: () => scheduler.now - started,
      date: () => Math.floor(START + scheduler.now * (1 + this.driftMs / DAY_MS) + this.skewMs),
      random,
      uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
      // Timers are never early, and sometimes late.
      after: (ms, callback) => scheduler.in(ms + (random() < 0.1 ? random() * 20 : 0), this, callback),
      soon: (callback) => void scheduler.in(0, this, callback),
    };
  }

  kill() {
    this.isAlive = false;
    this.#end();
  }

  /** Is killed, and is started again after some time. */
  die(downMs = 500) {
    if (!this.isAlive) return;
    this.kill();
    this.onDeath(downMs);
  }
}

/** The time of the service, which no jump changes. */
export const dateOf = (now) => START + Math.floor(now);

/** Returns true within one of these times. @param {{ fromMs: number, ms: number }[]} [times] */
export const isDuring = (times = [], now = 0) => times.some(({ fromMs, ms }) => now >= fromMs && now < fromMs + ms);
