/** Recovery after outages, on PostgreSQL. Its workers look at the database so often that hours take too many steps. */
import { MINUTE, recovers } from '../recovery.mjs';

recovers('postgres', { waiting: 10_000, longest: 3 * MINUTE, lengths: [3000] });
