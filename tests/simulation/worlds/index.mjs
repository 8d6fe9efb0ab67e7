/** What is simulated, and how often of all runs. */
import { simulateBatch } from './batch.mjs';
import { simulateOutbox } from './outbox.mjs';
import { batchPlan, outboxPlan } from '../simulator/plan.mjs';

export const WORLDS = {
  'outbox in memory': { weight: 3, plan: outboxPlan('memory'), simulate: simulateOutbox },
  'outbox on SQLite': { weight: 2, plan: outboxPlan('sqlite'), simulate: simulateOutbox },
  createOrders: { weight: 3, plan: batchPlan, simulate: simulateBatch },
};
