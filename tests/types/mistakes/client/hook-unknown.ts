// 'onFailure' does not exist in type '{ onRequest?: ((event: RequestEvent) => void) | undefined;
import { createClient } from 'sales-order-intake/client';

createClient({ baseUrl: 'https://intake.example.com', token: () => 'a-token', hooks: { onFailure() {} } });
