/**
 * Tests the package in programs that load it by `require`: engines load the ECMAScript modules, the others what the bundler
 * makes of them as CommonJS.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { program, root } from '../../scripts/places.mjs';
import { projects, runProgram } from './installed.mjs';
import { ID, minimalOrder } from './orders.mjs';

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

test('the error classes of both forms have their names, which programs print', () => {
  const others = printed(`
    const entries = forms.flatMap((form) => Object.values(form)).flatMap(Object.entries);
    return entries.filter(([name, Class]) => /^[A-Z].*Error$/.test(name) && Class.name !== name).map(([name]) => name);
  `);
  assert.deepEqual(others, []);
});

test('an error that nobody catches is printed with the name of its class, and with a line of code instead of pages', () => {
  const { stderr } = runProgram(`${SETTING}\ncjsCore.prepareRequest({ Id: '${ID}' });`);
  assert.match(stderr, /^OrderValidationError: order /m);
  assert.ok(stderr.length < 6000, `${stderr.length} characters`);
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

/** A service of NestJS in small: TypeScript compiles its imports to `require`, with decorators. */
const PROGRAM = `
  import { prepareRequest, type IdentifiedOrder } from 'sales-order-intake';
  import { ConflictError, createClient, OrderIntakeError } from 'sales-order-intake/client';
  import { createTestService } from 'sales-order-intake/testing';

  const Injectable = (): ClassDecorator => () => {};
  const service = createTestService();

  @Injectable()
  class OrdersService {
    private readonly client = createClient(service.clientOptions);
    send(order: IdentifiedOrder) {
      return this.client.createOrder(order);
    }
  }
  const order: IdentifiedOrder = ${JSON.stringify(minimalOrder())};
  const orders = new OrdersService();
  orders.send(order).then(async ({ status, orderId }) => {
    const error = await orders.send({ ...order, Notes: 'another' }).catch((error) => error);
    const isConflict = error instanceof ConflictError && error instanceof OrderIntakeError;
    console.log(status, orderId === prepareRequest(order).orderId, isConflict, 'default' in require('sales-order-intake'));
  });`;

test('a program that TypeScript compiles to CommonJS with default settings runs, as NestJS does', () => {
  const { cjsProject } = projects();
  const folder = join(cjsProject, 'nest');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'main.ts'), PROGRAM);
  const compilerOptions = {
    ...{ module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0', target: 'es2023', strict: true },
    ...{ experimentalDecorators: true, emitDecoratorMetadata: true, rootDir: '.', outDir: 'dist', skipLibCheck: true },
    ...{ types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
  const compiled = spawnSync(process.execPath, [program('@typescript/typescript6/bin/tsc'), '-p', folder], {
    encoding: 'utf8',
  });
  assert.equal(compiled.stdout, '');
  const { stdout, stderr } = spawnSync(process.execPath, ['dist/main.js'], { cwd: folder, encoding: 'utf8' });
  assert.equal(stdout, '201 true true false\n', stderr);
});
