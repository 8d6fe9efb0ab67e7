/** What tests and benchmarks use of the inner parts. Not an entry: `exports` has no path to it. */
export { isBrowser } from '../../www/client/browser.js';
export { createClientOn } from '../../www/client/client.js';
export { createOutboxOn } from '../../outbox/outbox.js';
export { batcher } from '../../outbox/postgres/batcher.js';
export { Suspects } from '../../outbox/suspects.js';
export { platform } from '../../www/platform/platform.js';
export { Gate } from '../../www/sending/gate.js';
export { encodeOptions, orderJson } from '../src/json.js';
export { call } from '../src/loader.js';
export { fateWithoutResponse, isSameOrder, orderFate } from '../src/order-fate.js';
