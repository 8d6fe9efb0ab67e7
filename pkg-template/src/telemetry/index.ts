import * as otel from '@opentelemetry/api';
import { tracingChannel, type Trace, type Traces } from '../platform/tracing-channel.js';
import { deliveryRecorder, observeOutbox, type ObservedOutbox } from './metrics.js';
export type { ObservedOutbox };

declare const PACKAGE_VERSION: string;
type Spanned = Exclude<keyof Traces, 'start'>;
type SpanStart = [name: string, options: otel.SpanOptions, parent?: otel.Context];

/** The start of each span: the conventions for HTTP clients and messaging, and attributes of this package. */
const SPANS: { readonly [Name in Spanned]: (trace: Traces[Name]) => SpanStart } = {
  order: ({ orderId }) => ['createOrder', { attributes: { 'sales_order_intake.order_id': orderId ?? undefined } }],
  attempt({ orderId, method, url, attempt }) {
    const { hostname, port, protocol, pathname } = new URL(url);
    const template = pathname.replace(orderId, '{orderId}');
    const attributes = {
      'http.request.method': method,
      'server.address': hostname.replace(/[[\]]/g, ''),
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'url.full': url,
      'url.template': template,
      'http.request.resend_count': attempt > 1 ? attempt - 1 : undefined,
    };
    return [`${method} ${template}`, { kind: otel.SpanKind.CLIENT, attributes }];
  },
  add({ method, orderId }) {
    return [`${method} order`, { kind: otel.SpanKind.PRODUCER, attributes: messaging(method, 'send', orderId) }];
  },
  delivery({ orderId, companyId, entityId, context }) {
    const attributes = {
      ...messaging('deliver', 'process', orderId),
      'sales_order_intake.company_id': companyId,
      'sales_order_intake.entity_id': entityId,
    };
    // A trace of its own: the order may have been added days ago.
    return ['deliver order', { kind: otel.SpanKind.CONSUMER, attributes, links: linksTo(context) }, otel.ROOT_CONTEXT];
  },
};

function messaging(operation: string, type: string, orderId: string | null): otel.Attributes {
  return {
    'messaging.system': 'sales-order-intake',
    'messaging.destination.name': 'order',
    'messaging.operation.name': operation,
    'messaging.operation.type': type,
    'sales_order_intake.order_id': orderId ?? undefined,
  };
}

/** Returns the attributes that are known at the end of an operation. */
function endOf({ url, result, error }: Pick<Trace<Spanned>, 'result' | 'error'> & { url?: string }): otel.Attributes {
  const { status, state, outcome, attempts, alreadyThere } = { ...error, ...result } as Record<string, string | number>;
  return {
    'http.response.status_code': (url && status) || undefined,
    'error.type': url && Number(status) >= 400 ? String(status) : error?.name,
    'sales_order_intake.state': state,
    'sales_order_intake.outcome': outcome,
    'sales_order_intake.attempts': attempts,
    'sales_order_intake.already_there': alreadyThere,
  };
}

/** Returns `traceparent` and `tracestate` as one string, to be stored with an entry; null if there is no trace. */
function textOf(active: otel.Context): string | null {
  const span = otel.trace.getSpanContext(active);
  if (!span || !otel.isSpanContextValid(span)) return null;
  return `00-${span.traceId}-${span.spanId}-0${(span.traceFlags & 15).toString(16)} ${span.traceState?.serialize() ?? ''}`.trimEnd();
}

const CONTEXT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2}) ?(.*)$/;
function linksTo(text: string | null): otel.Link[] {
  const [, traceId, spanId, flags, state = ''] = CONTEXT.exec(text ?? '') ?? [];
  if (!traceId || !spanId) return [];
  const traceFlags = Number.parseInt(flags as string, 16);
  return [{ context: { traceId, spanId, traceFlags, isRemote: true, traceState: otel.createTraceState(state) } }];
}

/** The key in a context in which no instrumentation creates spans; its description is that of @opentelemetry/core. */
const SUPPRESS_TRACING = otel.createContextKey('OpenTelemetry SDK Context Key SUPPRESS_TRACING');

function runIn(active: otel.Context, trace: Trace<'start'>): void {
  const { run } = trace;
  trace.run = (work) => run(() => otel.context.with(active, work));
}

/**
 * Creates spans for the operations of clients and outboxes: `createOrder` with a child for each request, `add order` and
 * `deliver order`, which are linked across processes and restarts. Adds `traceparent` to each request. Spans contain nothing
 * personal (D45).
 *
 * Fits into `registerInstrumentations` and `NodeSDK`; without them, call {@link enable}. Does nothing on platforms without tracing
 * channels, such as browsers. The guide on traces lists the attributes.
 *
 * @example
 * ```js
 * import { registerInstrumentations } from '@opentelemetry/instrumentation';
 * import { SalesOrderInstrumentation } from 'sales-order-intake/opentelemetry';
 *
 * registerInstrumentations({ instrumentations: [new SalesOrderInstrumentation()] });
 * ```
 */
