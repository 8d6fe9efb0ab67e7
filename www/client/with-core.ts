/** The entry `sales-order-intake/client`, with the core as a part of the program. */
import * as client from './index.js';
import { withCore } from '../../pkg-template/src/loader.js';
import { coreSource, fatesSource } from '../../pkg-template/src/core-source.js';

export * from './index.js';
export const createClient = /* @__PURE__ */ withCore(coreSource, client.createClient, fatesSource);
