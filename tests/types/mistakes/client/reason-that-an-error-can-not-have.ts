// This comparison appears to be unintentional because the types '"AbortedError" | "ConnectionError" | "TimeoutError"' and '"ServerError"' have no overlap.
import { createClient } from 'sales-order-intake/client';

createClient({
  baseUrl: 'https://intake.example.com',
  token: () => 'a-token',
  hooks: { onError: ({ reason }) => void (reason === 'ServerError') },
});
