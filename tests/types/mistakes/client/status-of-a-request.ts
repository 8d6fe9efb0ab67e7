// Property 'status' does not exist on type 'RequestEvent'.
import { createClient } from 'sales-order-intake/client';

createClient({
  baseUrl: 'https://intake.example.com',
  token: () => 'a-token',
  hooks: { onRequest: ({ status }) => status },
});
