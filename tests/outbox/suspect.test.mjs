/** Tests responses that may not be the service's, on the stores that need no database server. */
import { STORES, setUp } from './set-up.mjs';
import { testSuspectResponses } from './suspect.mjs';

for (const [name, newStore] of Object.entries(STORES)) {
  testSuspectResponses(name, (t, setting) => setUp(t, { store: newStore(), ...setting }));
}
