/** What the subscribers of `sales-order-intake:order` and the other channels receive: nothing personal, and no token (D45). */
export interface Traces {
  /** One call of createOrder, or one order of createOrders. */
  order: { orderId: string | null; result?: { status: number; alreadyThere: boolean } };
  /** One request; `attempt` counts those of a call from 1. Subscribers of its start add `headers`. */
  attempt: RequestTrace & { headers: Record<string, string>; result?: { status: number } };
  /** One call of `add` or `replace`. A subscriber of its start writes `context`, and finds it in each delivery. */
  add: { method: 'add' | 'replace'; orderId: string | null; context: string | null; result?: { state: string } };
  /** One attempt of an entry, and the call of its handler; `result` is null if another process has the entry by now. */
  delivery: EntryTrace & { result?: { state: string; outcome: string; attempts: number } | null };
  /** The start of an outbox, and of all that it does between deliveries. */
  start: object;
}
type RequestTrace = { orderId: string; method: 'PUT'; url: string; attempt: number };
type EntryTrace = { orderId: string; companyId: number; entityId: number; context: string | null };

export type Trace<Name extends keyof Traces> = Traces[Name] & {
  /** Runs the operation. A subscriber of its start may replace this, to have a context of its own active meanwhile. */
  run<Value>(work: () => Value): Value;
  /** Why it failed, without the message: a service may have written it. */
  error?: { name: string; status: number | null | undefined; outcome: string | undefined };
};

const EVENTS = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;
type Channel = { hasSubscribers: unknown; publish(trace: object): void; runStores<V>(trace: object, work: () => V): V };
type Listening = Record<'subscribe' | 'unsubscribe', (subscribers: object) => void>;
/** A TracingChannel of node:diagnostics_channel. */
export type TracingChannel = Record<(typeof EVENTS)[number], Channel> & Listening;
type Process = { getBuiltinModule?(name: string): { tracingChannel?(name: string): TracingChannel } | undefined };

/** Returns a channel, or undefined on a platform without. Imports nothing, so that bundles for browsers can have it. */
export function tracingChannel(name: keyof Traces): TracingChannel | undefined {
  const { process } = globalThis as { process?: Process };
  return process?.getBuiltinModule?.('node:diagnostics_channel')?.tracingChannel?.(`sales-order-intake:${name}`);
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
  members: Traces[Name],
  work: (trace: Traces[Name]) => Promise<Value>,
  describe: (value: Value) => Partial<Trace<Name>>,
): Promise<Value> {
  const trace: Trace<Name> = { ...members, run: (run) => run() };
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
