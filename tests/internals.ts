/** What tests and benchmarks use of the inner parts. Not an entry: `exports` has no path to it. */
export { isBrowser } from '../www/client/browser.js';
export { createClientOn } from '../www/client/client.js';
export { createOutboxOn } from '../outbox/outbox.js';
export { Batches } from '../pkg-template/src/platform/batches.js';
export { Suspects } from '../outbox/repeated-responses.js';
export { platform } from '../pkg-template/src/platform/platform.js';
export { Gate } from '../pkg-template/src/sending/gate.js';
export { encodeOptions, orderJson } from '../pkg-template/src/json.js';
export { call } from '../pkg-template/src/loader.js';
export { fateWithoutResponse, isSameOrder, orderFate, startFates } from '../pkg-template/src/order-fate.js';
export { sendStoredOf } from '../pkg-template/src/sending/inner-client.js';
export { checkOptions } from '../pkg-template/src/core-response.js';
export { contentsOf, orderIdOf, orderRequest, placeOf } from '../pkg-template/src/sending/request.js';
