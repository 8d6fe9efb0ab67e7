/** The entry `sales-order-intake/client`, with the core as a part of the program. */
import * as client from '../../www/client/index.js';
import { withCore } from '../src/module.js';
import { coreSource } from './core-source.js';

export * from '../../www/client/index.js';
export const createClient = /* @__PURE__ */ withCore(coreSource, client.createClient);
