import type * as otel from '@opentelemetry/api';
import type { DeliveryTrace } from '../platform/tracing-channel.js';

const STATES = ['waiting', 'sending', 'created', 'refused', 'stalled', 'cancelled', 'invalid'] as const;

/** A pause of deliveries. */
interface Paused {
  /** Why, as one of the causes of {@link CAUSES}. */
  readonly pause: { readonly cause: string } | null;
}

/** The part of an outbox that metrics need. */
export interface ObservedOutbox {
  /** Counts what is in the outbox. */
  counts(): Promise<
    Readonly<Record<(typeof STATES)[number], number>> &
      Paused & { readonly oldestWaitingMs: number | null; readonly locations: readonly Paused[] }
  >;
}

const CAUSES = ['unreachable', 'token', 'retry-after', 'failures', 'suspect'] as const;
const DELIVERY = {
  'messaging.system': 'sales-order-intake',
  'messaging.destination.name': 'order',
  'messaging.operation.name': 'deliver',
};
/** Seconds: from a check-out that waits for its receipt to an outage of days. */
const CREATION_BOUNDARIES = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600, 21_600, 86_400, 259_200];
const DELIVERY_BOUNDARIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Returns a function that records the end of a delivery that has taken this many seconds. */
export function deliveryRecorder(meter: otel.Meter): (trace: DeliveryTrace, seconds: number) => void {
  const deliveries = meter.createHistogram('messaging.process.duration', {
    description: 'Attempts of entries, until the result is stored and the handler has returned',
    unit: 's',
    advice: { explicitBucketBoundaries: DELIVERY_BOUNDARIES },
  });
  const creations = meter.createHistogram('sales_order_intake.outbox.creation.duration', {
    description: 'From add to the creation of the order',
    unit: 's',
    advice: { explicitBucketBoundaries: CREATION_BOUNDARIES },
  });
  return ({ result, error }, seconds) => {
    // Without a result another process has the entry, and counts it.
    if (!result && !error) return;
    deliveries.record(seconds, {
      ...DELIVERY,
      'error.type': error?.name,
      'sales_order_intake.state': result?.state,
      'sales_order_intake.outcome': result?.outcome,
    });
    if (result?.state === 'created') creations.record(result.ageMs / 1000);
  };
}

/** Observes what is in an outbox whenever metrics are collected. Returns a function that ends this. */
export function observeOutbox(meter: otel.Meter, outbox: ObservedOutbox): () => void {
  const entries = meter.createObservableUpDownCounter('sales_order_intake.outbox.entries', {
    description: 'Entries in the outbox, by state',
    unit: '{entry}',
  });
  const oldest = meter.createObservableGauge('sales_order_intake.outbox.oldest_waiting', {
    description: 'Age of the oldest entry that is waiting or being sent; 0 if there is none',
    unit: 's',
  });
  const pauses = meter.createObservableUpDownCounter('sales_order_intake.outbox.pauses', {
    description: 'Pauses of deliveries, all of them or those to a location, by cause',
    unit: '{pause}',
  });
  const observables = [entries, oldest, pauses];
  const observe = async (result: otel.BatchObservableResult) => {
    const { oldestWaitingMs, pause, locations, ...counts } = await outbox.counts();
    for (const state of STATES) result.observe(entries, counts[state], { 'sales_order_intake.state': state });
    result.observe(oldest, (oldestWaitingMs ?? 0) / 1000);
    // While all deliveries are held back, each location has the same pause.
    const held = pause ? [pause] : locations.flatMap((location) => location.pause ?? []);
    for (const cause of CAUSES) {
      const number = held.filter((each) => each.cause === cause).length;
      result.observe(pauses, number, { 'sales_order_intake.pause.cause': cause });
    }
  };
  meter.addBatchObservableCallback(observe, observables);
  return () => meter.removeBatchObservableCallback(observe, observables);
}
