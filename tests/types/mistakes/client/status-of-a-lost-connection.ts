// Property 'status' does not exist on type 'RequestErrorEvent'.
import { createClient } from 'sales-order-intake/client';

createClient({
  baseUrl: 'https://intake.example.com',
  token: () => 'a-token',
  hooks: { onError: ({ status }) => status },
});
