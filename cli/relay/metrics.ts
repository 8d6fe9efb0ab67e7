import type { OutboxCounts, Pause } from 'sales-order-intake/outbox';

const STATES = ['waiting', 'sending', 'created', 'refused', 'stalled', 'cancelled', 'invalid'] as const;
/** The media type of `/metrics`. */
export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

type Labels = Record<string, string | number>;

/** Counts what the relay does, and prints it in the text format of OpenMetrics, which Prometheus reads. */
export class Metrics {
  readonly #counters = {
    requests: new Map<string, number>(),
    attempts: new Map<string, number>(),
    notifications: new Map<string, number>(),
    errors: new Map([['', 0]]),
  };

  /** The values of labels are names and numbers of this package, never a path: none has a quote. */
  count(counter: 'requests' | 'attempts' | 'notifications' | 'errors', labels: Labels = {}): void {
    const counts = this.#counters[counter];
    const key = labelled(labels);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  /** Returns all metrics. `pause` is why deliveries are held back: all of them, or those to a location. */
  text({ oldestWaitingMs, ...counts }: OutboxCounts, pause: Pause | null, notifyPause: string | null): string {
    const { requests, attempts, errors, notifications } = this.#counters;
    const states = STATES.map((state) => [labelled({ state }), counts[state]] as const);
    const families = [
      family('requests', 'counter', 'Responses, by route and status', requests),
      family('attempts', 'counter', 'Attempts to send an order, by its state after that', attempts),
      family('notifications', 'counter', 'Requests to the shop, by status, 0 without a response', notifications),
      family('errors', 'counter', 'Failures of the store, repeated by the relay', errors),
      family('orders', 'gauge', 'Orders in the outbox, by state', states),
      family('oldest_seconds', 'gauge', 'Age of the oldest unsettled order', [['', (oldestWaitingMs ?? 0) / 1000]]),
      family('paused', 'gauge', '1 while deliveries are held back, all or those to a location', [
        [labelled({ cause: pause?.cause ?? '' }), pause ? 1 : 0],
      ]),
      family('notify_paused', 'gauge', '1 while no orders are posted to the shop', [
        [labelled({ cause: notifyPause ?? '' }), notifyPause ? 1 : 0],
      ]),
      family('memory_bytes', 'gauge', 'Resident memory of the process', [['', process.memoryUsage.rss()]]),
    ];
    return `${families.join('')}# EOF\n`;
  }
}

function family(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: Iterable<readonly [labels: string, value: number]>,
): string {
  const full = `sales_order_relay_${name}`;
  const sampleName = type === 'counter' ? `${full}_total` : full;
  const lines = [...samples].map(([labels, value]) => `${sampleName}${labels} ${value}\n`);
  return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${lines.join('')}`;
}

function labelled(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return pairs.length > 0 ? `{${pairs.join()}}` : '';
}
