// This comparison appears to be unintentional because the types '"AbortedError" | "AuthenticationError" |
// and '"TimeoutEror"' have no overlap.
import { createClient } from 'sales-order-intake/client';

createClient({
  baseUrl: 'https://intake.example.com',
  token: () => 'a-token',
  hooks: { onRetry: ({ reason }) => void (reason === 'TimeoutEror') },
});
