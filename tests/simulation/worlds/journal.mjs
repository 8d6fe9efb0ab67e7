/**
 * `send` of the command line: it is killed, started again with the same file and journal, and orders of the file are
 * corrected.
 */
import fc from 'fast-check';
import { figuresOf, orderOf } from './orders.mjs';
import { BASE_URL, gateHook, Program, watchedClient, worldOf } from './program.mjs';
import { endOf, shared } from '../simulator/plan.mjs';

const PATIENCE_MS = 4 * 3_600_000;
/** Between two starts, if a run has ended before all orders were settled. */
const AGAIN_MS = 60_000;
const CENTURY_MS = 36_525 * 86_400_000;

/** Plans for `send` of the command line, which is started again with its journal until every order is settled. */
export const journalPlan = fc.record({
  ...shared,
  store: fc.constant('sqlite'),
  workers: fc.constant(1),
  troubles: fc.constant([]),
  /** The orders that somebody corrects in the file, and after which start. */
  corrections: fc.array(fc.record({ order: fc.nat(13), start: fc.integer({ min: 2, max: 4 }) }), { maxLength: 3 }),
});

/** Runs a plan. Returns what happened, in order, and what a run consists of. */
export async function simulateJournal(plan, system) {
  const world = worldOf(plan, system);
  const { scheduler, history, record, orders, service } = world;
  const disk = await system.openDisk('sqlite', scheduler);
  const program = new Send({ ...world, disk });
  program.start();
  for (const { atMs, ...how } of plan.ends) scheduler.at(atMs, null, () => program.end(how));
  // Without an order that is created, those that are refused by 403 or 404 wait in the journal (D51).
  const mustEnd = orders.every(({ nature }) => nature === 'good');
  const isDone = await scheduler.run(
    endOf(plan) + (mustEnd ? PATIENCE_MS : (plan.patienceMs ?? AGAIN_MS)),
    () => program.isDone,
  );
  if (!isDone && mustEnd) record({ what: 'never stopped' });
  if (scheduler.isBusy) record({ what: 'busy', events: scheduler.events });
  await disk.close();
  const figures = figuresOf(orders.length, history, service, scheduler);
  return { plan: { ...plan, suspectMs: system.SUSPECT_MS }, orders, history, figures };
}

class Send extends Program {
  isDone = false;
  #delivery;

  stop() {
    this.world.scheduler.in(0, this.process, () => this.#delivery?.end('interrupted'));
  }

  async run(process, note) {
    const { plan, scheduler } = this.world;
    let ending = 'failed';
    try {
      ending = await this.#deliver(process, note);
    } catch (error) {
      if (process.isAlive && !/killed/.test(error.message)) note({ what: 'threw', error: `${error.stack}` });
    }
    if (!process.isAlive) return;
    note({ what: 'stopped', ending });
    process.kill();
    // Somebody may correct the file until the last of the plan's starts.
    this.isDone = ending === 'settled' && this.starts >= Math.max(1, ...plan.corrections.map(({ start }) => start));
    if (!this.isDone) scheduler.in(AGAIN_MS, null, () => this.start());
  }

  async #deliver(process, note) {
    const { plan, system, disk } = this.world;
    const { platform } = process;
    const store = disk.open(process, { isInTrouble: () => false, isSilent: () => false });
    const tables = new system.SendTables(store.connection, { platform });
    const report = (order) => {
      const { orderId, state, outcome, reason, alreadyThere } = order;
      note({ what: 'sent', orderId, state, outcome, reason, alreadyThere });
    };
    const outputs = { report: { add() {} }, onSettled: report, urlOf: () => BASE_URL };
    const delivery = new system.Delivery(outputs, true, platform);
    this.#delivery = delivery;
    const outbox = system.createOutboxOn(platform, {
      ...{
        client: watchedClient(this.clientOf(process), note),
        store,
        concurrency: plan.concurrency,
        retry: plan.retry,
        keepCreatedMs: CENTURY_MS,
      },
      suspectMs: system.SUSPECT_MS,
      onSettled: delivery.settled,
      hooks: { onResult: delivery.attempted, onGate: gateHook(note) },
    });
    await delivery.run(this.#file(note), { outbox, tables }, {});
    await outbox.stop();
    const { ending } = delivery;
    if (delivery.failure !== undefined) note({ what: 'failed', reason: delivery.failure.name });
    if (ending === 'settled' && delivery.unsettled > 0)
      note({ what: 'threw', error: 'settled, with orders that are not' });
    return ending;
  }

  /** The file, as it is at this start. */
  async *#file(note) {
    const { plan, system, orders } = this.world;
    const isCorrected = (n) => plan.corrections.some(({ order, start }) => order === n && start <= this.starts);
    for (const { n, orderId, location, json, body } of orders) {
      const its = isCorrected(n) ? orderOf(n, location, 3) : json;
      note({ what: 'add', orderId, body: its === json ? body : system.prepareRequest(its).body });
      const start = { line: n + 1, column: 1 };
      yield { file: 'orders.ndjson', json: JSON.stringify(its), key: `${n}`, idSource: null, start, fileIssues: [] };
    }
  }
}
