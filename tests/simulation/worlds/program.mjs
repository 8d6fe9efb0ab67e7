/** What the programs of all worlds share: the run, the client, and processes that end at any time and are started again. */
import { plannedOrder, setUpOf } from './orders.mjs';
import { Service, TOKEN_MS } from '../simulator/service.mjs';
import { Process, Scheduler } from '../simulator/time.mjs';

export const BASE_URL = 'https://service.example/intake';
const SEND_STORED = Symbol.for('sales-order-intake.send-stored');

/** Prepares the run of a plan: its time, its orders, and the service. */
export function worldOf(plan, system, planned = plan.orders) {
  // Forty more orders that are answered with 409 for half an hour take 250,000 events.
  const scheduler = new Scheduler(plan.seed, Math.min(150_000 + 10_000 * (plan.burst ?? 0), 600_000));
  const history = [];
  const record = (event) => void history.push({ at: Math.round(scheduler.now), ...event });
  const isInvalid = (n) => n < plan.orders.length && plan.invalid?.includes(n);
  const orders = planned.map((order, n) => plannedOrder(order, n, system, isInvalid(n)));
  const service = new Service(scheduler, { ...plan, ...setUpOf(orders, system) }, record);
  return { plan, system, scheduler, history, record, orders, service };
}

/** A program, of which one process runs at a time. */
export class Program {
  /** The last process that was started. */
  process;
  starts = 0;
  world;
  index;

  constructor(world, index = 0) {
    this.world = world;
    this.index = index;
  }

  start() {
    // It died while it was being stopped, and has been started since.
    if (this.process?.isAlive) return;
    const { scheduler, record, disk } = this.world;
    const process = new Process(`${this.index}.${++this.starts}`, scheduler);
    process.onDeath = (downMs) => {
      disk?.crash(process);
      record({ what: 'killed', process: process.name });
      scheduler.in(downMs, null, () => this.start());
    };
    this.process = process;
    record({ what: 'started', process: process.name });
    void this.run(process, (event) => process.isAlive && record({ process: process.name, ...event }));
  }

  /**
   * Runs in a new process.
   *
   * @param {Process} _process
   * @param {(event: any) => void} _note records an event of the process
   * @returns {void | Promise<void>}
   */
  run(_process, _note) {}

  /** Ends, or freezes, in the way that a plan says. */
  end({ how, downMs }) {
    const { scheduler, disk } = this.world;
    const { process } = this;
    if (!process?.isAlive) return;
    if (how === 'freeze') this.freeze(process, downMs);
    else if (how === 'kill at a statement' && disk) process.statementsLeft = Math.floor(scheduler.between(0, 12));
    else if (how === 'stop') this.stop(downMs);
    else process.die(downMs);
  }

  freeze(process, ms) {
    const { scheduler, record } = this.world;
    if (!process.isAlive) return;
    record({ what: 'frozen', process: process.name, ms });
    process.frozenUntil = Math.max(process.frozenUntil, scheduler.now + ms);
  }

  /** @param {number} [downMs] */
  stop(downMs) {
    this.process.die(downMs);
  }

  clientOf(process, options) {
    const { plan, system, service } = this.world;
    return system.createClientOn(process.platform, {
      ...{ baseUrl: BASE_URL, token: service.tokenOf(process), fetch: service.fetchOf(process) },
      ...{ headers: service.headersOf(), timeoutMs: plan.timeoutMs, tokenTimeoutMs: TOKEN_MS, retry: plan.retry },
      ...options,
    });
  }
}

/** Returns a client that records each attempt before it is made, also of a stored order, which the outbox sends as it is. */
export function watchedClient(client, note, onAttempt = () => {}) {
  const watched = (send) => (request, options) => {
    note({ what: 'attempt', orderId: request.orderId, location: JSON.parse(request.body).EntityId });
    onAttempt();
    return send(request, options);
  };
  const sendStored = watched(client.createOrder[SEND_STORED]);
  return { ...client, createOrder: Object.assign(watched(client.createOrder), { [SEND_STORED]: sendStored }) };
}

/** Returns the hook that records the gates of an outbox. */
export const gateHook =
  (note) =>
  ({ scope, entityId, isOpen, waitMs }) =>
    note({ what: 'gate', scope, location: entityId, isOpen, waitMs });
