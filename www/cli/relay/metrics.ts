import type { OutboxCounts, ResultEvent } from 'sales-order-intake/outbox';

const STATES = ['waiting', 'sending', 'created', 'refused', 'stalled', 'cancelled'] as const;
/** Of the responses of `/metrics`. */
export const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

/** Counts what the relay does, and prints it in the text format of OpenMetrics, which Prometheus reads. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #attempts = new Map<string, number>();
  readonly #errors = new Map([['', 0]]);

  /** `route` is a name, never a path. */
  responded(route: string, status: number): void {
    count(this.#requests, `{route="${route}",status="${status}"}`);
  }

  attempted({ state, reason }: Pick<ResultEvent, 'state' | 'reason'>): void {
    count(this.#attempts, `{result="${state}",reason="${reason ?? ''}"}`);
  }

  failed(): void {
    count(this.#errors, '');
  }

  /** Prints all metrics. */
  text({ pause, oldestWaitingMs, ...counts }: OutboxCounts): string {
    const states = STATES.map((state) => [`{state="${state}"}`, counts[state]] as const);
    const families = [
      family('requests', 'counter', 'Responses, by route and status', this.#requests),
      family('attempts', 'counter', 'Attempts to send an order, by its state after that', this.#attempts),
      family('errors', 'counter', 'Failures of the store, repeated by the relay', this.#errors),
      family('orders', 'gauge', 'Orders in the outbox, by state', states),
      family('oldest_seconds', 'gauge', 'Age of the oldest unsettled order', [['', (oldestWaitingMs ?? 0) / 1000]]),
      family('paused', 'gauge', '1 while deliveries are held back', [
        [`{cause="${pause?.cause ?? ''}"}`, pause ? 1 : 0],
      ]),
      family('memory_bytes', 'gauge', 'Resident memory of the process', [['', process.memoryUsage.rss()]]),
    ];
    return `${families.join('')}# EOF\n`;
  }
}

/** The values of labels are names and numbers of this package: none has a quote. */
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

function count(counts: Map<string, number>, labels: string): void {
  counts.set(labels, (counts.get(labels) ?? 0) + 1);
}
