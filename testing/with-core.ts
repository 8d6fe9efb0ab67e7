/** The entry `sales-order-intake/testing`, with the core and the reference service as parts of the program. */
import * as testing from './index.js';
import { withService } from './rules.js';
import { withCore } from '../pkg-template/src/loader.js';
import { coreSource, fatesSource } from '../pkg-template/src/core-source.js';
import { serviceSource } from './service-source.js';

export * from './index.js';
export const createTestService = /* @__PURE__ */ withService(
  serviceSource,
  /* @__PURE__ */ withCore(coreSource, testing.createTestService, fatesSource),
);
