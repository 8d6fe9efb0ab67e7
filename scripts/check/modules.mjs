/**
 * Checks the files of the Rust crate: `node scripts/check/modules.mjs`.
 *
 * Fails if modules depend on each other in a circle. Searches the source for paths that begin with `crate`, `self`, `super`
 * or the name of a child module. A path counts for the file that defines the name, however many modules re-export it; what
 * a module only re-exports is not counted.
 *
 * Fails if a file has more than 300 lines, unless a line of its module doc (`//!`) says why: "More than 300 lines,
 * because …".
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../places.mjs';

const MAX_LINES = 300;

const modules = new Map(
  rustFiles('src')
    .filter((path) => !/^src\/bin\/|\btests?(?:\.rs|\/)/.test(path))
    .map((path) => [moduleName(path), codeOf(path)]),
);
/** The paths that a module re-exports, by module and name. */
const reexports = new Map(
  [...modules].flatMap(([name, code]) =>
    usesOf(code)
      .filter((use) => use.isPublic)
      .map((use) => [`${name} ${use.name}`, absolute(name, use.path)]),
  ),
);
const dependencies = new Map([...modules].map(([name, code]) => [name, dependenciesOf(name, code)]));

const circles = [...dependencies.keys()].flatMap((name) => {
  const circle = wayBack(name);
  // Each circle is shown once, from its first module in alphabetical order.
  return circle?.every((other) => name <= other) ? [circle] : [];
});
const longFiles = ['src', 'tests', 'benches'].flatMap(rustFiles).filter(isTooLong);

for (const circle of circles) console.error(`circle: ${[...circle, circle[0]].join(' → ')}`);
for (const path of longFiles) console.error(`${path}: more than ${MAX_LINES} lines, and its first lines don't say why`);
console.log(`check-modules: ${modules.size} modules, ${circles.length} circles, ${longFiles.length} files too long`);
process.exitCode = circles.length + longFiles.length === 0 ? 0 : 1;

function rustFiles(folder) {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.rs') && !path.includes('node_modules'))
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .sort();
}

function isTooLong(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const moduleDoc = /^(?:\/\/!.*\n)*/.exec(text)?.[0] ?? '';
  return text.split('\n').length - 1 > MAX_LINES && !moduleDoc.includes(`ore than ${MAX_LINES} lines, because `);
}

/** Returns `json::reader` for src/json/reader.rs, and an empty name for src/lib.rs. */
function moduleName(path) {
  return path === 'src/lib.rs' ? '' : path.slice('src/'.length, -'.rs'.length).replaceAll('/', '::');
}

/** Returns the source without comments and unit tests, which may use anything. */
function codeOf(path) {
  const text = readFileSync(join(root, path), 'utf8');
  return text.split(/^#\[cfg\(.*\btest\b.*\)\]\n(?:#\[.*\n)*mod \w+ \{/m)[0].replace(/^\s*\/\/.*$/gm, '');
}

/** Returns the names that `use` declarations bring into a module, each with its path. */
function usesOf(code) {
  return [...code.matchAll(/\b(pub(?:\([^)]*\))? )?use ([^;]*);/g)].flatMap(([, isPublic, tree]) =>
    expanded(tree.replace(/\s+/g, ' ')).map((leaf) => {
      const [path, alias] = leaf.split(' as ');
      return { isPublic: isPublic !== undefined, path, name: alias ?? path.split('::').at(-1) };
    }),
  );
}

/** Expands the braces of a `use` tree. */
function expanded(tree) {
  const open = tree.indexOf('{');
  if (open < 0) return [tree.trim()];
  const parts = [''];
  let depth = 0;
  for (const c of tree.slice(open + 1, tree.lastIndexOf('}'))) {
    if (c === '{') depth++;
    if (c === '}') depth--;
    if (c === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += c;
  }
  return parts.filter((part) => part.trim() !== '').flatMap((part) => expanded(tree.slice(0, open) + part.trim()));
}

/** Returns the modules that define what a module uses. The root of the crate defines nothing. */
function dependenciesOf(name, code) {
  const rest = code.replace(/\buse [^;]*;/g, '');
  const used = usesOf(code).filter((use) => !use.isPublic || new RegExp(`\\b${use.name}\\b`).test(rest));
  const inline = [...rest.matchAll(/(?<![\w:])[a-z_]\w*(?:::\w+)+/g)].map(([path]) => path);
  const paths = [...used.map((use) => use.path), ...inline];
  const others = paths.map((path) => definingModule(absolute(name, path)));
  return new Set(others.filter((other) => other && other !== name));
}

/** Returns the segments of a path from the root of the crate; undefined if it leads out of the crate. */
function absolute(name, path) {
  const [first, ...rest] = path.split('::');
  const own = name === '' ? [] : name.split('::');
  if (first === 'crate') return rest;
  if (first === 'self') return [...own, ...rest];
  if (first === 'super') {
    const parent = own.slice(0, -1).join('::');
    return absolute(parent, rest[0] === 'super' ? rest.join('::') : ['self', ...rest].join('::'));
  }
  return modules.has([...own, first].join('::')) ? [...own, first, ...rest] : undefined;
}

/** Returns the module that defines what a path leads to. */
function definingModule(path) {
  for (let length = path?.length ?? -1; length >= 0; length--) {
    const candidate = path.slice(0, length).join('::');
    if (!modules.has(candidate)) continue;
    const target = reexports.get(`${candidate} ${path[length]}`);
    return target ? definingModule([...target, ...path.slice(length + 1)]) : candidate;
  }
  return undefined;
}

/** Returns the shortest circle of modules that contains a module, or undefined. */
function wayBack(start) {
  const ways = [[start]];
  const seen = new Set();
  for (const way of ways) {
    for (const next of dependencies.get(way.at(-1)) ?? []) {
      if (next === start) return way;
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}
