/** The entry `sales-order-intake/testing`, with the core as a part of the program. */
import * as testing from '../../www/testing/index.js';
import { withCore } from '../src/module.js';
import { coreSource } from './core-source.js';

export * from '../../www/testing/index.js';
export const createTestService = /* @__PURE__ */ withCore(coreSource, testing.createTestService);
