/** A shop with an outbox: processes that accept orders, deliver them, and end at any time; and people who change entries. */
import { figuresOf, orderOf } from './orders.mjs';
import { PERSON } from '../past.mjs';
import { gateHook, Program, watchedClient, worldOf } from './program.mjs';
import { endOf } from '../simulator/plan.mjs';
import { STORE_MS } from '../simulator/stores.mjs';
import { isDuring } from '../simulator/time.mjs';

/**
 * How long after the last fault everything must be settled: a Retry-After, the longest pause and a clock that was set
 * back.
 */
const PATIENCE_MS = 4 * 3_600_000;
/**
 * How often orders are created after the end, so that a suspect one is settled; and again after processes that are
 * late, and when an hour has passed by which a clock was set back.
 */
const PROOFS = 7;
const AGAIN_MS = 3_700_000;
const LOCATIONS = [1, 2, 3];
const STOP_MS = 600_000;
/** A call of the outbox asks the store a few times; each has its limit (D59), and retryAll asks for each page of entries. */
const CALLS = 3;
const CALLS_OF_ALL = 20;
const LOOK_MS = 5000;
const KEPT = { invalid: 'keep' };
const SLACK_MS = 5000;

/**
 * Runs a plan. Returns what happened, in order; the entries at the end; and what a run consists of.
 *
 * @param {any} plan of plan.mjs
 * @param {any} system the functions of sources.mjs
 */
export async function simulateOutbox(plan, system) {
  const end = endOf(plan);
  const usual = { nature: 'good', isThere: 'no', via: 'add', changes: [] };
  const burst = Array.from({ length: plan.burst }, (_, index) => ({
    ...{ ...usual, location: LOCATIONS[index % LOCATIONS.length], atMs: 1000 + 10 * index },
  }));
  // A suspect order is sent again between two of them, and their span is long enough (D51).
  const stepMs = Math.max(0.27 * plan.suspectMs, 2 * plan.retry.capMs);
  const againMs = plan.patienceMs ? plan.patienceMs / 2 : AGAIN_MS;
  const proofs = [0, againMs].flatMap((laterMs) =>
    Array.from({ length: PROOFS * LOCATIONS.length }, (_, index) => {
      const atMs = end + 1000 + laterMs + Math.floor(index / LOCATIONS.length) * stepMs;
      return { ...usual, location: LOCATIONS[index % LOCATIONS.length], atMs, isProof: true };
    }),
  );
  const run = worldOf(plan, system, [...plan.orders, ...burst, ...proofs]);
  const { scheduler, history, record, orders, service } = run;
  const disk = await system.openDisk(plan.store, scheduler);
  const world = { ...run, disk };
  const workers = Array.from({ length: plan.workers }, (_, index) => new Worker(world, index));
  for (const worker of workers) worker.start();
  for (const { worker, atMs, ...how } of plan.ends) {
    scheduler.at(atMs, null, () => workers[worker % workers.length].end(how));
  }
  for (const { worker, atMs, byMs } of plan.jumps) {
    scheduler.at(atMs, null, () => workers[worker % workers.length].jump(byMs));
  }
  if (plan.putBack) {
    const { atMs, backMs, downMs } = plan.putBack;
    scheduler.at(Math.max(0, atMs - backMs), null, () => {
      // What is in an open transaction of the shop is in no backup.
      disk.crash();
      workers[0].process?.die(0);
      disk.copy();
      record({ what: 'copied' });
    });
    scheduler.at(atMs + 1, null, () => {
      workers[0].process?.die(downMs);
      disk.putBack();
      record({ what: 'put back' });
    });
  }
  const shop = new Shop(world, workers);
  let isOver = false;
  for (const order of orders) scheduler.at(order.atMs, null, () => isOver || void shop.sell(order));

  const look = async () => {
    const entries = await disk.entries();
    const isHanded = ({ noticeAt }) => noticeAt === null || plan.handler === 'none';
    const isOpen = (entry) => ['waiting', 'sending'].includes(entry.state) || !isHanded(entry);
    if (shop.open === 0 && !entries.some(isOpen)) isOver = true;
    else scheduler.in(LOOK_MS, null, () => void look());
  };
  scheduler.at(end + 1001, null, () => void look());
  await scheduler.run(end + (plan.patienceMs ?? PATIENCE_MS), () => isOver);
  if (shop.open > 0) record({ what: 'never returned', calls: shop.open });
  if (scheduler.isBusy) record({ what: 'busy', events: scheduler.events });
  let stopping = workers.length;
  for (const worker of workers) worker.close(undefined, () => stopping--);
  const hasStopped = await scheduler.run(scheduler.now + STOP_MS, () => stopping === 0);
  if (!hasStopped && !scheduler.isBusy) record({ what: 'never stopped' });
  const entries = await Promise.all(
    (await disk.entries()).map(async (entry) => {
      return { ...entry, past: system.historyOf(await disk.history(entry.orderId)) };
    }),
  );
  await disk.close();
  const sold = history.filter(({ what }) => what === 'added').length;
  const figures = figuresOf(sold, history, service, scheduler);
  return { plan, orders, history, entries, figures };
}

