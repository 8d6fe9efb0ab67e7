import { newOrderId } from 'sales-order-intake';
import { createClient } from 'sales-order-intake/client';
import { ORDER, run } from './program.mjs';

export default {
  async fetch(request) {
    const { base, token } = Object.fromEntries(new URL(request.url).searchParams);
    if (!token) return Response.json(await run(base));
    const { status } = await createClient({ baseUrl: base, token }).createOrder({ Id: newOrderId(), ...ORDER });
    return Response.json({ status });
  },
};
