// The client's types in a program without platform types (tests/types/compile.test.mjs). It is never run.
import { createClient, TimeoutError, type CreatedOrder } from 'sales-order-intake/client';

const client = createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token', maxRetries: 1 });

export async function send(): Promise<number> {
  try {
    const order = { Id: 'x', CompanyId: 1, EntityId: 1, IntegratorId: 'x', Items: [] };
    const { status }: CreatedOrder = await client.createOrder(order, { timeoutMs: 1000 });
    for await (const result of client.createOrders([order])) if (!result.ok) return result.error.issues?.length ?? 0;
    return status;
  } catch (error) {
    return error instanceof TimeoutError ? error.attempts : 0;
  }
}
