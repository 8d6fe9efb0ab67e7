// Property 'token' is missing in type '{ baseUrl: string; }' but required in type 'ClientOptions'.
import { createClient } from 'sales-order-intake/client';

createClient({ baseUrl: 'https://intake.example.com' });
