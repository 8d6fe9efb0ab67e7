/**
 * The notices of what is compiled into the modules of the package and bundled into its command line: `node
 * scripts/check/notices.mjs` fails if pkg-template/NOTICES.md lacks any of it, `node scripts/check/notices.mjs --write`
 * writes it.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CRATES } from '../build/compile-core.mjs';
import { BUNDLED } from '../build/modules.mjs';
import { program, root } from '../places.mjs';
import { fail, output } from '../run.mjs';

const FILE = join(root, 'pkg-template/NOTICES.md');
const LICENCE = /^(licen[cs]e|copying|notice|unlicense)/i;

const notices = `${noticesOf(linkedCrates())}${noticesOfCli(BUNDLED)}`;
if (process.argv.includes('--write')) writeFileSync(FILE, notices);
else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== notices)
  fail('pkg-template/NOTICES.md is out of date: run `make generate`');

/** Returns the crates whose code can be in a module of the package, without those that run only during the build. */
function linkedCrates() {
  const options = { cwd: root, maxBuffer: 1 << 28 };
  const platform = 'wasm32-unknown-unknown';
  // One by one, as they are built: together they would have each other's features.
  const lines = Object.values(CRATES).map((crate) => {
    const tree = ['tree', '--locked', '--package', crate, '--target', platform, '--edges', 'normal,no-proc-macro'];
    return output('cargo', [...tree, '--prefix', 'none', '--format', '{p}'], options) ?? fail('cargo tree failed');
  });
  const linked = new Set(
    [...lines.join('\n').matchAll(/^(\S+) v(\S+)/gm)].map(([, name, version]) => `${name} ${version}`),
  );
  const metadata = output(
    'cargo',
    ['metadata', '--locked', '--format-version', '1', '--filter-platform', platform],
    options,
  );
  return JSON.parse(metadata ?? fail('cargo metadata failed'))
    .packages.filter(({ name, version, source }) => source !== null && linked.has(`${name} ${version}`))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns the notices. Crates with the same licence text share it. */
function noticesOf(crates) {
  const owners = new Map();
  for (const crate of crates) {
    for (const text of licencesOf(crate))
      owners.set(text, [...(owners.get(text) ?? []), `${crate.name} ${crate.version}`]);
  }
  const list = crates.map(({ name, version, license }) => `- ${name} ${version}: ${license}`);
  const texts = [...owners].map(([text, names]) => `## ${names.join(', ')}\n\n\`\`\`text\n${text}\n\`\`\``);
  return [
    '# Notices',
    'core.wasm and the reference service for tests contain code of the Rust standard library (The Rust Project Contributors, MIT OR Apache-2.0: the text is in LICENSE-APACHE) and of these crates:',
    list.join('\n'),
    ...texts,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

/** Returns the notices of the npm packages in dist/cli. @param {string[]} names */
function noticesOfCli(names) {
  const packages = names.map((name) => {
    const manifest = program(`${name}/package.json`);
    const { version, license } = JSON.parse(readFileSync(manifest, 'utf8'));
    return { name, version, license, manifest_path: manifest };
  });
  const list = packages.map(({ name, version, license }) => `- ${name} ${version}: ${license}`);
  const texts = packages.map(
    (each) => `## ${each.name} ${each.version}\n\n\`\`\`text\n${licencesOf(each).join('\n\n')}\n\`\`\``,
  );
  const intro = 'The command line, dist/cli, contains code of these npm packages:';
  return ['', intro, list.join('\n'), ...texts].join('\n\n').replace(/\n*$/, '\n').slice(1);
}

/** The licence texts of a crate, without Apache-2.0 if that is one of a choice. */
function licencesOf({ name, manifest_path: manifest }) {
  const folder = dirname(manifest);
  const files = readdirSync(folder).filter((file) => LICENCE.test(file));
  const others = files.filter((file) => !/apache/i.test(file));
  const chosen = others.length > 0 ? others : files;
  if (chosen.length === 0) fail(`${name} has no file with its licence`);
  return chosen.map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').trim());
}
