// Property 'baseUrl' is missing in type '{ token: () => string; }' but required in type 'ClientOptions'.
import { createClient } from 'sales-order-intake/client';

createClient({ token: () => 'a-token' });
