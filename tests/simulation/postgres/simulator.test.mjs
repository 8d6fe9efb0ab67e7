/** A seed decides everything on PostgreSQL, too. */
import { repeats } from '../repeats.mjs';

repeats('outbox on PostgreSQL');
