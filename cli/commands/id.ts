import { deriveOrderId, newOrderId } from 'sales-order-intake';
import { EXIT, type ExitCode, usageProblem } from '../problem.js';
import type { Invocation } from '../arguments/invocation.js';

const MOST = 1_000_000;

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { out } = invocation.terminal;
  const [namespace, key] = [invocation.text('namespace'), invocation.text('key')];
  const count = invocation.count('count', 1, MOST);
  if ((namespace === undefined) !== (key === undefined)) {
    throw usageProblem('--namespace and --key belong together: an id is derived from both');
  }
  if (namespace === undefined || key === undefined) {
    for (let i = 0; i < (count ?? 1); i++) out.line(newOrderId());
    return EXIT.done;
  }
  if (count !== undefined) throw usageProblem('--count is for random ids: the same key always gives the same id');
  out.line(derived(namespace, key));
  return EXIT.done;
}

/** @throws Problem if the namespace can't be used. */
export function derived(namespace: string, key: string): string {
  try {
    return deriveOrderId(namespace, key);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usageProblem(error.message.replace('deriveOrderId: ', ''));
  }
}
