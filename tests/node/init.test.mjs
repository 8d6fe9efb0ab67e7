/** Tests the start of the core: at the first call or by init, every way it can fail, and a new start after a failure. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runInNewContext } from 'node:vm';
import { builtModules } from '../../scripts/build/core.mjs';
import { listen } from '../../scripts/ports.mjs';
import { thrown } from '../thrown.mjs';
import { fresh, installed, installedFile, runProgram } from './installed.mjs';
import { ID } from './orders.mjs';
import { counted, whileReplaced } from './stubs.mjs';

const MAIN = 'sales-order-intake';
const SLIM = 'sales-order-intake/slim';
const bytes = readFileSync(installedFile('core.wasm'));

function works(core) {
  return core.parseGuid(ID.toUpperCase()) === ID;
}

/** Returns what a fresh copy throws at its first call if the platform throws `error` instead of compiling. */
async function firstCallWhere(error) {
  const core = fresh(MAIN);
  function Module() {
    throw error;
  }
  const failure = await whileReplaced(WebAssembly, 'Module', Module, () => thrown(() => core.parseGuid('x')));
  assert.ok(works(core), 'the next call tries again');
  return failure;
}

/** Makes a call trap, by making the memory of the core unreadable; runs `then` before anything else can happen. */
async function trap(core, then = () => {}) {
  await whileReplaced(
    TextDecoder.prototype,
    'decode',
    // A fresh instance decodes nothing when it starts.
    (memory) => memory === undefined || assert.fail('trapped'),
    () => {
      assert.throws(() => core.parseGuid(ID), { name: 'InternalError' });
      then();
    },
  );
}

function isReason(reason, message = /./) {
  return { name: 'CoreInitError', reason, message };
}

test('the first call starts the core, init is optional', () => {
  const core = fresh(MAIN);
  assert.equal(core.isReady(), false);
  assert.ok(works(core));
  assert.equal(core.isReady(), true);
});

test('the ECMAScript module compiles the core once, and once a small module that unpacks its bytes', () => {
  const { stdout, stderr } = runProgram(`
    let compiled = 0;
    WebAssembly.Module = new Proxy(WebAssembly.Module, {
      construct: (Module, [source]) => { compiled++; return new Module(source); },
    });
    const { parseGuid } = await import('sales-order-intake');
    for (let i = 0; i < 10; i++) parseGuid('x');
    console.log(compiled);`);
  assert.equal(stdout, '2\n', stderr);
});

const POLICIES = [
  new WebAssembly.CompileError(
    "WebAssembly.Module(): Compiling or instantiating WebAssembly module violates the following Content Security policy directive because neither 'wasm-unsafe-eval' nor 'unsafe-eval' is an allowed source of script",
  ),
  new WebAssembly.CompileError('WebAssembly.Module(): Wasm code generation disallowed by embedder'),
  new WebAssembly.CompileError('call to WebAssembly.Module() blocked by CSP'),
  new EvalError(
    "Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed source of script",
  ),
  new EvalError('WebAssembly is not allowed here'),
];
for (const policy of POLICIES) {
  test(`csp: ${policy.name}: ${policy.message.slice(0, 60)}…`, async () => {
    const error = await firstCallWhere(policy);
    assert.equal(error.reason, 'csp');
    assert.equal(error.cause, policy);
    assert.match(error.message, /'wasm-unsafe-eval'/);
  });
}

test('sync-limit: in a browser that compiles only asynchronously, the message says to await init()', async () => {
  const limit = new RangeError(
    'WebAssembly.Compile is disallowed on the main thread, if the buffer size is larger than 4KB. Use WebAssembly.compile, or compile on a worker thread.',
  );
  const error = await firstCallWhere(limit);
  assert.equal(error.reason, 'sync-limit');
  assert.match(error.message, /await init\(\)/);
});

test('sync-limit: after init() the calls work there', async () => {
  const core = fresh(MAIN);
  const limited = (isLarge) => ({
    construct(target, args) {
      if (isLarge(args[0])) throw new RangeError('WebAssembly.Module is disallowed on the main thread');
      return new target(...args);
    },
  });
  const Module = new Proxy(
    WebAssembly.Module,
    limited((bytes) => bytes.byteLength > 4096),
  );
  const Instance = new Proxy(
    WebAssembly.Instance,
    // The other module, which unpacks the core, is small.
    limited((module) => WebAssembly.Module.exports(module).some(({ name }) => name === 'parseGuid')),
  );
  await whileReplaced(WebAssembly, 'Module', Module, async () => {
    await whileReplaced(WebAssembly, 'Instance', Instance, async () => {
      await core.init();
      assert.ok(works(core));
    });
  });
});

