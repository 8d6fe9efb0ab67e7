import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { run } from './program.mjs';

test('the program runs', async () => {
  writeFileSync('report.json', JSON.stringify(await run(process.env.LOOPBACK)));
});
