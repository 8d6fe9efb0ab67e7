/** Tests responses that may not be the service's, on PostgreSQL. */
import { setUp } from '../set-up.mjs';
import { testSuspectResponses } from '../suspect.mjs';
import { emptyStore } from './afterwards.mjs';

testSuspectResponses('PostgreSQL', (t, setting) => setUp(t, { store: emptyStore(), isInRealTime: true, ...setting }));
