/** The entry `sales-order-intake/testing`, with the core and the reference service as parts of the program. */
import * as testing from '../../testing/index.js';
import { withService } from '../../testing/rules.js';
import { withCore } from '../src/module.js';
import { coreSource } from './core-source.js';
import { serviceSource } from './service-source.js';

export * from '../../testing/index.js';
export const createTestService = /* @__PURE__ */ withService(
  serviceSource,
  /* @__PURE__ */ withCore(coreSource, testing.createTestService),
);
