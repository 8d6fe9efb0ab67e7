/** Uses one function of the core; the bundle needs no client. */
import { parseGuid } from 'sales-order-intake';

console.log(parseGuid('{2A8F5D33-EEC9-4864-8B49-5636577B40D5}'));
