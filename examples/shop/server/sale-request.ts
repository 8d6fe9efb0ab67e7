import { readDecimal } from 'sales-order-intake';
import { z } from 'zod';

const name = z.string().trim().min(1).max(300);
const note = z.string().max(300).optional();
/** Of a browser anything can come. What is not a decimal is refused with 400, before `compareAmounts` would throw. */
const amount = z
  .string()
  .refine((text) => readDecimal(text) !== null, 'not a decimal')
  .transform((text) => readDecimal(text) ?? text);

/** What the page posts: articles and quantities, not prices. `total` is what the shopper has agreed to. */
export const saleRequest = z.object({
  cartId: z.uuid(),
  lines: z.array(z.object({ articleId: z.uuid(), quantity: z.string().max(30) })).max(100),
  total: amount,
  customer: z.object({
    FirstName: name,
    LastName: name,
    CustomerId: note.nullable(),
    TimeSlotDisplayString: note,
    Notes: note,
  }),
});

export type SaleRequest = z.infer<typeof saleRequest>;
