import { z } from 'zod';

const text = (limit: number) => z.string().trim().max(limit);

/** What the page posts: articles and quantities, not prices. `subtotal` is what the shopper has agreed to. */
export const saleRequest = z.object({
  cartId: z.uuid(),
  lines: z.array(z.object({ articleId: z.uuid(), quantity: text(30) })).max(100),
  subtotal: text(40),
  customer: z.object({
    FirstName: text(300).min(1),
    LastName: text(300).min(1),
    CustomerId: text(300).nullish(),
    TimeSlotDisplayString: text(300).optional(),
    Notes: text(300).optional(),
  }),
});

export type SaleRequest = z.infer<typeof saleRequest>;
