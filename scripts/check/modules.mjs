/**
 * Checks the files of the Rust crate: `node scripts/check/modules.mjs`.
 *
 * Fails if files depend on each other in a circle. A file depends on each file in which a path of it finds a name: on the one that
 * defines the name, and on those that re-export it. What a module uses of those around it does not count, as the `mod` above it
 * in the tree. Paths begin with `crate`, `self`, `super` or the name of a child module; unit tests may use anything.
 *
 * Fails if a file has more than 300 lines, unless a line of its module doc (`//!`) says why: "More than 300 lines,
 * because …".
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../places.mjs';

const MAX_LINES = 300;

/** The code of each module, by name: `json::reader` is src/json/reader.rs, and the empty name is src/lib.rs. */
const modules = new Map(
  rustFiles('src')
    .filter((path) => !/\btests?(?:\.rs|\/)/.test(path))
    .map((path) => [path === 'src/lib.rs' ? '' : path.slice('src/'.length, -'.rs'.length).replaceAll('/', '::'), path])
    .map(([name, path]) => [name, codeOf(path)]),
);
const uses = new Map([...modules].map(([name, code]) => [name, usesOf(name, code)]));
const dependencies = new Map([...modules.keys()].map((name) => [name, dependenciesOf(name)]));
const circles = circlesOf([...modules.keys()]);
const longFiles = ['src', 'tests', 'benches'].flatMap(rustFiles).filter(isTooLong);

for (const circle of circles) console.error(`circle: ${circle.map((name) => name || 'lib').join(' → ')}`);
for (const path of longFiles) console.error(`${path}: more than ${MAX_LINES} lines, and its first lines don't say why`);
console.log(`check-modules: ${modules.size} modules, ${circles.length} circles, ${longFiles.length} files too long`);
process.exitCode = circles.length + longFiles.length === 0 ? 0 : 1;

function rustFiles(folder) {
  const paths = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const files = paths.filter((path) => path.endsWith('.rs') && !path.includes('node_modules'));
  return files.map((path) => `${folder}/${path.replaceAll('\\', '/')}`).sort();
}

function isTooLong(path) {
  const text = readFileSync(join(root, path), 'utf8');
  const moduleDoc = /^(?:\/\/!.*\n)*/.exec(text)?.[0] ?? '';
  return text.split('\n').length - 1 > MAX_LINES && !moduleDoc.includes(`ore than ${MAX_LINES} lines, because `);
}

/** Returns the source without comments and unit tests. */
function codeOf(path) {
  const text = readFileSync(join(root, path), 'utf8');
  return text.split(/^#\[cfg\(.*\btest\b.*\)\]\n(?:#\[.*\n)*mod \w+ \{/m)[0].replace(/^\s*\/\/.*$/gm, '');
}

/** Returns the paths of a module, from the root of the crate, by the names that `use` gives them; others have none. */
function usesOf(module, code) {
  const trees = [...code.matchAll(/\buse ([^;]*);/g)].flatMap(([, tree]) => expanded(tree.replace(/\s+/g, ' ')));
  const inline = code.replace(/\buse [^;]*;/g, '').match(/(?<![\w:])[a-z_]\w*(?:::\w+)+/g) ?? [];
  const named = trees
    .map((leaf) => leaf.split(' as '))
    .map(([path, alias]) => [path, alias ?? path.split('::').at(-1)]);
  const paths = [...named, ...inline.map((path) => [path, ''])];
  return paths.flatMap(([path, name]) => {
    const segments = absolute(module === '' ? [] : module.split('::'), path.split('::'));
    return segments ? [{ name, segments }] : [];
  });
}

/** Expands the braces of a `use` tree. */
function expanded(tree) {
  const [before, inner] = [tree.split('{', 1)[0], /\{(.*)\}/.exec(tree)?.[1]];
  const parts = inner?.match(/(?:[^,{]|\{(?:[^{}]|\{[^{}]*\})*\})+/g);
  return parts ? parts.filter((part) => part.trim()).flatMap((part) => expanded(before + part.trim())) : [tree.trim()];
}

/**
 * Returns the segments of a path from the root of the crate; undefined if it leads out of the crate.
 *
 * @param {string[]} own the path of the module
 * @param {string[]} path
 * @returns {string[] | undefined}
 */
function absolute(own, [first = '', ...rest]) {
  if (first === 'crate') return rest;
  if (first === 'self') return [...own, ...rest];
  if (first === 'super') return absolute(own.slice(0, -1), rest[0] === 'super' ? rest : ['self', ...rest]);
  return modules.has([...own, first].join('::')) ? [...own, first, ...rest] : undefined;
}

/** Returns the modules in which the paths of a module find a name, but neither itself nor those around it. */
function dependenciesOf(module) {
  const found = (uses.get(module) ?? []).flatMap(({ segments }) => modulesOf(segments));
  return new Set(found.filter((other) => other !== module && !module.startsWith(`${other}::`)));
}

/** Returns the module in which a path finds its name, and those from which it is re-exported. */
function modulesOf(segments, seen = []) {
  let length = segments.length;
  while (!modules.has(segments.slice(0, length).join('::'))) length--;
  const [module, name] = [segments.slice(0, length).join('::'), segments[length]];
  const reexport = uses.get(module)?.find((use) => name !== undefined && use.name === name);
  if (!reexport || seen.includes(module)) return [module];
  return [module, ...modulesOf([...reexport.segments, ...segments.slice(length + 1)], [...seen, module])];
}

/** Returns the shortest circle through each module that is in one; each circle once. */
function circlesOf(names) {
  const found = names.flatMap((start) => {
    const ways = [[start]];
    const seen = new Set();
    for (const way of ways) {
      for (const next of dependencies.get(way.at(-1)) ?? []) {
        if (next === start) return [way];
        if (!seen.has(next)) ways.push([...way, next]);
        seen.add(next);
      }
    }
    return [];
  });
  return [...new Map(found.map((circle) => [[...circle].sort().join(), circle])).values()];
}
