// Type '(request: Request) => Promise<Response>' is not assignable to type 'ClientFetch'.
// Type 'string' is not assignable to type 'Request'.
import { createClient } from 'sales-order-intake/client';

createClient({
  baseUrl: 'https://intake.example.com',
  token: () => 'a-token',
  fetch: (request: Request) => fetch(request),
});
