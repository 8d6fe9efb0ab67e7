import { z } from 'zod';

const name = z.string().trim().min(1).max(300);
const note = z.string().max(300).optional();

/** What the page posts: articles and quantities, not prices. `subtotal` is what the shopper has agreed to. */
export const saleRequest = z.object({
  cartId: z.uuid(),
  lines: z.array(z.object({ articleId: z.uuid(), quantity: z.string().max(30) })).max(100),
  subtotal: z.string().max(40),
  customer: z.object({
    FirstName: name,
    LastName: name,
    CustomerId: note.nullable(),
    TimeSlotDisplayString: note,
    Notes: note,
  }),
});

export type SaleRequest = z.infer<typeof saleRequest>;
