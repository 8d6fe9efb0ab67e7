/** The jobs in Chromium: the same ones, and sending to the server of the page. */
import { liveEdits, newIds, perLine, realisticMix, wholeOrders } from './jobs.mjs';
import { sending } from './send.mjs';

globalThis.measure = {
  wholeOrders,
  realisticMix,
  perLine,
  liveEdits,
  newIds,
  sending: () => sending(location.origin, 100),
};
