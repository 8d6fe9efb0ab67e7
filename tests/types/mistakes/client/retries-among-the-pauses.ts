// 'attempts' does not exist in type '{ baseMs?: number | undefined; capMs?: number | undefined; }'.
import { createClient } from 'sales-order-intake/client';

createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token', retry: { attempts: 4 } });
