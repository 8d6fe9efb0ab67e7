/** A program that sends its orders by `createOrders`, and is started again until it has a final result for each. */
import fc from 'fast-check';
import { figuresOf } from './orders.mjs';
import { Program, worldOf } from './program.mjs';
import { endOf, shared } from '../simulator/plan.mjs';

const PATIENCE_MS = 4 * 3_600_000;
/** For how long the program sends an order again that gets a 409: longer than a request can be in progress. */
const CONFLICT_MS = 300_000;
/** Between two starts of the program. */
const AGAIN_MS = 20_000;

/** Plans for a program that sends its orders by `createOrders`, and starts again with those that have no final result. */
export const batchPlan = fc.record({ ...shared, maxRetries: fc.constantFrom(0, 3), workers: fc.constant(1) });

/** Runs a plan. Returns what happened, in order, and what a run consists of. */
export async function simulateBatch(plan, system) {
  const world = worldOf(plan, system);
  const { scheduler, history, record, orders, service } = world;
  const end = endOf(plan);
  const job = new Job(world);
  job.start();
  for (const { atMs, ...how } of plan.ends) scheduler.at(atMs, null, () => job.end(how));
  const isDone = await scheduler.run(end + PATIENCE_MS, () => job.isDone);
  if (!isDone) record({ what: 'never stopped' });
  const figures = figuresOf(orders.length, history, service, scheduler);
  return { plan, orders, history, figures };
}

class Job extends Program {
  isDone = false;
  /** The orders that were given to a program that has not reported a final result: their fate is unknown. */
  #begun = new Set();
  #settled = new Set();
  /** When each order first got a 409. */
  #conflicts = new Map();

  /** A 409 that stays is left to a person (D34). */
  #conflict(orderId) {
    const { now } = this.world.scheduler;
    const since = this.#conflicts.get(orderId) ?? now;
    this.#conflicts.set(orderId, since);
    if (now - since >= CONFLICT_MS) this.#settled.add(orderId);
  }

  async run(process, note) {
    const { plan, scheduler, orders } = this.world;
    let inFlight = 0;
    const onRequest = () => {
      if (++inFlight > plan.concurrency) note({ what: 'threw', error: `${inFlight} requests at the same time` });
    };
    const onEnd = () => inFlight--;
    const hooks = { onRequest, onResponse: onEnd, onError: onEnd };
    const client = this.clientOf(process, { hooks, maxRetries: plan.maxRetries });
    const left = orders.filter(({ orderId }) => !this.#settled.has(orderId));
    // A program that has begun with an order, and does not know what has become of it, must say so.
    for (const isBegun of [true, false]) {
      const its = left.filter(({ orderId }) => this.#begun.has(orderId) === isBegun);
      await this.#send(client, its, { isBegun, concurrency: plan.concurrency, note });
    }
    note({ what: 'stopped' });
    if (!process.isAlive) return;
    process.kill();
    this.isDone = this.#settled.size === orders.length;
    if (!this.isDone) scheduler.in(AGAIN_MS, null, () => this.start());
  }

  async #send(client, orders, { isBegun, concurrency, note }) {
    const source = orders.map(({ orderId, json, body }) => {
      note({ what: 'called', orderId, body });
      note({ what: 'add', orderId, body });
      this.#begun.add(orderId);
      return json;
    });
    const options = { concurrency, earlierAttempts: isBegun ? 'unknown' : 'none' };
    const results = new Set();
    try {
      for await (const { ok, orderId, created, error } of client.createOrders(source, options)) {
        if (results.has(orderId)) note({ what: 'threw', error: `${orderId} has two results` });
        results.add(orderId);
        if (ok) {
          const isDelivered = created.delivery === null;
          // It is about this call only: an earlier one may have sent the order.
          const alreadyThere = created.alreadyThere && !isBegun;
          note({ what: 'sent', orderId, outcome: isDelivered ? 'created' : 'unknown', alreadyThere });
          if (isDelivered) this.#settled.add(orderId);
        } else {
          const { name: reason, outcome, status, retryable } = error;
          note({ what: 'sent', orderId, outcome, reason, status });
          if (outcome === 'not-created') this.#begun.delete(orderId);
          if (retryable && reason === 'ConflictError') this.#conflict(orderId);
          if (!retryable && reason !== 'AuthenticationError' && reason !== 'UnexpectedResponseError')
            this.#settled.add(orderId);
        }
      }
      if (results.size < source.length) note({ what: 'threw', error: 'an order has no result' });
    } catch (error) {
      // A token that is refused ends the batch.
      if (error.name !== 'AuthenticationError') note({ what: 'threw', error: `${error.stack}` });
    }
  }
}
