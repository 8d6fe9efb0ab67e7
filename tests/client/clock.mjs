/**
 * A clock for clients and servers of one process. Time passes only while nothing happens: a timer fires once no request is
 * under way, except those that a server holds on purpose. So a minute takes no time, and a slow machine makes no
 * attempt late.
 */
import { handClock } from '../hand-clock.mjs';

const clock = handClock();
let isRunning = false;
let requests = 0;
/** Counts what happens: timers that are set or cancelled, requests that begin or end. */
let events = 0;
const underWay = new Set();
const held = new Set();
let whenIdle = () => {};

export const platform = {
  ...clock.platform,
  after(ms, callback) {
    const cancel = clock.platform.after(ms, callback);
    events++;
    if (!isRunning) void run();
    return () => {
      events++;
      cancel();
    };
  },
};

/** Waits until everything has happened that needs neither time nor a socket. */
export const { settle } = clock;

/** Waits until `ms` have passed on this clock, and so until everything has happened that happens before. */
export function sleep(ms) {
  return new Promise((resolve) => platform.after(ms, () => resolve(undefined)));
}

/** The header by which a server knows the request that it holds. */
export const EXCHANGE = 'x-exchange';

/** Lets time pass although this request has no response. */
export function hold(exchange) {
  held.add(exchange);
  wake();
}

/** Stops the clock again until this request, which was held, has its response. */
export function release(exchange) {
  held.delete(exchange);
  events++;
}

/** Fetches, and stops the clock until the response has come and its body is read. */
export function fetch(url, init) {
  const exchange = String(++requests);
  const headers = { ...init.headers, [EXCHANGE]: exchange };
  return during(exchange, globalThis.fetch(url, { ...init, headers })).then((response) => watched(response, exchange));
}

/** Stops the clock while a fetch of the test has not responded. */
export function watching(fetch) {
  return (url, init) => {
    const exchange = String(++requests);
    init.signal?.addEventListener('abort', () => end(exchange));
    return during(exchange, fetch(url, init));
  };
}

async function run() {
  isRunning = true;
  while (clock.timers > 0) {
    await quiet();
    await clock.next();
  }
  isRunning = false;
}

/** Waits until no request is under way, and nothing has happened for some turns of the event loop. */
async function quiet() {
  for (let seen = -1; isBusy() || seen !== events; ) {
    if (isBusy())
      await new Promise((resolve) => {
        whenIdle = () => resolve(undefined);
      });
    seen = events;
    await settle();
  }
}

function isBusy() {
  return [...underWay].some((exchange) => !held.has(exchange));
}

async function during(exchange, promise) {
  underWay.add(exchange);
  events++;
  try {
    return await promise;
  } finally {
    end(exchange);
  }
}

function end(exchange) {
  underWay.delete(exchange);
  events++;
  wake();
}

function wake() {
  if (!isBusy()) whenIdle();
}

/** Makes the body of a response one that stops the clock while it is read. */
function watched(response, exchange) {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream({
    async pull(controller) {
      const { done, value } = await during(exchange, reader.read());
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return Object.defineProperty(response, 'body', { value: body });
}
