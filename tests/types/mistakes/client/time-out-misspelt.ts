// 'timeout' does not exist in type 'ClientOptions'. Did you mean to write 'timeoutMs'?
import { createClient } from 'sales-order-intake/client';

createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token', timeout: 1000 });
