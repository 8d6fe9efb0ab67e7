import { builtinModule } from './builtin-module.js';

/** The members that the objects of every tracing channel have: nothing personal, and no token (D45). */
interface Traced {
  /** Runs the operation. A subscriber of its start may replace this, to have a context of its own active meanwhile. */
  run<Value>(work: () => Value): Value;
  /** Why it failed, without the message: a service may have written it. */
  error?: { name: string; status: number | null | undefined; outcome: string | undefined };
}

/** Published to `sales-order-intake:order`: one call of createOrder, or one order of createOrders. */
export interface OrderTrace extends Traced {
  /** The Id of the order; null if it is not valid. */
  orderId: string | null;
  /** The result, from the end on; undefined after an error. */
  result?: {
    /** The status of the response. */
    status: number;
    /** Whether the service had the order before this call (D53). */
    alreadyThere: boolean;
  };
}

/** Published to `sales-order-intake:attempt`: one HTTP request. */
export interface AttemptTrace extends Traced {
  /** The Id of the order. */
  orderId: string;
  /** Always `PUT`. */
  method: 'PUT';
  /** Where the request goes. */
  url: string;
  /** Counts the requests of a call of createOrder, from 1. */
  attempt: number;
  /** A subscriber of the start adds headers here, but not Authorization, Accept and Content-Type. */
  headers: Record<string, string>;
  /** The result, from the end on; undefined after an error. */
  result?: {
    /** The status of the response. */
    status: number;
  };
}

/** Published to `sales-order-intake:add`: one call of `add` or `replace`. */
export interface AddTrace extends Traced {
  /** The function that was called. */
  method: 'add' | 'replace';
  /** The Id of the order; null if it is not valid. */
  orderId: string | null;
  /** A subscriber of the start writes a string here, and finds it in each delivery. */
  context: string | null;
  /** The result, from the end on; undefined after an error. */
  result?: {
    /** The state of the entry. */
    state: string;
  };
}

/** Published to `sales-order-intake:delivery`: one attempt of an entry, and the call of its handler. */
export interface DeliveryTrace extends Traced {
  /** The Id of the order. */
  orderId: string;
  /** The company of the order. */
  companyId: number;
  /** The location of the order. */
  entityId: number;
  /** The string that a subscriber of {@link AddTrace} has written; null if none has. */
  context: string | null;
  /** The result, from the end on; null if another process has the entry by now. */
  result?: {
    /** The state of the entry. */
    state: string;
    /** What is known about the order. */
    outcome: string;
    /** The number of attempts. */
    attempts: number;
    /** Milliseconds since the order was added. */
    ageMs: number;
  } | null;
}

/** The traces by channel. `start` is the start of an outbox, and of all that it does between deliveries. */
export type Traces = {
  order: OrderTrace;
  attempt: AttemptTrace;
  add: AddTrace;
  delivery: DeliveryTrace;
  start: Traced;
};
export type Trace<Name extends keyof Traces> = Traces[Name];
type Members<Name extends keyof Traces> = Omit<Traces[Name], keyof Traced>;

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
type Channel = { hasSubscribers: unknown; publish(trace: object): void; runStores<V>(trace: object, work: () => V): V };
type Listening = Record<'subscribe' | 'unsubscribe', (subscribers: object) => void>;
/** A TracingChannel of node:diagnostics_channel. */
export type TracingChannel = Record<(typeof EVENTS)[number], Channel> & Listening;
type DiagnosticsChannels = { tracingChannel?(name: string): TracingChannel };

/** Returns a channel, or undefined on a platform without. */
export function tracingChannel(name: keyof Traces): TracingChannel | undefined {
  const channels = builtinModule<DiagnosticsChannels>('node:diagnostics_channel');
  return channels?.tracingChannel?.(`sales-order-intake:${name}`);
}

/** Returns true if anybody listens; otherwise no trace is made. In workerd, `hasSubscribers` is a function. */
export function isTraced(channel: TracingChannel | undefined): channel is TracingChannel {
  for (const event of EVENTS) {
    const part = channel?.[event];
    if (typeof part?.hasSubscribers === 'function' ? part.hasSubscribers() : part?.hasSubscribers) return true;
  }
  return false;
}

/** Publishes the start of an operation, and runs it as its subscribers want it to run. */
export function begun<Value>(channel: TracingChannel, trace: Trace<'start'>, work: () => Value): Value {
  return channel.start.runStores(trace, () => {
    const value = trace.run(work);
    channel.end.publish(trace);
    return value;
  });
}

/** Publishes an operation like `tracePromise` of Node, but with a description of its result, which may be personal. */
export async function traced<Name extends keyof Traces, Value>(
  channel: TracingChannel,
  members: Members<Name>,
  work: (trace: Trace<Name>) => Promise<Value>,
  describe: (value: Value) => Partial<Trace<Name>>,
): Promise<Value> {
  const trace = { ...members, run: (run) => run() } as Trace<Name>;
  try {
    const value = await begun(channel, trace, () => work(trace));
    Object.assign(trace, describe(value));
    return value;
  } catch (error) {
    trace.error = traceError(error);
    throw error;
  } finally {
    if (trace.error) channel.error.publish(trace);
    channel.asyncStart.publish(trace);
    channel.asyncEnd.publish(trace);
  }
}

/** Describes what an operation threw, or returned as its failure. */
export function traceError(error: unknown): NonNullable<Trace<'start'>['error']> {
  const { name = 'Error', status, outcome } = Object(error) as Partial<ReturnType<typeof traceError>>;
  return { name, status, outcome };
}
