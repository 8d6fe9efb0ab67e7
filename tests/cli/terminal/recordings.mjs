/**
 * Runs each command of the command line on the files of examples/cli, and puts what it prints into docs/reference/cli.md:
 * `--write` writes, otherwise it fails if the page is out of date.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeOf } from '../../../scripts/node.mjs';
import { pkg, root, target } from '../../../scripts/places.mjs';
import { fail } from '../../../scripts/run.mjs';

export const PAGE = join(root, 'docs/reference/cli.md');
const MAIN = join(pkg, 'dist/cli/main.js');
/** In the page the service is where `serve` starts it by default. */
const SHOWN_URL = 'http://127.0.0.1:4010';
const TOKEN = 'demo-token';
const CSV = 'november.csv --map mapping.json';

/** The commands to record, by name. `SERVICE` is replaced by the base URL of the reference service, which is recorded first. */
const RECORDINGS = {
  help: ['--help'],
  check: ['check broken.json'],
  'check-csv': [`check ${CSV}`],
  'preview-explain': ['preview order.json --explain --options options.json | head -n 17'],
  'preview-total': [`preview ${CSV} | tail -n 7`],
  'request-curl': ['request order.json --base-url https://intake.example.com/orders'],
  send: [`send ${CSV} --base-url SERVICE`],
  outbox: ['outbox november.csv list'],
  id: ['id --namespace 51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b --key cart-1042'],
  explain: ['explain quantity_not_positive | head -n 6'],
};
const MARKS = /<!-- recording: ([a-z-]+) -->\n[\s\S]*?<!-- end of recording -->/g;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const page = await recordedPage();
  if (process.argv.includes('--write')) writeFileSync(PAGE, page);
  else if (readFileSync(PAGE, 'utf8') !== page)
    fail('docs/reference/cli.md is out of date: run `node tests/cli/terminal/recordings.mjs --write`');
}

/** The page, with what the commands print now. */
export async function recordedPage() {
  mkdirSync(join(target, 'cli'), { recursive: true });
  const cwd = mkdtempSync(join(target, 'cli', 'recording-'));
  cpSync(join(root, 'examples/cli'), cwd, { recursive: true });
  const service = await startService(cwd);
  try {
    const texts = new Map([
      ['serve', block(`$ sales-order-intake serve --token ${TOKEN}`, shown(service.text, service))],
    ]);
    for (const [name, [command = '']] of Object.entries(RECORDINGS)) {
      texts.set(name, await recording(command, cwd, service));
    }
    const page = readFileSync(PAGE, 'utf8');
    const unused = [...texts.keys()].filter((name) => !page.includes(`<!-- recording: ${name} -->`));
    if (unused.length > 0) fail(`docs/reference/cli.md does not show the recordings ${unused.join(', ')}`);
    return page.replace(MARKS, (_, name) => {
      const text = texts.get(name) ?? fail(`docs/reference/cli.md names the recording ${name}, which is unknown`);
      return `<!-- recording: ${name} -->\n\n${text}\n\n<!-- end of recording -->`;
    });
  } finally {
    service.stop();
    rmSync(cwd, { recursive: true, force: true });
  }
}

async function recording(command, cwd, service) {
  const [program, cut = ''] = command.replace('SERVICE', service.baseUrl).split(' | ');
  const words = program.split(' ');
  const whole = await outputOf(words, cwd);
  const [filter, , count] = cut.split(' ');
  const lines = whole.trimEnd().split('\n');
  const shownLines = { head: lines.slice(0, Number(count)), tail: lines.slice(-Number(count)) };
  const text = filter ? shownLines[filter].join('\n') : whole;
  return block(`$ sales-order-intake ${command.replace('SERVICE', SHOWN_URL)}`, shown(text, service));
}

function block(...lines) {
  return ['```text', ...lines.map((line) => line.trimEnd()), '```'].join('\n');
}

function shown(text, { baseUrl }) {
  return text.replaceAll(baseUrl, SHOWN_URL);
}

/** Results, then hints and errors. Lines of progress are left out: whether there are any depends on the machine. */
function outputOf(words, cwd) {
  const child = spawn(nodeOf('24'), [MAIN, ...words], { cwd, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err] = [child.stdout, child.stderr].map((stream) => {
    const chunks = [];
    stream.setEncoding('utf8').on('data', (chunk) => chunks.push(chunk));
    return chunks;
  });
  return new Promise((resolve) => {
    child.on('close', () => resolve(`${out.join('')}${err.join('').replace(/^.* settled: .*\n/gm, '')}`));
  });
}

async function startService(cwd) {
  const child = spawn(nodeOf('24'), [MAIN, 'serve', '--port', '0', '--token', TOKEN], {
    cwd,
    env: environment(),
  });
  let text = '';
  child.stdout.setEncoding('utf8');
  while (!/^IntegratorId .*\n/m.test(text)) {
    text += await new Promise((resolve) => child.stdout.once('data', resolve));
  }
  child.stdout.resume();
  child.stderr.resume();
  const baseUrl = /^base URL +(.*)$/m.exec(text)?.[1] ?? '';
  return { baseUrl, text: text.split('\n').slice(0, 5).join('\n'), stop: () => child.kill('SIGKILL') };
}

function environment() {
  const { NO_COLOR: _1, FORCE_COLOR: _2, npm_command: _3, ...rest } = process.env;
  return { ...rest, SALES_ORDER_INTAKE_TOKEN: TOKEN };
}