test('no-wasm: a platform without WebAssembly', async () => {
  const core = fresh(MAIN);
  await whileReplaced(globalThis, 'WebAssembly', undefined, async () => {
    assert.throws(() => core.parseGuid('x'), isReason('no-wasm'));
    await assert.rejects(core.init(), isReason('no-wasm'));
  });
  assert.ok(works(core));
});

for (const lacking of ['TextEncoder', 'TextDecoder']) {
  test(`no-wasm: on a platform without ${lacking}, such as jsdom in Jest, the message says what to do`, async () => {
    const core = fresh(MAIN);
    await whileReplaced(globalThis, lacking, undefined, async () => {
      assert.throws(() => core.parseGuid('x'), isReason('no-wasm', /node:util/));
      await assert.rejects(core.init(), isReason('no-wasm', /node:util/));
    });
    assert.ok(works(core));
  });
}

test('a lack of memory at the start is an InternalError', async () => {
  const error = await firstCallWhere(
    new RangeError('WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance'),
  );
  assert.equal(error.name, 'InternalError');
});

test('bad-bytes: a call of slim before init says to call init', () => {
  const core = fresh(SLIM);
  assert.throws(() => core.parseGuid('x'), isReason('bad-bytes', /await init\(source\)/));
  assert.equal(core.isReady(), false);
});

test('bad-bytes: slim init without a source', async () => {
  await assert.rejects(fresh(SLIM).init(), isReason('bad-bytes', /await init\(source\)/));
});

const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
// (module (import "env" "abort" (func)))
const FOREIGN_IMPORT = Buffer.from('0061736d01000000010401600000020d0103656e760561626f72740000', 'hex');
const NO_CORE = [
  ['no WebAssembly', new TextEncoder().encode('<!doctype html>')],
  ['no bytes', new ArrayBuffer(0)],
  ['half of the core', bytes.subarray(0, bytes.length / 2)],
  ['another module', EMPTY_MODULE],
  ['another module, compiled', new WebAssembly.Module(EMPTY_MODULE)],
  ['a module with imports of its own', FOREIGN_IMPORT],
  ['a number', 7],
  ['null', null],
  ['a promise of undefined', Promise.resolve()],
];
for (const [what, source] of NO_CORE) {
  test(`bad-bytes: init with ${what}; a second init with the core works`, async () => {
    const core = fresh(SLIM);
    await assert.rejects(core.init(source), isReason('bad-bytes'));
    assert.equal(core.isReady(), false);
    await core.init(bytes);
    assert.ok(works(core));
  });
}

/** @type {[string, () => unknown][]} */
const SOURCES = [
  ['a Module', () => new WebAssembly.Module(bytes)],
  ['an ArrayBuffer', () => bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)],
  ['a typed array', () => bytes],
  ['a Module of another realm', () => runInNewContext('new WebAssembly.Module(bytes)', { bytes })],
  ['a DataView', () => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)],
  ['a Response', () => new Response(bytes)],
  [
    'a promise of a Response',
    () => Promise.resolve(new Response(bytes, { headers: { 'Content-Type': 'text/plain' } })),
  ],
  [
    'a Response that is declared as WebAssembly',
    () => new Response(bytes, { headers: { 'Content-Type': 'application/wasm' } }),
  ],
  ['a promise of bytes', async () => bytes],
  ['a promise of a Module', () => WebAssembly.compile(bytes)],
];
for (const [what, source] of SOURCES) {
  test(`slim starts from ${what}`, async () => {
    const core = fresh(SLIM);
    await core.init(source());
    assert.equal(core.isReady(), true);
    assert.ok(works(core));
  });
}

test('slim starts from a URL and from an address; a missing file and a server that is down have reason network, and init can be called again', async (t) => {
  const server = createServer((request, response) => {
    const found = request.url === '/core.wasm';
    response.writeHead(found ? 200 : 404).end(found ? bytes : 'not here');
  });
  const port = await listen(server);
  t.after(() => server.close());
  const url = (path) => new URL(path, `http://127.0.0.1:${port}`);

  const core = fresh(SLIM);
  await assert.rejects(core.init(url('/lost.wasm').href), isReason('network', /404/));
  await assert.rejects(core.init('/core.wasm'), isReason('network', /outside a page the address must be absolute/));
  await assert.rejects(core.init(url('/lost.wasm')), isReason('network', /404/));
  await assert.rejects(core.init(new URL('http://127.0.0.1:1/core.wasm')), isReason('network', /fetch failed/));
  await assert.rejects(core.init(Promise.reject(new Error('offline'))), isReason('network', /init failed/));
  await assert.rejects(core.init(new Response('not here', { status: 404 })), isReason('network', /404/));
  const read = new Response(bytes);
  await read.arrayBuffer();
  await assert.rejects(core.init(read), isReason('network', /body/));
  assert.equal(core.isReady(), false);

  await core.init(url('/core.wasm'));
  assert.ok(works(core));

  for (const address of [url('/core.wasm').href, Promise.resolve(url('/core.wasm').href)]) {
    const other = fresh(SLIM);
    await other.init(address);
    assert.ok(works(other));
  }
});

