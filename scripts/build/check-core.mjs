/** What the loader calls (pkg-template/src/instance.ts). */
export const EXPORTS = [
  ...['memory', 'call', 'exchange', 'judge_part'],
  ...['__wbindgen_malloc', '__wbindgen_realloc', '__wbindgen_free'],
];

/** Throws unless the core imports and exports what the package's loader expects (pkg-template/src/instance.ts). */
export function checkCore(core) {
  const module = new WebAssembly.Module(core);
  const imported = WebAssembly.Module.imports(module).map(({ name }) => name);
  const unknown = imported.filter((name) => !/^__wbg_fillRandom_[0-9a-f]+$/.test(name));
  if (unknown.length > 0) throw new Error(`The core has imports that the loader does not know: ${unknown.join(', ')}`);
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
  if (exported.toSorted().join() !== EXPORTS.toSorted().join())
    throw new Error(`The core exports ${exported.join(', ')}; the loader expects ${EXPORTS.join(', ')}`);
}
