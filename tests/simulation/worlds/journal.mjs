/**
 * `send` of the command line: it is killed, started again with the same file and journal, and orders of the file are
 * corrected.
 */
import fc from 'fast-check';
import { figuresOf, orderOf, plannedOrder, setUpOf } from './orders.mjs';
import { endOf, shared } from '../simulator/plan.mjs';
import { Service, TOKEN_MS } from '../simulator/service.mjs';
import { MOST_EVENTS, Process, Scheduler } from '../simulator/time.mjs';
import { gateHook, watchedClient } from '../simulator/watched-client.mjs';

const BASE_URL = 'https://service.example/intake';
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
  const scheduler = new Scheduler(plan.seed);
  const history = [];
  const record = (event) => void history.push({ at: Math.round(scheduler.now), ...event });
  const orders = plan.orders.map((order, n) => plannedOrder(order, n, system));
  const service = new Service(scheduler, { ...plan, ...setUpOf(orders, system) }, record);
  const disk = await system.openDisk('sqlite', scheduler);
  const program = new Program({ plan, system, scheduler, record, service, disk, orders });
  program.start();
  for (const { atMs, ...how } of plan.ends) scheduler.at(atMs, null, () => program.end(how));
  // Without an order that is created, those that are refused by 403 or 404 wait in the journal (D51).
  const mustEnd = orders.every(({ nature }) => nature === 'good');
  const isDone = await scheduler.run(
    endOf(plan) + (mustEnd ? PATIENCE_MS : (plan.patienceMs ?? AGAIN_MS)),
    () => program.isDone,
  );
  if (!isDone && mustEnd) record({ what: 'never stopped' });
  if (scheduler.events > MOST_EVENTS) record({ what: 'busy', events: scheduler.events });
  await disk.close();
  const figures = figuresOf(orders.length, history, service, scheduler);
  return { plan: { ...plan, suspectMs: system.SUSPECT_MS }, orders, history, figures };
}

class Program {
  isDone = false;
  #world;
  #process;
  #delivery;
  #starts = 0;

  constructor(world) {
    this.#world = world;
  }

  start() {
    const { scheduler, record, disk } = this.#world;
    const process = new Process(`0.${++this.#starts}`, scheduler);
    process.onDeath = (downMs) => {
      disk.crash(process);
      record({ what: 'killed', process: process.name });
      scheduler.in(downMs, null, () => this.start());
    };
    this.#process = process;
    record({ what: 'started', process: process.name });
    void this.#run(process);
  }

  end({ how, downMs }) {
    const { scheduler, record } = this.#world;
    const process = this.#process;
    if (!process.isAlive) return;
    if (how === 'kill') process.die(downMs);
    else if (how === 'kill at a statement') process.statementsLeft = Math.floor(scheduler.between(0, 12));
    else if (how === 'freeze') {
      process.frozenUntil = Math.max(process.frozenUntil, scheduler.now + downMs);
      record({ what: 'frozen', process: process.name });
    } else scheduler.in(0, process, () => this.#delivery?.end('interrupted'));
  }

  async #run(process) {
    const { plan, scheduler } = this.#world;
    const note = (event) => process.isAlive && this.#world.record({ process: process.name, ...event });
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
    this.isDone = ending === 'settled' && this.#starts >= Math.max(1, ...plan.corrections.map(({ start }) => start));
    if (!this.isDone) scheduler.in(AGAIN_MS, null, () => this.start());
  }

  async #deliver(process, note) {
    const { plan, system, service, disk } = this.#world;
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
    const client = system.createClientOn(platform, {
      ...{ baseUrl: BASE_URL, token: service.tokenOf(process), fetch: service.fetchOf(process) },
      headers: service.headersOf(),
      ...{ timeoutMs: plan.timeoutMs, tokenTimeoutMs: TOKEN_MS, retry: plan.retry },
    });
    const watched = watchedClient(client, (request) =>
      note({ what: 'attempt', orderId: request.orderId, location: JSON.parse(request.body).EntityId }),
    );
    const outbox = system.createOutboxOn(platform, {
      ...{ client: watched, store, concurrency: plan.concurrency, retry: plan.retry, keepCreatedMs: CENTURY_MS },
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
    const { plan, system, orders } = this.#world;
    const isCorrected = (n) => plan.corrections.some(({ order, start }) => order === n && start <= this.#starts);
    for (const { n, orderId, location, json, body } of orders) {
      const its = isCorrected(n) ? orderOf(n, location, 3) : json;
      note({ what: 'add', orderId, body: its === json ? body : system.prepareRequest(its).body });
      const start = { line: n + 1, column: 1 };
      yield { file: 'orders.ndjson', json: JSON.stringify(its), key: `${n}`, idSource: null, start, fileIssues: [] };
    }
  }
}
