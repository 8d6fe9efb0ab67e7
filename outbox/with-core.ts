/** The entry `sales-order-intake/outbox`, with the core as a part of the program. */
import * as outbox from './index.js';
import { withCore } from '../pkg-template/src/loader.js';
import { coreSource, fatesSource } from '../pkg-template/src/core-source.js';

export * from './index.js';
export const createOutbox = /* @__PURE__ */ withCore(coreSource, outbox.createOutbox, fatesSource);