export class SalesOrderInstrumentation {
  /** The name of the tracer. */
  readonly instrumentationName = 'sales-order-intake';
  /** The version of this package. */
  readonly instrumentationVersion: string = PACKAGE_VERSION;
  #provider: otel.TracerProvider | undefined;
  #meters: otel.MeterProvider | undefined;
  #record: ReturnType<typeof deliveryRecorder> | undefined;
  #ends: (() => void)[] = [];

  /** Creates spans for operations that start from now on, and measures deliveries. */
  enable(): void {
    if (this.#ends.length > 0) return;
    this.#span('order');
    this.#span('delivery');
    this.#span('add', (trace, active) => {
      trace.context = textOf(active);
      return active;
    });
    this.#span('attempt', (trace, active) => {
      otel.propagation.inject(active, trace.headers);
      // An instrumentation of fetch would create a second span, and add a second traceparent.
      return active.setValue(SUPPRESS_TRACING, true);
    });
    this.#measure();
    // Polls have no spans, and the work of an outbox does not belong to the trace in which it was started.
    const silence = otel.ROOT_CONTEXT.setValue(SUPPRESS_TRACING, true);
    this.#listen('start', { start: (trace: Trace<'start'>) => runIn(silence, trace) });
  }

  /** Creates no further spans. Those of operations that have started are not ended. */
  disable(): void {
    for (const end of this.#ends.splice(0)) end();
  }

  /** Creates further spans with this provider, instead of the global one. */
  setTracerProvider(provider: otel.TracerProvider): void {
    this.#provider = provider;
  }

  /** Reports further metrics to this provider, instead of the global one. Call it before {@link observe}. */
  setMeterProvider(provider: otel.MeterProvider): void {
    this.#meters = provider;
    this.#record = undefined;
  }

  /**
   * Reports what is in an outbox, whenever metrics are collected: entries by state, the age of the oldest that waits, and pauses by
   * cause. It reads `counts()` then. Durations of deliveries are reported without this. Names of metrics may change: those of the
   * conventions for messaging are not stable yet.
   *
   * @returns a function that ends this; call it before `outbox.stop()`.
   *
   * @example
   * ```js
   * import { createClient } from 'sales-order-intake/client';
   * import { SalesOrderInstrumentation } from 'sales-order-intake/opentelemetry';
   * import { createOutbox } from 'sales-order-intake/outbox';
   * import { sqliteStore } from 'sales-order-intake/outbox/sqlite';
   *
   * const instrumentation = new SalesOrderInstrumentation();
   * const client = createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token' });
   * const outbox = createOutbox({ client, store: sqliteStore(':memory:') });
   * const end = instrumentation.observe(outbox);
   * end();
   * await outbox.stop();
   * ```
   */
  observe(outbox: ObservedOutbox): () => void {
    return observeOutbox(this.#meter(), outbox);
  }

  /** Does nothing: there are no options. */
  setConfig(): void {}
  /** Returns whether spans are created. */
  getConfig(): { enabled: boolean } {
    return { enabled: this.#ends.length > 0 };
  }

  /** Creates a span for each operation, and runs the operation in a context derived from that of the span. */
  #span<Name extends Spanned>(name: Name, contextOf = (_: Trace<Name>, active: otel.Context) => active): void {
    const spans = new WeakMap<object, otel.Span>();
    this.#listen(name, {
      start: (trace: Trace<Name>) => {
        const tracer = (this.#provider ?? otel.trace).getTracer(this.instrumentationName, this.instrumentationVersion);
        const [title, options, parent = otel.context.active()] = SPANS[name](trace);
        const span = tracer.startSpan(title, options, parent);
        spans.set(trace, span);
        runIn(contextOf(trace, otel.trace.setSpan(parent, span)), trace);
      },
      asyncEnd: (trace: Trace<Name>) => {
        const span = spans.get(trace)?.setAttributes(endOf(trace));
        if (trace.error) span?.setStatus({ code: otel.SpanStatusCode.ERROR });
        span?.end();
      },
    });
  }

  #meter(): otel.Meter {
    return (this.#meters ?? otel.metrics).getMeter(this.instrumentationName, this.instrumentationVersion);
  }

  /** Records how long deliveries take. */
  #measure(): void {
    const starts = new WeakMap<object, number>();
    this.#listen('delivery', {
      start: (trace: Trace<'delivery'>) => starts.set(trace, performance.now()),
      asyncEnd: (trace: Trace<'delivery'>) => {
        // The global provider may be set after this was enabled.
        this.#record ??= deliveryRecorder(this.#meter());
        this.#record(trace, (performance.now() - (starts.get(trace) ?? performance.now())) / 1000);
      },
    });
  }

  #listen(name: keyof Traces, subscribers: object): void {
    const channel = tracingChannel(name);
    channel?.subscribe(subscribers);
    this.#ends.push(() => channel?.unsubscribe(subscribers));
  }
}
