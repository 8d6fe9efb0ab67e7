/** Ready orders to load: those of the repository, and some made for this page. */
import grams from '../../../examples/grams-v2.json';
import member from '../../../examples/member-v3.json';
import { draftOf, type Draft } from './draft';
import supplied from './examples/supplied-taxes.json';
import wrong from './examples/wrong.json';

const LONG = 300;

export const EXAMPLES: { name: string; load: () => Draft }[] = [
  { name: 'A member with a coupon', load: () => draftOf(member) },
  { name: 'Grams and half cents', load: () => draftOf(grams) },
  { name: 'Supplied taxes and a discount', load: () => draftOf(supplied) },
  { name: 'Wrong in many ways', load: () => draftOf(wrong) },
  { name: `${LONG} lines`, load: long },
];

/** Always the same, of every kind of digits. */
function long(): Draft {
  const { Items, ...rest } = member.order;
  const kinds = Items.length;
  return draftOf({
    ...member,
    order: {
      ...rest,
      Items: Array.from({ length: LONG }, (_, i) => ({
        ...Items[i % kinds],
        Name: `${Items[i % kinds]?.Name}, lot ${i + 1}`,
        Quantity: `${(i % 9) + 1}.${String(i % 7)}5`,
        SellAtPricePerUnit: `${(i % 40) + 1}.${String((i * 37) % 100).padStart(2, '0')}`,
        Batch: `L-${String(i + 1).padStart(4, '0')}`,
      })),
    },
  });
}
