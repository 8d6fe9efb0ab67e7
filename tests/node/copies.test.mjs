/** Tests a program that loads the package twice, as ECMAScript modules and as CommonJS: `instanceof` holds across both. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { projects, runProgram } from './installed.mjs';
import { cart, ID } from './orders.mjs';

const SETTING = `
  import { createRequire } from 'node:module';
  const require = createRequire(${JSON.stringify(join(projects().cjsProject, 'index.js'))});
  const rejection = (promise) => promise.then(() => 'nothing was thrown', (error) => error);
  const thrown = (call) => { try { call(); } catch (error) { return error; } };
  const ENTRIES = ['', '/client', '/outbox'].map((entry) => 'sales-order-intake' + entry);
  const [core, client, outbox] = await Promise.all(ENTRIES.map((entry) => import(entry)));
  const [cjsCore, cjsClient, cjsOutbox] = ENTRIES.map(require);
  const forms = [{ core, client, outbox }, { core: cjsCore, client: cjsClient, outbox: cjsOutbox }];
`;

function printed(program) {
  const { stdout, stderr } = runProgram(`${SETTING}\nconsole.log(JSON.stringify(await (async () => {${program}})()))`);
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout);
}

test('every error class of every entry recognises the errors of both forms, and no class recognises another', () => {
  const recognised = printed(`
    const details = { orderId: '${ID}', version: 'v3', attempts: 1, retryable: false, outcome: 'unknown' };
    const make = (name, Class) => new Class(...({
      OrderValidationError: ['${ID}', []], OptionError: ['wrong', '/scale'], CoreInitError: ['csp', 'forbidden'],
      InternalError: ['trapped'], OutboxError: ['store', 'failed'],
    }[name] ?? ['message', details]));
    const classesOf = (form) => Object.values(form).flatMap((entry) =>
      Object.entries(entry).filter(([name]) => /^[A-Z].*Error$/.test(name)));
    return classesOf(forms[0]).map(([name]) => [name, forms.map((form) => {
      const error = make(name, Object.fromEntries(classesOf(form))[name]);
      return forms.map((other) => classesOf(other).filter(([, Class]) => error instanceof Class).map(([is]) => is));
    })]);
  `);
  assert.equal(recognised.length, 17);
  for (const [name, byForm] of recognised) {
    const isOfClient = !/^(OrderValidation|Option|CoreInit|Internal|Outbox|OrderIntake)Error$/.test(name);
    const expected = isOfClient ? [name, 'OrderIntakeError'].sort() : [name];
    for (const names of byForm.flat()) assert.deepEqual(names.sort(), expected, name);
  }
});

test('what one form throws is recognised by the other', () => {
  const holds = printed(`
    return Promise.all(forms.map(async (form, at) => {
      const { core, client, outbox } = forms[1 - at];
      const options = { baseUrl: 'https://x.example', token: 'a-token', maxRetries: 0 };
      const sender = form.client.createClient({ ...options, fetch: async () => new Response('', { status: 409 }) });
      const names = ['add', 'take', 'settle', 'change', 'changeAll', 'get', 'list', 'count', 'sweep', 'close'];
      const store = Object.fromEntries(names.map((name) => [name, async () => {}]));
      const box = form.outbox.createOutbox({ client: sender, store });
      const order = ${JSON.stringify({ ...cart(), Id: ID })};
      const conflict = await rejection(sender.createOrder(order));
      return [
        thrown(() => form.core.prepareRequest({})) instanceof core.OrderValidationError,
        thrown(() => form.client.createClient({})) instanceof core.OptionError,
        thrown(() => form.outbox.createOutbox({})) instanceof core.OptionError,
        conflict instanceof client.ConflictError && conflict instanceof client.OrderIntakeError,
        await rejection(box.add({ ...order, Items: [] })) instanceof core.OrderValidationError,
        await rejection(box.stop().then(() => box.add(order))) instanceof outbox.OutboxError,
      ];
    }));
  `);
  assert.deepEqual(holds, new Array(2).fill(new Array(6).fill(true)));
});

test('in engines whose require() takes ECMAScript modules, it and import share one copy of each entry', () => {
  const { stdout, stderr } = runProgram(`
    import { createRequire } from 'node:module';
    const require = createRequire(import.meta.resolve('sales-order-intake'));
    const entries = ['', '/client', '/slim', '/outbox', '/testing'].map((entry) => 'sales-order-intake' + entry);
    const imported = await Promise.all(entries.map((entry) => import(entry)));
    console.log(JSON.stringify(entries.map((entry, at) => require(entry) === imported[at])));
  `);
  assert.deepEqual(JSON.parse(stdout || stderr), Array(5).fill(process.features.require_module ?? false));
});
