// Type '() => Promise<{ traceparent: string; }>' is not assignable to type
// Type 'Promise<{ traceparent: string; }>' is not assignable to type 'Readonly<Record<string, string>>'.
import { createClient } from 'sales-order-intake/client';

createClient({
  baseUrl: 'https://intake.example.com',
  token: () => 'a-token',
  headers: async () => ({ traceparent: '00' }),
});
