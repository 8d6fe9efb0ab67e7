/** Throws unless the module imports only what its glue (glue.mjs) has, and exports what the glue calls, and nothing else. */
export function checkCore(core, glue) {
  const module = new WebAssembly.Module(core);
  const imported = WebAssembly.Module.imports(module).map(({ name }) => name);
  const unknown = imported.filter((name) => !glue.includes(`function ${name}(`));
  if (unknown.length > 0) throw new Error(`The core imports ${unknown.join(', ')}, which its glue does not have`);
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
  const called = new Set([START, ...[...glue.toString().matchAll(/\bwasm\.(\w+)/g)].map(([, name]) => name)]);
  if (exported.toSorted().join() !== [...called].toSorted().join())
    throw new Error(`The core exports ${exported.join(', ')}; its glue calls ${[...called].join(', ')}`);
}

/** pkg-template/src/instance.ts calls it. */
const START = '__wbindgen_start';
