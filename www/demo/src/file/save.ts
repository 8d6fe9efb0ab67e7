import type { Evaluation } from 'sales-order-intake/slim';
import { indented } from '../../../../outbox/page/json';
import { type Draft, orderOf } from '../draft';

/** Downloads the order: as it will be sent, or as it is in the form while it has errors. */
export function saveOrder(draft: Draft, evaluation: Evaluation | undefined): void {
  const integer = (_: string, value: unknown) => {
    if (typeof value !== 'bigint') return value;
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  };
  const json = evaluation?.ok ? evaluation.request().body : JSON.stringify(orderOf(draft), integer);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${indented(json)}\n`], { type: 'application/json' }));
  link.download = `order-${draft.Id.slice(0, 8) || 'new'}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
