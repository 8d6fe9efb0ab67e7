/** The worlds that are simulated, and the share of each in all runs. */
import { batchPlan, simulateBatch } from './batch.mjs';
import { journalPlan, simulateJournal } from './journal.mjs';
import { simulateOutbox } from './outbox.mjs';
import { outboxPlan, restoredPlan } from '../simulator/plan.mjs';

/**
 * Each process counts suspect responses for itself: with several of them, an order for which they never end is not
 * settled.
 */
const settling =
  ({ workers }) =>
  (order) =>
    workers > 1 && /40[34]$/.test(order.nature) ? { ...order, nature: '422' } : order;

/** Shorter plans for several processes on PostgreSQL, which takes some thousand times as long as memory. */
const postgresPlan = outboxPlan('postgres', 5).map((plan) => {
  const isSoon = ({ atMs = 0, fromMs = atMs }) => fromMs < 30_000;
  const short = (each) => ({ ...each, ms: Math.min(each.ms ?? 0, 20_000) });
  // Its statements are the server's. A process that is frozen for longer than a heartbeat has lost its jobs when it goes on.
  const frozen = (each) =>
    each.how.includes(' ') ? { ...each, how: 'freeze in flight', downMs: each.downMs + 12_000 } : each;
  return {
    ...plan,
    // Each process asks the database once a second.
    patienceMs: 1_800_000,
    retry: { baseMs: 100, capMs: 5000 },
    timeoutMs: 2000,
    suspectMs: 20_000,
    // Ten minutes of 409 would take longer than all the rest.
    hasReplays: true,
    headerFailures: plan.headerFailures.filter(isSoon).map(short),
    orders: plan.orders.filter((each, index) => index === 0 || isSoon(each)).map(settling(plan)),
    outages: plan.outages.filter(isSoon).map(short),
    ends: plan.ends.filter(isSoon).map(frozen),
    burst: 0,
    troubles: plan.troubles.filter(isSoon).map(short),
  };
});

/** @type {Record<string, { weight: number, plan: import('fast-check').Arbitrary<any>, simulate: (plan: any, system: any) => Promise<any> }>} */
export const WORLDS = {
  'outbox in memory': { weight: 3, plan: outboxPlan('memory'), simulate: simulateOutbox },
  'outbox on SQLite': { weight: 2, plan: outboxPlan('sqlite'), simulate: simulateOutbox },
  'an outbox that is restored': { weight: 1, plan: restoredPlan, simulate: simulateOutbox },
  // Slow, and needs packages that not everybody has installed: only if it is named.
  'outbox on PostgreSQL': { weight: 0, plan: postgresPlan, simulate: simulateOutbox },
  'send of the command line': { weight: 1, plan: journalPlan, simulate: simulateJournal },
  createOrders: { weight: 3, plan: batchPlan, simulate: simulateBatch },
};

/** The worlds that need nothing but Node. */
export const USUAL = Object.keys(WORLDS).filter((name) => WORLDS[name].weight > 0);
