/** The table of docs/concepts/order-fates.md, which a test of the core writes (src/fate/tests.rs). */
import { readFileSync } from 'node:fs';

/** Returns the table in Markdown. */
export function responseTable() {
  return readFileSync(new URL('../vectors/fates/table.md', import.meta.url), 'utf8');
}
