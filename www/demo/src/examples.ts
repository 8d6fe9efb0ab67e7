/** Orders to load: those of the repository, and some made for this page. */
import { newOrderId } from 'sales-order-intake/slim';
import grams from '../../../examples/grams-v2.json';
import member from '../../../examples/member-v3.json';
import { draftOf, type Draft } from './draft';
import supplied from './examples/supplied-taxes.json';
import wrong from './examples/wrong.json';

const LONG = 300;

export const EXAMPLES: { name: string; load: () => Draft }[] = [
  { name: 'A member with a coupon', load: () => newOrderOf(member) },
  { name: 'Grams and half cents', load: () => newOrderOf(grams) },
  { name: 'Supplied taxes and a discount', load: () => newOrderOf(supplied) },
  { name: 'Order with many issues', load: () => newOrderOf(wrong) },
  { name: `${LONG} lines`, load: () => newOrderOf(long()) },
];

/** Creates a new order from an example, with its own Id. */
const newOrderOf = (example: Parameters<typeof draftOf>[0]): Draft => ({ ...draftOf(example).draft, Id: newOrderId() });

/** Returns the same lines each time, with decimals of every length. */
function long() {
  const { Items, ...rest } = member.order;
  const count = Items.length;
  return {
    ...member,
    order: {
      ...rest,
      Items: Array.from({ length: LONG }, (_, i) => ({
        ...Items[i % count],
        Name: `${Items[i % count]?.Name}, lot ${i + 1}`,
        Quantity: `${(i % 9) + 1}.${String(i % 7)}5`,
        SellAtPricePerUnit: `${(i % 40) + 1}.${String((i * 37) % 100).padStart(2, '0')}`,
        Batch: `L-${String(i + 1).padStart(4, '0')}`,
      })),
    },
  };
}
