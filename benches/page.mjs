/** What Chromium runs: the same jobs, and the same sending to the server that the page comes from. */
import { liveEdits, newIds, perLine, wholeOrders } from './jobs.mjs';
import { sending } from './send.mjs';

globalThis.measure = { wholeOrders, perLine, liveEdits, newIds, sending: () => sending(location.origin, 300) };