test('init is idempotent: once the core runs, it reads no source and starts nothing', async () => {
  const core = fresh(MAIN);
  await core.init();
  const instantiate = counted(WebAssembly.instantiate);
  await whileReplaced(WebAssembly, 'instantiate', instantiate.stub, async () => {
    await core.init();
    await core.init(Promise.resolve('nonsense'));
    await core.init(new URL('http://127.0.0.1:1/core.wasm'));
  });
  assert.equal(instantiate.uses(), 0);
  assert.ok(works(core));
});

test('a source that is not needed may reject without an unhandled rejection', () => {
  const { status, stderr } = runProgram(`
    import { init, parseGuid } from 'sales-order-intake';
    const starting = init();
    await init(Promise.reject(new Error('while it starts')));
    await starting;
    parseGuid('x');
    await init(Promise.reject(new Error('once it runs')));
    await init(new Promise((_, reject) => setTimeout(reject, 1, new Error('later'))));
    // This timer ends after the one above.
    await new Promise((resolve) => setTimeout(resolve, 2));
  `);
  assert.equal(status, 0, stderr);
});

test('after a trap in a browser that starts only asynchronously, isReady is false until init has started the core', async () => {
  const core = fresh(MAIN);
  await core.init();
  assert.equal(core.isReady(), true);
  function Instance() {
    throw new RangeError(
      'WebAssembly.Instance is disallowed on the main thread, if the buffer size is larger than 8MB.',
    );
  }
  await whileReplaced(WebAssembly, 'Instance', Instance, async () => {
    await trap(core, () => {
      assert.equal(core.isReady(), false);
      assert.throws(() => core.parseGuid(ID), isReason('sync-limit', /await init\(\)/));
    });
    await core.init();
    assert.equal(core.isReady(), true);
    assert.ok(works(core));
  });
});

test('concurrent calls of init share one start', async () => {
  const core = fresh(MAIN);
  const compile = counted(WebAssembly.compile);
  await whileReplaced(WebAssembly, 'compile', compile.stub, async () => {
    assert.deepEqual(await Promise.all([core.init(), core.init(), core.init()]), [undefined, undefined, undefined]);
  });
  assert.equal(compile.uses(), 1);
});

test('a call while init is under way works, and so does init', async () => {
  const core = fresh(MAIN);
  const starting = core.init();
  assert.ok(works(core));
  await starting;
  assert.ok(works(core));
});

test('the texts in the ECMAScript module have the bytes of the two parts of the core', async () => {
  const { coreSource, fatesSource } = await import(pathToFileURL(installedFile('dist/esm/core-source.js')).href);
  const { 'orders.wasm': orders, 'fates.wasm': fates } = builtModules();
  assert.ok(orders.equals(coreSource()));
  assert.ok(fates.equals(fatesSource()));
});

test('the ECMAScript module starts its second part at the first call about a response, or by init', () => {
  const count = (program) => {
    const { stdout, stderr } = runProgram(`
      const { Instance, instantiate } = WebAssembly;
      let started = 0;
      const isPart = (module) => WebAssembly.Module.exports(module).some(({ name }) => name === '__wbindgen_start');
      WebAssembly.Instance = function (module, imports) { started += isPart(module); return new Instance(module, imports); };
      WebAssembly.instantiate = (module, imports) => { started += isPart(module); return instantiate(module, imports); };
      const { init, parseGuid, readError } = await import('sales-order-intake');
      ${program}
      console.log(started);`);
    assert.equal(stderr, '');
    return Number(stdout);
  };
  assert.equal(count(`parseGuid('x'); parseGuid('x');`), 1);
  assert.equal(count(`parseGuid('x'); readError('{}'); readError('{}');`), 2);
  assert.equal(count('await init();'), 2);
});

test('slim has no core of its own, and uses that of the default entry in a program with both', async () => {
  assert.throws(() => fresh(SLIM).parseGuid('x'), isReason('bad-bytes', /slim holds no core/));
  const { esm, slim } = await installed();
  assert.equal(slim.CoreInitError, esm.CoreInitError);
  assert.ok(works(slim));
});
