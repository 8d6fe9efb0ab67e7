// Argument of type '"v4"' is not assignable to parameter of type 'Version'.
import { requestPath } from 'sales-order-intake';

requestPath('v4', '2a8f5d33-eec9-4864-8b49-5636577b40d5');
