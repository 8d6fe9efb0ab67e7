/** What is simulated, and how often of all runs. */
import { simulateBatch } from './batch.mjs';
import { simulateJournal } from './journal.mjs';
import { simulateOutbox } from './outbox.mjs';
import { batchPlan, journalPlan, outboxPlan, postgresPlan } from '../simulator/plan.mjs';

/** @type {Record<string, { weight: number, plan: import('fast-check').Arbitrary<any>, simulate: (plan: any, system: any) => Promise<any> }>} */
export const WORLDS = {
  'outbox in memory': { weight: 3, plan: outboxPlan('memory'), simulate: simulateOutbox },
  'outbox on SQLite': { weight: 2, plan: outboxPlan('sqlite'), simulate: simulateOutbox },
  // Slow, and needs packages that not everybody has installed: only if it is named.
  'outbox on PostgreSQL': { weight: 0, plan: postgresPlan, simulate: simulateOutbox },
  'send of the command line': { weight: 1, plan: journalPlan, simulate: simulateJournal },
  createOrders: { weight: 3, plan: batchPlan, simulate: simulateBatch },
};
