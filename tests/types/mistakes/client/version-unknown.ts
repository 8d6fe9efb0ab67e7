// Type '"v1"' is not assignable to type 'Version | undefined'.
import { createClient } from 'sales-order-intake/client';

createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token', version: 'v1' });
