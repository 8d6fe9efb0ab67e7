// Argument of type '{ version: string; }' is not assignable to parameter of type 'Version | undefined'.
import { salesOrderSchema } from 'sales-order-intake';

salesOrderSchema({ version: 'v2' });