/** One of the shop's processes, and those that are started after it has ended. */
class Worker extends Program {
  outbox;
  store;
  #skewMs;
  #isEnding = false;
  /** How long it is frozen once an attempt is in flight; 0 if it is not to be. */
  #freezeMs = 0;

  constructor(world, index) {
    super(world, index);
    this.#skewMs = world.plan.clocks?.[index].byMs ?? 0;
  }

  get canServe() {
    const { process } = this;
    return process?.isAlive && !this.#isEnding && process.frozenUntil <= this.world.scheduler.now;
  }

  run(process, note) {
    const { scheduler, disk, plan } = this.world;
    process.skewMs = this.#skewMs;
    process.driftMs = plan.clocks?.[this.index].driftMs ?? 0;
    this.#isEnding = false;
    const isInTrouble = () => isDuring(plan.troubles, scheduler.now) && scheduler.random() < 0.5;
    const isSilent = () => isDuring(plan.silences, scheduler.now) && scheduler.random() < 0.5;
    try {
      this.store = disk.open(process, { isInTrouble, isSilent });
      this.outbox = this.#outboxOf(process, note).start();
    } catch (error) {
      if (error.name === 'OptionError') throw error;
      // It died while it started, or there was no room on the disk.
      process.die();
    }
  }

  note(event) {
    const { name, isAlive } = this.process ?? {};
    if (isAlive) this.world.record({ process: name, ...event });
  }

  #outboxOf(process, note) {
    const { plan, system, scheduler } = this.world;
    const { concurrency, deadlineMs, suspectMs, retry } = plan;
    const watched = watchedClient(this.clientOf(process), note, () => {
      const ms = this.#freezeMs;
      this.#freezeMs = 0;
      if (ms > 0) scheduler.in(scheduler.between(0, 300), process, () => this.freeze(process, ms));
    });
    const hooks = {
      onGate: gateHook(note),
      onResult: ({ orderId, state, outcome, reason, status, isSuspect, durationMs }) => {
        const startedAt = Math.round(scheduler.now - durationMs);
        note({ what: 'result', orderId, state, outcome, reason, status, isSuspect, startedAt });
      },
      onError: ({ operation, reason }) => note({ what: 'error', operation, reason }),
    };
    const times = { deadlineMs, suspectMs, retry, handlerTimeoutMs: 5000 };
    const settings = { client: watched, store: this.store, concurrency, ...times, hooks };
    const onSettled = plan.handler === 'none' ? undefined : this.#handler(process, note);
    return system.createOutboxOn(process.platform, onSettled ? { ...settings, onSettled } : settings);
  }

  #handler(process, note) {
    const { plan, scheduler } = this.world;
    return async ({ orderId, state, outcome, reason, alreadyThere }) => {
      note({ what: 'handed', orderId, state, outcome, reason, alreadyThere });
      await scheduler.pause(scheduler.between(0, 20), process);
      if (plan.handler === 'fails' && scheduler.random() < 0.2) throw new Error('the handler failed');
      if (plan.handler === 'hangs' && scheduler.random() < 0.1) await new Promise(() => {});
    };
  }

  end({ how, downMs }) {
    if (this.#isEnding) return;
    if (how === 'freeze in flight') this.#freezeMs = downMs;
    else super.end({ how, downMs });
  }

  stop(downMs) {
    this.close(downMs, () => this.world.scheduler.in(downMs, null, () => this.start()));
  }

  /** Stops the outbox as a program does that ends; calls back once it has stopped, or has died meanwhile. */
  close(timeoutMs, onEnd) {
    const { process, outbox } = this;
    if (!process?.isAlive) return void onEnd();
    // A frozen process hears of it later.
    this.#isEnding = true;
    this.world.scheduler.in(0, process, async () => {
      this.note({ what: 'stops', timeoutMs });
      try {
        await outbox.stop(timeoutMs === undefined ? {} : { timeoutMs });
      } catch (error) {
        // The store did not close.
        if (error.reason !== 'store') this.note({ what: 'threw', error: `${error.stack}` });
      }
      if (!process.isAlive) return;
      this.note({ what: 'stopped' });
      process.kill();
      this.world.disk.crash(process);
    });
    return void process.ended.then(onEnd);
  }

  jump(byMs) {
    this.#skewMs += byMs;
    if (this.process) this.process.skewMs = this.#skewMs;
    this.world.record({ what: 'clock set', worker: this.index, byMs });
  }
}

/** Adds orders until they are accepted, and changes entries. */
class Shop {
  /** Orders that are not accepted yet, and calls that have not returned. */
  open = 0;
  #world;
  #workers;

  constructor(world, workers) {
    this.#world = world;
    this.#workers = workers;
  }

