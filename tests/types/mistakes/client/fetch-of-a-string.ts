// Type '(url: string) => Promise<string>' is not assignable to type 'ClientFetch'.
// Type 'string' is not assignable to type 'Response'.
import { createClient } from 'sales-order-intake/client';

createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token', fetch: async (url: string) => url });
