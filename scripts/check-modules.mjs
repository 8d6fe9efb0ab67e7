/**
 * Fails if modules of the Rust crate depend on each other in a circle: `node scripts/check-modules.mjs`.
 *
 * Searches the source for paths that begin with `crate::` or `super::`. What a parent re-exports from its own children is not
 * counted; a path into another module counts for the file that defines the last module in it.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.mjs';

const sources = join(root, 'src');
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.rs') && !/^(lib\.rs|bin\/)|tests?\.rs$/.test(path),
);
const modules = new Map(
  files.map((path) => [path.slice(0, -3).replaceAll('/', '::'), codeOf(readFileSync(join(sources, path), 'utf8'))]),
);
const dependencies = new Map(
  [...modules].map(([name, code]) => [
    name,
    new Set(
      pathsOf(code)
        .map((path) => moduleOf(name, path))
        .filter((other) => other && other !== name),
    ),
  ]),
);

const circles = [...dependencies.keys()].flatMap((name) => {
  const circle = wayBack(name);
  // Each circle is shown once, from its first module in alphabetical order.
  return circle?.every((other) => name <= other) ? [circle] : [];
});
for (const circle of circles) console.error(`circle: ${[...circle, circle[0]].join(' → ')}`);
console.log(`check-modules: ${modules.size} modules, ${circles.length} circles`);
process.exitCode = circles.length === 0 ? 0 : 1;

/** Returns the source without comments and unit tests, which may use anything. */
function codeOf(text) {
  return text.split(/^#\[cfg\(.*\btest\b.*\)\]\nmod \w+ \{/m)[0].replace(/^\s*\/\/.*$/gm, '');
}

/** Returns the paths of `use` declarations and of expressions, with nested braces expanded. */
function pathsOf(code) {
  const uses = [...code.matchAll(/\buse ((?:crate|super)[^;]*);/g)].flatMap(([, tree]) =>
    expanded(tree.replace(/\s+/g, ' ')),
  );
  const inline = [...code.matchAll(/\b(?:crate|super)(?:::\w+)+/g)].map(([path]) => path);
  return [...uses, ...inline].map((path) => path.split(' as ')[0].trim());
}

function expanded(tree) {
  const open = tree.indexOf('{');
  if (open < 0) return [tree];
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

/** Returns the module that a path in the module `name` leads to; undefined if it is not a module of this crate. */
function moduleOf(name, path) {
  const segments = path.split('::');
  let base = segments[0] === 'crate' ? [] : name.split('::');
  while (segments[0] === 'super') {
    segments.shift();
    base = base.slice(0, -1);
  }
  if (segments[0] === 'crate') segments.shift();
  const whole = [...base, ...segments];
  for (let length = whole.length; length > 0; length--) {
    const candidate = whole.slice(0, length).join('::');
    if (modules.has(candidate)) return candidate;
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
