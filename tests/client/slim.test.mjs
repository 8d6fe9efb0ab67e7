/** Tests that the client of slim uses the core that slim was given, and no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installedFile, runProgram } from '../node/installed.mjs';
import { minimalOrder } from '../node/orders.mjs';

test('the client of slim waits for the core that slim is given', () => {
  const { stdout, stderr } = runProgram(
    `import { init } from 'sales-order-intake/slim';
    import { createClient } from 'sales-order-intake/slim/client';
    import { readFile } from 'node:fs/promises';
    const fetch = async (url, { body }) => new Response(body, { status: 201 });
    const client = createClient({ baseUrl: 'https://intake.example.com', token: 'a-token', fetch });
    const order = ${JSON.stringify(minimalOrder())};
    const before = await client.createOrder(order).catch(({ name, reason }) => name + ' ' + reason);
    await init(readFile(${JSON.stringify(installedFile('core.wasm'))}));
    const { status } = await client.createOrder(order);
    console.log(before + ', ' + status);`,
  );
  assert.equal(stdout, 'CoreInitError bad-bytes, 201\n', stderr);
});
