/** The entry `sales-order-intake/outbox`, with the core as a part of the program. */
import * as outbox from '../../outbox/index.js';
import { withCore } from '../src/module.js';
import { coreSource } from './core-source.js';

export * from '../../outbox/index.js';
export const createOutbox = /* @__PURE__ */ withCore(coreSource, outbox.createOutbox);
