/** Tests that the entries are parts of one package: what one throws is an instance of the class that another exports. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { build } from 'vite';
import { projects, runProgram } from './installed.mjs';
import { minimalOrder } from './orders.mjs';

/** Entries that a program imports besides the default one, by the name of the import. */
const ENTRIES = {
  client: 'client',
  slim: 'slim',
  slimClient: 'slim/client',
  outbox: 'outbox',
  postgres: 'outbox/postgres',
  testing: 'testing',
};
/** Prints what was thrown by each entry, and whether it is an instance of the class of the default entry or the client. */
const CHECKS = `
  const options = { baseUrl: 'https://intake.example.com', token: () => 'a-token' };
  const thrown = async (call) => { try { await call(); } catch (error) { return error; } };
  const noStore = Object.fromEntries(
    ['add', 'change', 'changeAll', 'get', 'list', 'take', 'settle', 'count', 'sweep', 'close', 'history'].map((name) => [name, () => {}]));
  const empty = { Id: '2a8f5d33-eec9-4864-8b49-5636577b40d5', Items: [] };
  const service = testing.createTestService();
  const refused = client.createClient({ ...service.clientOptions, token: 'wrong', maxRetries: 0 });
  const whole = ${JSON.stringify(minimalOrder())};
  const errors = {
    'OrderValidationError of prepareRequest': [() => main.prepareRequest(empty), main.OrderValidationError],
    'OrderValidationError of slim': [() => slim.prepareRequest(empty), main.OrderValidationError],
    'OrderValidationError of the client': [() => client.createClient(options).createOrder(empty), main.OrderValidationError],
    'OrderValidationError of the client of slim': [() => slimClient.createClient(options).createOrder(empty), main.OrderValidationError],
    'OrderValidationError of the outbox': [() => outbox.createOutbox({ client: client.createClient(options), store: noStore }).add(empty), main.OrderValidationError],
    'OptionError of the client': [() => client.createClient({ ...options, maxRetries: -1 }), main.OptionError],
    'OptionError of the outbox': [() => outbox.createOutbox({}), main.OptionError],
    'OptionError of postgresStore': [() => postgres.postgresStore({}), main.OptionError],
    'OptionError of the reference service': [() => testing.createTestService({ tokn: 1 }), main.OptionError],
    'AuthenticationError of the client': [() => refused.createOrder(whole), client.AuthenticationError],
    'AuthenticationError of the client, as that of slim': [() => refused.createOrder(whole), slimClient.AuthenticationError],
  };
  for (const [what, [call, type]] of Object.entries(errors)) {
    const error = await thrown(call);
    console.log(what + ': ' + (error instanceof type && !(error instanceof main.CoreInitError)) + ' ' + error?.name);
  }`;
const EXPECTED = Array.from(
  CHECKS.matchAll(/^ +"?'(\w+)( of [^']*)':/gm),
  ([, name, of]) => `${name}${of}: true ${name}`,
);

const IMPORTS = Object.entries({ main: '', ...ENTRIES }).map(
  ([name, entry]) => `import * as ${name} from 'sales-order-intake${entry && `/${entry}`}';\n`,
);
const PROGRAM = IMPORTS.join('') + CHECKS;
const PROGRAMS = { Node: () => runProgram(PROGRAM), 'a bundle of Vite': bundledByVite };

for (const [how, run] of Object.entries(PROGRAMS)) {
  test(`in ${how}, what an entry throws is an instance of the class that another exports`, async () => {
    const { stdout, stderr } = await run();
    assert.deepEqual([stdout.trim().split('\n'), stderr], [EXPECTED, '']);
  });
}

async function bundledByVite() {
  const { esmProject } = projects();
  const input = join(esmProject, 'identity.mjs');
  writeFileSync(input, PROGRAM);
  const outDir = join(esmProject, 'identity');
  const rolldownOptions = { input, external: [/^node:/, 'pg'], output: { entryFileNames: 'program.mjs' } };
  await build({
    root: esmProject,
    configFile: false,
    logLevel: 'warn',
    build: { outDir, target: 'es2022', modulePreload: false, rolldownOptions },
  });
  return runProgram("import './identity/program.mjs';");
}