  async sell(order) {
    const { scheduler, system } = this.#world;
    this.open++;
    await this.#until('add', (worker) => this.#add(worker, order));
    this.open--;
    for (const { afterMs, action } of order.changes) {
      scheduler.in(afterMs, null, async () => {
        this.open++;
        await this.#until(action, (worker) => this.#change(worker, order, action, system));
        this.open--;
      });
    }
  }

  /** Calls a worker that is up, and another time if it ended meanwhile or its store failed. */
  async #until(name, call) {
    const { scheduler } = this.#world;
    for (;;) {
      const up = this.#workers.filter(({ canServe }) => canServe);
      const worker = up[Math.floor(scheduler.random() * up.length)];
      if (worker) {
        const { process } = worker;
        const cancel = this.#limit(worker, process, name);
        const isDone = await Promise.race([call(worker).catch((error) => this.#failed(worker, error)), process.ended]);
        cancel();
        if (isDone && process.isAlive) return;
      }
      await scheduler.pause(scheduler.between(100, 1000), null);
    }
  }

  /** Records that a call has not ended within its limit, counted from when its process is not frozen. Returns what cancels this. */
  #limit(worker, process, name) {
    const { scheduler } = this.#world;
    const ms = SLACK_MS + STORE_MS * (name === 'retryAll' ? CALLS_OF_ALL : CALLS);
    const calledAt = scheduler.now;
    let isOver = false;
    const look = () => {
      const leftMs = Math.max(calledAt, process.frozenUntil) + ms - scheduler.now;
      if (leftMs > 0) scheduler.in(leftMs, process, look);
      else if (!isOver) worker.note({ what: 'late', call: name, ms });
    };
    scheduler.in(ms, process, look);
    return () => {
      isOver = true;
    };
  }

  /** Returns false if the call must be repeated. */
  #failed(worker, error) {
    if (['store', 'stopped'].includes(error.reason) || error.code === 'EIO') return false;
    // A transaction is open on the connection.
    if (error.name === 'OptionError') return false;
    if (/killed|locked|disk/.test(error.message) || error.errcode) return false;
    worker.note({ what: 'threw', error: `${error.stack}` });
    return true;
  }

  async #add(worker, { orderId, json, body, via }) {
    const { connection } = worker.store;
    if (connection && via !== 'add') return this.#addInTransaction(worker, connection, { orderId, json, body, via });
    worker.note({ what: 'add', orderId, body });
    const { state } = await worker.outbox.add(json, KEPT);
    worker.note({ what: 'added', orderId, body, state });
    return true;
  }

  async #addInTransaction(worker, connection, { orderId, json, body, via }) {
    const { scheduler } = this.#world;
    const { process } = worker;
    while (connection.isTransaction) await scheduler.pause(5, process);
    connection.exec('BEGIN');
    worker.note({ what: 'add', orderId, body, via });
    try {
      const adding = worker.outbox.add(json, { ...KEPT, transaction: connection });
      const { state } = await adding;
      await scheduler.pause(scheduler.between(0, 50), process);
      connection.exec(via === 'rolled back' ? 'ROLLBACK' : 'COMMIT');
      worker.note(via === 'rolled back' ? { what: 'rolled back', orderId } : { what: 'added', orderId, body, state });
      return true;
    } catch (error) {
      if (process.isAlive && connection.isTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  }

  async #change(worker, { orderId, json, body, n, location }, action, system) {
    const { outbox } = worker;
    const note = (event) => worker.note({ orderId, ...event });
    if (action === 'settled') {
      note({ what: 'settled?' });
      const entry = await outbox.settled(orderId, { timeoutMs: 2000 });
      const { state = null, outcome, reason } = entry ?? {};
      note({ what: 'settled', state, outcome, reason });
      return true;
    }
    const other = orderOf(n, location, 3);
    const by = { by: PERSON };
    // If the store fails, nobody knows whether the other order was written.
    const otherBody = system.prepareRequest(other).body;
    note({ what: action, ...(['replace', 'other'].includes(action) && { body: otherBody }) });
    try {
      if (action === 'again') await outbox.add(JSON.parse(JSON.stringify(json)), KEPT);
      else if (action === 'other') await outbox.add(other);
      else if (action === 'retryAll') note({ what: 'retried', count: await outbox.retryAll({ state: 'stalled' }, by) });
      else if (action === 'replace') await outbox.replace(other, by);
      else note({ what: `${action} done`, outcome: (await outbox[action](orderId, by)).outcome });
      if (action === 'replace') note({ what: 'replaced', body: otherBody });
      if (action === 'other') note({ what: 'added', body: otherBody });
      if (action === 'again') note({ what: 'added', body });
    } catch (error) {
      if (!['wrong-state', 'not-found', 'duplicate'].includes(error.reason)) throw error;
      note({ what: `${action} refused`, reason: error.reason });
    }
    return true;
  }
}
