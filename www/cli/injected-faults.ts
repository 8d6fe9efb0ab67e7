import type { Fault } from 'sales-order-intake/testing';
import { usageProblem } from './problem.js';

const FIXED = ['401', '403', '404', '409', '429', '500', '503', 'drop', 'drop-after'];

/** Faults of a test service, each with the share of requests that it is injected into. */
export class InjectedFaults {
  readonly #rates: { fault: Fault; rate: number }[];

  /** @param settings Such as `503=0.02` and `latency=800=0.5`. */
  constructor(settings: readonly string[]) {
    this.#rates = settings.map(parsedRate);
    const sum = this.#rates.reduce((total, { rate }) => total + rate, 0);
    if (sum > 1 + 1e-9) throw usageProblem(`the rates of --fault add up to ${sum}; they may be 1 together`);
  }

  /** Chooses a fault for a request, or none. */
  next(): Fault | undefined {
    let at = Math.random();
    for (const { fault, rate } of this.#rates) {
      if (at < rate) return fault;
      at -= rate;
    }
    return undefined;
  }
}

function parsedRate(setting: string): { fault: Fault; rate: number } {
  const [, fault = '', text = ''] = /^(.+)=([^=]+)$/.exec(setting) ?? [];
  const rate = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!isFault(fault)) {
    const all = `${FIXED.join(', ')}, latency=MS and down-until=SECONDS`;
    throw usageProblem(`--fault ${setting} is not a fault and its rate, such as 503=0.02`, `The faults are ${all}.`);
  }
  if (!(rate > 0 && rate <= 1)) throw usageProblem(`the rate of --fault ${setting} must be above 0, and at most 1`);
  return { fault, rate };
}

function isFault(text: string): text is Fault {
  return FIXED.includes(text) || /^(latency|down-until)=\d+$/.test(text);
}
