// 'baseURL' does not exist in type 'ClientOptions'. Did you mean to write 'baseUrl'?
import { createClient } from 'sales-order-intake/client';

createClient({ baseURL: 'https://intake.example.com', token: () => 'a-token' });
