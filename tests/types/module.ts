// The compiled core as a source of init, with the types of WebAssembly (tests/types/compile.test.mjs).
import { init } from 'sales-order-intake/slim';

export async function start(module: WebAssembly.Module, bytes: BufferSource): Promise<void> {
  await init(module);
  await init(bytes);
  await init(WebAssembly.compileStreaming(fetch('/core.wasm')));
}
