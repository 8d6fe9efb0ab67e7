import {
  deriveOrderId,
  evaluateOrder,
  type IdentifiedOrder,
  type Issue,
  OptionError,
  OrderValidationError,
  parseGuid,
  type PreviewOptions,
  previewOrder,
  type SalesOrderInput,
} from 'sales-order-intake';
import { createClient } from 'sales-order-intake/client';
import { type Entry, OutboxError } from 'sales-order-intake/outbox';
import { baseUrlOf, tokenOf } from '../arguments/base-url-and-token.js';
import type { Invocation } from '../arguments/invocation.js';
import { packageVersion } from '../arguments/program.js';
import { EXIT, type ExitCode, usageProblem } from '../problem.js';
import { explanationsOf, codeEntries } from '../output/explanation.js';
import { derived } from './id.js';
import { openStore, outboxOf, type RelayStore } from '../relay/store.js';
import { referenceOf } from '../sending/changes.js';
import tools from '../mcp-tools.json';

/** What the tools of mcp-tools.json do, by their names. */
type Calls = Record<string, (input: Input) => object | Promise<object>>;

/** The arguments of a call, which each tool checks itself. */
interface Input {
  order?: SalesOrderInput;
  options?: PreviewOptions;
  name?: string | number;
  key?: string;
}

interface Server {
  onclose?: () => void;
  setRequestHandler(schema: unknown, handler: (request: { params: Call }) => unknown): void;
  connect(transport: unknown): Promise<void>;
}

interface Call {
  name: string;
  arguments?: Input;
}

/** The part of the SDK that is used. It is an optional peer, whose types need not be installed. */
interface Sdk {
  Server: new (info: object, options: object) => Server;
  StdioServerTransport: new () => unknown;
  ListToolsRequestSchema: unknown;
  CallToolRequestSchema: unknown;
}

/** A call that is wrong; the message says what to do. */
class CallProblem extends Error {}

/** How long send_order waits for the service before it reports that the order is waiting. */
const SETTLED_MS = 10_000;

/** Serves tools to an assistant on standard input and output, until the input ends. Standard output is for the protocol only. */
export async function run(invocation: Invocation): Promise<ExitCode> {
  const { Server, StdioServerTransport, ListToolsRequestSchema, CallToolRequestSchema } = await sdk();
  const destination = await destinationOf(invocation);
  const calls = { ...READING, ...(destination && sendingCalls(destination)) };
  const listed = tools.filter(({ name }) => Object.hasOwn(calls, name));
  const server = new Server({ name: 'sales-order-intake', version: packageVersion() }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listed }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { name, arguments: input = {} } = params;
    const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
    if (!call) return failed(`There is no tool ${name}. The tools are ${Object.keys(calls).join(', ')}.`);
    const known = Object.keys(listed.find((tool) => tool.name === name)?.inputSchema.properties ?? {});
    const other = Object.keys(input).find((each) => !known.includes(each));
    if (other !== undefined) return failed(`/${other} is unknown. The arguments of ${name} are ${known.join(', ')}.`);
    try {
      return { content: [{ type: 'text', text: JSON.stringify(await call(input)) }] };
    } catch (error) {
      return failed(explained(error));
    }
  });
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    // The transport does not report the end of its input.
    process.stdin.once('end', resolve);
  });
  await server.connect(new StdioServerTransport());
  await closed;
  await destination?.close();
  return EXIT.done;
}

/** Returns the text of an error that a corrected call avoids; throws other errors. */
function explained(error: unknown): string {
  if (error instanceof OrderValidationError) return JSON.stringify({ ok: false, issues: error.issues });
  if ([CallProblem, OptionError, OutboxError].some((known) => error instanceof known)) return (error as Error).message;
  throw error;
}

function failed(text: string): object {
  return { isError: true, content: [{ type: 'text', text }] };
}

const READING: Calls = {
  check_order({ order, options = {} }) {
    const { ok, issues } = evaluateOrder(asObject('order', order), { ...asObject('options', options), id: 'optional' });
    return { ok, issues };
  },
  preview_order: ({ order, options = {} }) => previewOrder(asObject('order', order), asObject('options', options)),
  explain: ({ name = '' }) => explanationOf(name),
};

function explanationOf(name: string | number): object {
  if (name === '') return { codes: codeEntries.map(({ code, severity, meaning }) => ({ code, severity, meaning })) };
  const found = ['string', 'number'].includes(typeof name) ? explanationsOf(String(name)) : [];
  if (found.length > 0) return Object.assign({}, ...found.map(({ json }) => json));
  const expected = 'an issue code, a reason such as RejectedError, or a decision such as D26';
  throw new CallProblem(`/name must be ${expected}; explain without a name lists the codes`);
}

/** Where orders go, and in which namespace their Ids are derived. */
type Destination = Pick<RelayStore, 'outbox' | 'close'> & { namespace: string };

