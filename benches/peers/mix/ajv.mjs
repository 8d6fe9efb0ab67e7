/** Stack B for the mix: ajv, which leaves unknown members as they are, big.js, JSON.stringify. */
import { OPTIONS } from '../../mix.mjs';
import { ajv, amount, order, text } from '../ajv.mjs';
import { totals } from './big-totals.mjs';

const entry = {
  type: 'object',
  required: ['Value', 'ValueType'],
  properties: { Name: text, Value: amount, ValueType: { enum: Object.values(OPTIONS.discountValueTypes) } },
};

const validate = ajv.compile({
  ...order,
  properties: {
    ...order.properties,
    Discount: {
      type: 'object',
      nullable: true,
      properties: { InvoiceLevel: { type: 'array', items: entry } },
    },
  },
});

/** Returns verdict, totals and body of an order. */
export function prepare(order) {
  if (!validate(order)) return { issues: validate.errors };
  return { issues: [], ...totals(order), body: JSON.stringify(order) };
}
