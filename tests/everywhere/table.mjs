/**
 * The table of docs/reference/runtimes.md: what ran, in which version, and what can't. Written by a run of all cases
 * that passes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/places.mjs';

const PAGE = join(root, 'docs/reference/runtimes.md');
const TABLE =
  /(<!-- everywhere: written by tests\/everywhere\/everywhere\.test\.mjs -->\n)[\s\S]*?(<!-- \/everywhere -->)/;

/** @param versions the version of each environment: `{ 'Node 20': '20.20.2' }` */
export function tableOf(cases, versions) {
  const places = [...new Set(cases.map(({ where }) => where))];
  const works = places.map((place) => {
    const ways = cases.filter(({ where, instead }) => where === place && !instead).map(({ how }) => how);
    return `| ${place} | ${versions[place]} | ${ways.join('; ')} |\n`;
  });
  const reasons = new Map();
  for (const { where, how, instead } of cases.filter(({ instead }) => instead)) {
    const reason = `${how} | ${instead}`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), where]);
  }
  const without = [...reasons].map(([reason, places]) => `| ${places.join(', ')} | ${reason} |\n`);
  return [
    '| Where | Version | How |\n|---|---|---|\n',
    ...works,
    '\nWhat cannot work, and what to do instead:\n\n| Where | How | Why, and what instead |\n|---|---|---|\n',
    ...without,
  ].join('');
}

export function writeTable(table) {
  const page = readFileSync(PAGE, 'utf8');
  writeFileSync(
    PAGE,
    page.replace(TABLE, (_, begin, end) => `${begin}${table}${end}`),
  );
}

/** The versions that the table names. */
export function writtenVersions() {
  return Object.fromEntries(
    [...writtenTable().matchAll(/^\| (.*?) \| ([\d.]+) \|/gm)].map(([, where, version]) => [where, version]),
  );
}

export function writtenTable() {
  return (
    readFileSync(PAGE, 'utf8')
      .match(TABLE)?.[0]
      .split('\n')
      .slice(1, -1)
      .map((line) => `${line}\n`)
      .join('') ?? ''
  );
}