/** Opens the outbox that `--outbox` names; undefined without it: then nothing can be sent. */
async function destinationOf(invocation: Invocation): Promise<Destination | undefined> {
  const [argument, given, namespace] = ['outbox', 'base-url', 'namespace'].map((name) => invocation.text(name));
  // An environment variable alone must not let an assistant send.
  const file = argument === undefined && given === undefined ? undefined : outboxOf(invocation);
  if (file === undefined) {
    if (given !== undefined) throw usageProblem('mcp sends nothing without an outbox: --outbox FILE');
    return undefined;
  }
  if (given === undefined) throw usageProblem('mcp with --outbox needs --base-url URL, the base URL of the service');
  if (namespace === undefined)
    throw usageProblem('mcp with --outbox needs --namespace GUID, a GUID of your own; never change it');
  // One that can't be used ends the command, and not each call.
  derived(namespace, '1');
  const baseUrl = baseUrlOf(invocation);
  const client = createClient({ baseUrl, token: await tokenOf(invocation) });
  const { outbox, close } = await openStore(file, baseUrl, { client });
  outbox.start();
  return { outbox, namespace, close };
}

function sendingCalls({ outbox, namespace }: Destination): Calls {
  const idOf = (input: Input): string => {
    if (typeof input.key !== 'string' || input.key === '')
      throw new CallProblem('/key must be a string that is not empty');
    return deriveOrderId(namespace, input.key);
  };
  return {
    async send_order(input) {
      const orderId = idOf(input);
      const order = asObject('order', input.order);
      const { Id = orderId } = order;
      if (parseGuid(String(Id)) !== orderId)
        throw new CallProblem('/order/Id must be omitted: it is derived from the key');
      try {
        const reference = referenceOf(String(input.key));
        await outbox.add({ ...order, Id: orderId } as IdentifiedOrder, { reference });
      } catch (error) {
        if (!(error instanceof OutboxError && error.reason === 'duplicate')) throw error;
        throw otherOrder(await outbox.get(orderId));
      }
      const settled = await outbox.settled(orderId, { timeoutMs: SETTLED_MS });
      const { issues } = evaluateOrder({ ...order, Id: orderId });
      const warnings = issues.filter(({ severity }) => severity === 'warning');
      return stateOf(settled ?? (await outbox.get(orderId)), orderId, warnings);
    },
    async order_status(input) {
      const orderId = idOf(input);
      return stateOf(await outbox.get(orderId), orderId);
    },
  };
}

/** Returns why an order is not sent if another one has its key. An assistant must not try another key on its own. */
function otherOrder(entry: Entry | null): CallProblem {
  const { state = 'stored', outcome = 'unknown' } = entry ?? {};
  const problem = `Another order with this key is ${state} already; this one was not sent.`;
  const advice = 'If it is the same sale, never send it with another key: there would be two orders.';
  const correction =
    outcome === 'created'
      ? 'Only a person can correct it, at the point of sale.'
      : 'Only a person can replace it, with outbox FILE replace or on the page of operators.';
  return new CallProblem(`${problem} ${advice} ${correction}`);
}

/**
 * Returns what an assistant may read of an entry: numbers, names and sentences of this package. Names and notes of customers stay
 * in the outbox (D45), and so does every text of the service, which an assistant could take for an instruction.
 */
function stateOf(entry: Entry | null, orderId: string, warnings: readonly Issue[] = []): object {
  if (!entry) return { orderId, state: null, note: 'The outbox has no such order: it was never accepted.' };
  const { state, outcome, attempts, reason = null, status = null, detail, issues, body } = entry;
  const receiptNumber = receiptNumberOf(entry.order?.ReceiptNumber);
  const known = { orderId, state, outcome, attempts, reason, status, receiptNumber };
  const order: unknown = body === null ? null : JSON.parse(body);
  const hasWords = detail !== null || issues.length > 0;
  return {
    ...known,
    issues: [...warnings, ...issues].map((issue) => ownIssue(issue, order)),
    ...(hasWords && {
      note: 'What the service says is for a person: outbox FILE list --detail, or the page of operators.',
    }),
  };
}

/** Returns an issue with this package's own text. */
function ownIssue({ code, severity, pointer }: Issue, order: unknown): object {
  const meaning = codeEntries.find((entry) => entry.code === code)?.meaning ?? null;
  return { code, severity, pointer: placeIn(order, pointer), message: meaning };
}

/** Returns a pointer as far as the order has such members: the service may have made it up. */
function placeIn(order: unknown, pointer: string): string {
  let at = order;
  let place = '';
  for (const segment of pointer.split('/').slice(1)) {
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) break;
    at = (at as Record<string, unknown>)[name];
    place += `/${segment}`;
  }
  return place;
}

/** Returns a receipt number if it has the form of one; null if it may be a sentence. */
function receiptNumberOf(text: string | null | undefined): string | null {
  return text && /^(?=.*\d)[\w./#-]{1,24}$/.test(text) ? text : null;
}

function asObject<Value>(name: string, value: Value | undefined): Value {
  if (Object.prototype.toString.call(value) !== '[object Object]') throw new CallProblem(`/${name} must be an object`);
  return value as Value;
}

async function sdk(): Promise<Sdk> {
  // Not literals: the package is optional.
  const modules = ['index', 'stdio'].map((name) => `@modelcontextprotocol/sdk/server/${name}.js`);
  try {
    const all = await Promise.all([...modules, '@modelcontextprotocol/sdk/types.js'].map((name) => import(name)));
    return Object.assign({}, ...all) as Sdk;
  } catch {
    throw usageProblem('mcp needs the SDK of the protocol', 'Install it with: npm install @modelcontextprotocol/sdk@1');
  }
}
