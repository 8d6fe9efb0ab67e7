// Type '() => number' is not assignable to type 'string | TokenProvider'.
// Type 'number' is not assignable to type 'string | Promise<string>'.
import { createClient } from 'sales-order-intake/client';

createClient({ baseUrl: 'https://intake.example.com', token: () => 7 });
