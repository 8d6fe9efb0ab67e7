/**
 * Prints what the simulation alone executes of client and outbox:
 * `node scripts/node.mjs sqlite --no-warnings tests/simulation/coverage.mjs`. RUNS=… runs, from SEED=…, of WORLDS=….
 */
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rollup/parseAst';
import { simulate } from './runs.mjs';
import { system } from './sources.mjs';

const { RUNS = '1000', SEED = '1', WORLDS } = process.env;
/** esbuild names each module above its code. */
const MODULE = /^\/\/ ((?:www|outbox|cli)\/\S+)$/gm;

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const worlds = WORLDS?.split(',');
const { figures } = await simulate(await system(), {
  seed: Number(SEED),
  runs: Number(RUNS),
  ...(worlds && { worlds }),
});
const { result } = await session.post('Profiler.takePreciseCoverage');
const script = result.find(({ url }) => /target\/simulation\/\w+\.mjs$/.test(url));
if (!script) throw new Error('the module is not among the scripts');
const code = readFileSync(fileURLToPath(script.url), 'utf8');
/** The innermost last. */
const ranges = script.functions
  .flatMap((each) => each.ranges)
  .sort((a, b) => b.endOffset - b.startOffset - (a.endOffset - a.startOffset));
const modules = [...code.matchAll(MODULE)].map(({ index, 1: name }) => ({ index, name }));
const totals = new Map();
visit(/** @type {any} */ (parseAst(code)));

console.log(`SEED=${SEED}, ${figures.runs} runs: executed of statements, and of branches`);
for (const [folder, { statements, branches }] of [...totals].sort(([a], [b]) => a.localeCompare(b)))
  console.log(`${folder.padEnd(40)} ${share(statements)} ${share(branches)}`);

function countAt(offset) {
  return ranges.findLast(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)?.count ?? 0;
}

function note(kind, { start }, isExecuted) {
  const file = modules.findLast(({ index }) => index <= start)?.name;
  if (!file) return;
  for (const name of [file.split('/').slice(0, -1).join('/'), file]) {
    const total = totals.get(name) ?? { statements: [0, 0], branches: [0, 0] };
    totals.set(name, total);
    total[kind][1]++;
    if (isExecuted) total[kind][0]++;
  }
}

function visit(node) {
  const isStatement = /Statement$|^VariableDeclaration$/.test(node.type) && node.type !== 'BlockStatement';
  if (isStatement) note('statements', node, countAt(node.start) > 0);
  const arms = {
    IfStatement: () => [node.consequent, node.alternate],
    ConditionalExpression: () => [node.consequent, node.alternate],
    LogicalExpression: () => [node.right],
    AssignmentPattern: () => [node.right],
    SwitchCase: () => [node],
  }[node.type]?.();
  for (const arm of arms ?? []) {
    if (arm) note('branches', arm, countAt(arm.start) > 0);
    // Without an else: the condition was false at least once.
    else note('branches', node, countAt(node.start) > countAt(node.consequent.start));
  }
  for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') visit(child);
}

function share([executed, all]) {
  return `${executed}/${all}`.padStart(10) + `${((100 * executed) / Math.max(1, all)).toFixed(1)} %`.padStart(9);
}
process.exit();
