/** Compiles a module of the package: the entry's own, or the source that a caller passes to init. */
import { CoreInitError, InternalError } from './errors.js';
import type { CoreSource } from './types.js';

/** A module of an entry: a function that returns its bytes or, on edge workers, the compiled module. */
export type OwnCore = (() => Uint8Array<ArrayBuffer>) | WebAssembly.Module;

/** Compiles an entry's own module synchronously. */
export function compileSync(source: OwnCore | undefined): WebAssembly.Module {
  requirePlatform();
  const own = contentOf(source);
  return isModule(own) ? own : startable(() => new WebAssembly.Module(own));
}

/** Compiles `source`, or the entry's own module if it is undefined, without blocking the page. */
export async function compile(source: CoreSource | undefined, own: OwnCore | undefined): Promise<WebAssembly.Module> {
  requirePlatform();
  const given: unknown =
    source === undefined ? contentOf(own) : await reached('the source given to init failed', () => source);
  if (isModule(given)) return given;
  const bytes = await bytesOf(given);
  return startable(() => WebAssembly.compile(bytes));
}

/**
 * Runs a step of starting WebAssembly. Throws a CoreInitError with the reason if it fails, an InternalError without memory.
 *
 * Engines share no error types here, so the message decides: V8 has CompileError for a policy and RangeError for its
 * limit on the main thread, WebKit EvalError for a policy.
 */
export function startable<T>(step: () => T): T;
export function startable<T>(step: () => Promise<T>): Promise<T>;
export function startable<T>(step: () => T | Promise<T>): T | Promise<T> {
  try {
    const started = step();
    return started instanceof Promise ? started.catch(fail) : started;
  } catch (cause) {
    return fail(cause);
  }
}

function fail(cause: unknown): never {
  if (cause instanceof CoreInitError) throw cause;
  const text = String(cause);
  if (cause instanceof EvalError || /content security policy|\bCSP\b|disallowed by embedder/i.test(text)) {
    throw new CoreInitError(
      'csp',
      "compiling WebAssembly is forbidden here: add 'wasm-unsafe-eval' to script-src of the content security policy; " +
        'where the host forbids it, as edge workers do, bundle with its condition (workerd, edge-light), or import ' +
        'sales-order-intake/core.wasm as a module and give it to init of sales-order-intake/slim; the reference service does not run ' +
        'in such workers, but in Node beside them',
      { cause },
    );
  }
  if (cause instanceof RangeError && /main thread|disallowed/i.test(text)) {
    throw new CoreInitError(
      'sync-limit',
      'this browser compiles the core only asynchronously: await init() before the first call',
      { cause },
    );
  }
  if (cause instanceof RangeError) {
    throw new InternalError('no memory or stack was left to start the core; the next call tries again', { cause });
  }
  throw new CoreInitError(
    'bad-bytes',
    'these bytes are not the core of this version: give init the core.wasm of this package',
    { cause },
  );
}

function requirePlatform(): void {
  if (typeof WebAssembly !== 'object') {
    throw new CoreInitError(
      'no-wasm',
      'this platform has no WebAssembly, or it is switched off: use a current browser or Node',
    );
  }
  if (typeof TextEncoder !== 'function' || typeof TextDecoder !== 'function') {
    throw new CoreInitError(
      'no-wasm',
      'this platform has no TextEncoder and no TextDecoder to speak to the core with: a page of jsdom in Jest is to be given ' +
        'those of node:util by a setup file, or the test is to run in the environment node',
    );
  }
}

/** Returns the bytes; on edge workers, which cannot compile bytes, the module. */
function contentOf(source: OwnCore | undefined): Uint8Array<ArrayBuffer> | WebAssembly.Module {
  if (source === undefined) {
    throw new CoreInitError(
      'bad-bytes',
      'sales-order-intake/slim holds no core: await init(source) before the first call, with sales-order-intake/core.wasm as source',
    );
  }
  return typeof source === 'object' ? source : startable(source);
}

function isModule(given: unknown): given is WebAssembly.Module {
  return isA<WebAssembly.Module>(given, 'WebAssembly.Module');
}

/** Compares the tag, because a value of another realm, such as that of a sandboxed edge route, is not an instance of this realm's class. */
function isA<Type>(given: unknown, tag: string): given is Type {
  return Object.prototype.toString.call(given) === `[object ${tag}]`;
}

async function bytesOf(given: unknown): Promise<BufferSource> {
  if (isA<ArrayBuffer>(given, 'ArrayBuffer')) return given;
  // Some engines do not accept a DataView.
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer as ArrayBuffer, given.byteOffset, given.byteLength);
  if (isA<Response>(given, 'Response')) return body(given);
  if (typeof given === 'string' || isA<URL>(given, 'URL')) {
    const problem =
      'fetch failed; outside a page the address must be absolute, and if file: addresses are not supported, read the file ' +
      'and give init its bytes';
    return body(await reached(problem, () => fetch(given)));
  }
  throw new CoreInitError(
    'bad-bytes',
    'init takes an address, a URL, a Response, bytes, a WebAssembly.Module, or a promise of one of these',
  );
}

/** Reads the whole body. compileStreaming would reject the core from servers that do not know the media type of WebAssembly. */
async function body(response: Response): Promise<ArrayBuffer> {
  if (!response.ok) throw unreachable(`the server responded with ${response.status}`);
  return reached('the body could not be read', () => response.arrayBuffer());
}

/** Waits for a step of fetching the core. */
async function reached<Value>(problem: string, step: () => Value | PromiseLike<Value>): Promise<Value> {
  try {
    return await step();
  } catch (cause) {
    throw unreachable(problem, cause);
  }
}

function unreachable(what: string, cause?: unknown): CoreInitError {
  return new CoreInitError('network', `the core could not be fetched: ${what}. init can be called again`, { cause });
}
