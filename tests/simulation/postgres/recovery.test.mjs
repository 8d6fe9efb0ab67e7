/**
 * Recovery after outages, on PostgreSQL. Its workers look at the database so often that hours take too many steps. WAITING is the
 * number of orders, in `make nightly` more.
 */
import { MINUTE, recovers } from '../recovery.mjs';

recovers('postgres', { waiting: Number(process.env.WAITING ?? 2000), longest: 3 * MINUTE, lengths: [3000] });
