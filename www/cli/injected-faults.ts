import type { RequestedFault as Fault } from 'sales-order-intake/testing';
import { FAULTS, isFault } from '../testing/fault.js';
import { usageProblem } from './problem.js';

interface Rate {
  fault: Fault;
  rate: number;
}

/** Faults of a test service, each with the share of requests that it is injected into. */
export class InjectedFaults {
  readonly #faults: Rate[];
  /** Drawn separately: a delayed response may have another fault as well. */
  readonly #latencies: Rate[];

  /** @param settings Such as `503=0.02` and `latency=800=0.5`. */
  constructor(settings: readonly string[]) {
    const rates = settings.map(parsedRate);
    this.#latencies = rates.filter(({ fault }) => isLatency(fault));
    this.#faults = rates.filter(({ fault }) => !isLatency(fault));
    for (const group of [this.#latencies, this.#faults]) {
      const sum = group.reduce((total, { rate }) => total + rate, 0);
      if (sum > 1 + 1e-9) throw usageProblem(`the rates of --fault add up to ${sum}; they may be 1 together`);
    }
  }

  /** Chooses the faults of a request: none, a latency, another fault, or both. */
  next(): { latencyMs: number; fault: Fault | undefined } {
    const latency = chosen(this.#latencies);
    return { latencyMs: Number(latency?.slice('latency='.length) ?? 0), fault: chosen(this.#faults) };
  }
}

function chosen(rates: readonly Rate[]): Fault | undefined {
  let at = Math.random();
  for (const { fault, rate } of rates) {
    if (at < rate) return fault;
    at -= rate;
  }
  return undefined;
}

function isLatency(fault: Fault): boolean {
  return fault.startsWith('latency=');
}

function parsedRate(setting: string): Rate {
  const [, fault = '', text = ''] = /^(.+)=([^=]+)$/.exec(setting) ?? [];
  const rate = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!isFault(fault)) {
    throw usageProblem(
      `--fault ${setting} is not a fault and its rate, such as 503=0.02`,
      `The fault is ${FAULTS}; the rate is after it.`,
    );
  }
  if (!(rate > 0 && rate <= 1)) throw usageProblem(`the rate of --fault ${setting} must be above 0, and at most 1`);
  return { fault, rate };
}
