import { platform } from '../pkg-template/src/platform/platform.js';
import { wait } from '../pkg-template/src/platform/timeout.js';
import { begin, settle, type Decision, type Head, type Outage, type ServiceResponse, type Task } from './rules.js';
import type { OrderStore } from './store.js';

export interface IntakeSettings {
  /** Returns the registry as JSON. Called for each request, so that a test may change it. */
  registry: () => string;
  maxBodyBytes: number;
  /** Random faults, each with its rate. */
  faults: readonly string[];
}

/** Accepts requests, and supplies the rules with the time, random numbers, the orders, and delays. */
export class Intake {
  readonly store: OrderStore;
  /** The faults of the next requests. */
  readonly scripted: string[] = [];
  readonly #settings: IntakeSettings;
  #outage: Outage = 'none';

  constructor(settings: IntakeSettings, store: OrderStore) {
    this.#settings = settings;
    this.store = store;
  }

  /** Makes the service respond with 503 to every order request, or ends any outage. */
  setDown(isDown: boolean): void {
    this.#outage = isDown ? 'endless' : 'none';
  }

  /**
   * Returns the response to a request; null if the connection is lost. `decided` is called before any delay. A delay comes
   * after the order was stored. Rejects if the signal fires meanwhile.
   */
  async respond(
    head: Head,
    body: Uint8Array,
    signal?: AbortSignal,
    decided?: (decision: Decision) => void,
  ): Promise<{ response: ServiceResponse | null; decision: Decision }> {
    const { registry, ...limits } = this.#settings;
    const circumstances = {
      ...limits,
      now: Date.now(),
      random: [chance(), chance()] as const,
      scripted: this.scripted[0] ?? null,
      outage: this.#outage,
    };
    const decision = begin({ ...head, ...circumstances }, registry(), body);
    if (decision.isScripted) this.scripted.shift();
    this.#outage = decision.outage;
    decided?.(decision);
    const { loses, delayMs } = decision;
    const response = loses === 'request' ? null : (decision.response ?? this.#settle(decision.task as Task));
    if (delayMs > 0) await wait(platform, delayMs, signal).catch(() => Promise.reject(signal?.reason));
    return { response: loses === null ? response : null, decision };
  }

  #settle(task: Task): ServiceResponse {
    const { orderId, order } = task;
    const stored = this.store.find(orderId);
    if (stored || 'Err' in order) return settle(task, { stored, receipt: 0 });
    const { version, company, entity, integrator, digest } = order.Ok;
    const receipt = this.store.nextReceipt(company, entity);
    const response = settle(task, { stored: null, receipt });
    try {
      this.store.add({ orderId, version, company, entity, integrator, digest, receipt, body: response.body });
    } catch {
      return settle(task, { stored: null, receipt, hasFailed: true });
    }
    return response;
  }
}

function chance(): number {
  return Math.floor(Math.random() * 1_000_000);
}
