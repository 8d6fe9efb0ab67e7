// 'signal' does not exist in type 'ClientOptions'.
import { createClient } from 'sales-order-intake/client';

createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token', signal: new AbortController().signal });
