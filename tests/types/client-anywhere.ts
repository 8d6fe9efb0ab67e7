// The client's types in a program that knows nothing of the platform (tests/types/compile.test.mjs). It is never run.
import { createClient, isTimeoutError, type Created } from 'sales-order-intake/client';

const client = createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token' });

export async function send(): Promise<number> {
  try {
    const { status }: Created = await client.createOrder({ CompanyId: 1, EntityId: 1, IntegratorId: 'x', Items: [] });
    return status;
  } catch (error) {
    return isTimeoutError(error) ? error.attempts : 0;
  }
}
