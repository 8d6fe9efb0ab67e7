/** Writes the npm package: ECMAScript modules and CommonJS from TypeScript, around the core. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from '../places.mjs';
import { fieldOfCrate, versionOfCrate } from './core.mjs';
import { compileModules } from './modules.mjs';
import { writeOrderSchemas } from './order-schemas.mjs';

/** Writes the package into a folder that does not exist yet. @param {import('./core.mjs').Modules} modules */
export async function writePackage(staged, modules) {
  mkdirSync(staged, { recursive: true });
  writeOrderSchemas(staged);
  await compileModules(staged, modules);
  writeFileSync(join(staged, 'core.wasm'), modules['core.wasm']);
  writeManifest(staged, versionOfCrate());
  copyTexts(staged);
}

function writeManifest(staged, version) {
  const manifest = JSON.parse(readFileSync(join(root, 'pkg-template/package.json'), 'utf8'));
  const folders = Object.entries(manifest.exports).filter(([entry, targets]) => entry !== '.' && targets.require);
  for (const [entry, targets] of folders) writeFolderEntry(join(staged, entry), staged, targets);
  const files = [...manifest.files, ...folders.map(([entry]) => `${entry.slice(2)}/package.json`)];
  writeJson(join(staged, 'package.json'), { ...manifest, version, ...addresses(), files });
}

/** Returns the addresses of the package, as Cargo.toml has them; none before they are known. */
export function addresses(folder = root) {
  const repository = fieldOfCrate('repository', folder);
  const homepage = fieldOfCrate('homepage', folder) ?? repository;
  if (repository === undefined) return homepage === undefined ? {} : { homepage };
  return {
    homepage,
    repository: { type: 'git', url: `git+${repository}.git` },
    bugs: `${repository}/issues`,
  };
}

/** Writes a folder that refers to the code of an entry, for tools that do not read `exports`, such as Parcel by default. */
function writeFolderEntry(folder, staged, { default: esm, require: cjs }) {
  const from = (path) => relative(folder, join(staged, path)).split(sep).join('/');
  mkdirSync(folder, { recursive: true });
  writeJson(join(folder, 'package.json'), {
    main: from(cjs.default),
    module: from(esm.default),
    types: from(cjs.types),
  });
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function copyTexts(staged) {
  const files = {
    'core.wasm.d.ts': 'pkg-template/core.wasm.d.ts',
    'core.wasm.d.cts': 'pkg-template/core.wasm.d.ts',
    'NOTICES.md': 'pkg-template/NOTICES.md',
    'CHANGELOG.md': 'CHANGELOG.md',
    'DECISIONS.md': 'docs/reference/decisions.md',
    'ISSUE-CODES.md': 'src/issue-codes.md',
    'LICENSE-MIT': 'LICENSE-MIT',
    'LICENSE-APACHE': 'LICENSE-APACHE',
  };
  for (const [name, source] of Object.entries(files)) cpSync(join(root, source), join(staged, name));
  const pages = { 'README.md': 'pkg-template/README.md', 'OUTBOX.md': 'docs/guides/outbox.md' };
  for (const [name, source] of Object.entries(pages)) writeFileSync(join(staged, name), alone(readPage(source)));
}

function readPage(path) {
  return readFileSync(join(root, path), 'utf8');
}

/** Returns a page that needs no other: with the regions that it includes, without pictures and links to pages of the site. */
function alone(page) {
  return page
    .replaceAll(/^<!--@include: (\S+)#(\w+)-->$/gm, (_, path, region) =>
      readPage(path)
        .split(new RegExp(`<!-- #(?:end)?region ${region} -->`))[1]
        .trim(),
    )
    .replaceAll(/^!\[.*\n\n/gm, '')
    .replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)|\[([^\]]+)\]\([\w-]+\.md(?:#[\w-]+)?\)/g, '$1$2');
}
