/**
 * The fast lane for plain orders, in front of the general path.
 *
 * An order with common members only is written as its request body at once (writer.ts); the core decides in one pass over
 * these bytes whether the order is plain, and computes its amounts (src/plain.rs); the results are built from these and the
 * body. Simple mistakes are remarks of the core, from which the issues are made (issues.ts). Every function returns null if
 * the order or the options are not plain. The general path then does everything anew, so an order is plain or not without
 * anybody noticing.
 */
import { copyOfIssue } from '../core-response.js';
import { OrderValidationError } from '../errors.js';
import { evaluatedOf, OrderEvaluation } from '../evaluation.js';
import { judge } from '../loader.js';
import type { Evaluation, Issue, PreparedRequest, Preview, ReceivedOrder, Verdict } from '../types.js';
import { type Judgement, RESPONSE } from './exchange.js';
import { issuesOf } from './issues.js';
import { areInOrder, type Remark, remarksOf } from './remarks.js';
import { linesOf, orderOf, requestOf, runningTotalsOf, totalsOf } from './result.js';
import { jsonOf, type Setting, settingOf } from './setting.js';
import { ANY_PAIRS, ID_START, writeBody } from './writer.js';

interface PlainOrder extends Judgement {
  id: string | undefined;
  body: string;
  taxIds: readonly string[];
  setting: Setting;
  remarks: readonly Remark[];
}

export function plainEvaluation(input: unknown, options: unknown): Evaluation | null {
  const plain = judged(input, laneSetting(options));
  return plain && evaluationOf(plain, () => plain.body);
}

/** The evaluation of an order that was evaluated in parts, and the running totals of its items. */
export interface PlainRest {
  evaluation: Evaluation;
  totals: string;
}

/**
 * Evaluates an order in which one item represents all, from terms (wasm/src/incremental.rs). `orderJson` makes the JSON of the
 * whole order of the body.
 */
export function plainRest(
  input: unknown,
  items: readonly unknown[],
  terms: readonly string[],
  setting: Setting | null,
  orderJson: (body: string) => string,
): PlainRest | null {
  const plain = judged(input, setting, { items, terms: `${terms.join('\n')}\n` });
  if (!plain) return null;
  const { body } = plain;
  const totals = runningTotalsOf(plain);
  return { evaluation: evaluationOf(plain, () => orderJson(body), false), totals };
}

function evaluationOf(plain: PlainOrder, json: () => string, hasRequest = true): Evaluation {
  const { id, taxIds, setting } = plain;
  const totals = totalsOf(plain, taxIds, setting);
  const issues = issuesOf(plain);
  const ok = id !== undefined && isValid(issues);
  const request = ok && hasRequest ? preparedOf(plain, id, issues.map(copyOfIssue)) : undefined;
  const evaluated = evaluatedOf(id ?? null, json, () => jsonOf(setting), request);
  return new OrderEvaluation(ok, issues, totals, evaluated);
}

export function plainPreview(input: unknown, options: unknown): Preview | null {
  const prices: number[] = [];
  const plain = typeof input === 'string' ? null : judged(input, laneSetting(options), { prices });
  if (!plain) return null;
  const totals = totalsOf(plain, plain.taxIds, plain.setting);
  const lines = linesOf(orderOf(plain.body), prices, plain, totals);
  // An Id is for sending: a cart has none.
  const issues = issuesOf(plain).filter(({ code }) => code !== 'missing');
  return { ...totals, lines, issues };
}

export function plainVerdict(input: unknown, options: unknown): Verdict | null {
  const plain = judged(input, laneSetting(options));
  if (!plain?.id) return null;
  const issues = ofRules(issuesOf(plain));
  const ok = isValid(issues);
  return { ok, order: ok ? orderOf(plain.body) : null, issues } as Verdict;
}

export function plainRequest(input: unknown, options: unknown): PreparedRequest | null {
  const plain = judged(input, laneSetting(options));
  if (!plain?.id) return null;
  const issues = issuesOf(plain);
  if (!isValid(issues)) throw new OrderValidationError(plain.id, ofRules(issues));
  return preparedOf(plain, plain.id, issues);
}

/** Returns the order of a response if all its members are canonical; the general path leaves out those that are null. */
export function plainResponse(body: unknown): ReceivedOrder | null {
  if (typeof body !== 'string' || !body.startsWith(ID_START) || body.includes(':null')) return null;
  return judge({ parts: [body], pairs: ANY_PAIRS, items: [] }, RESPONSE) && orderOf<ReceivedOrder>(body);
}

/** Orders of one program are much alike: after one that is not plain, the lane lets some pass without a look. */
const MAX_SKIPS = 7;
let skips = 0;
let skipped = 0;

/** What is judged beside the order, or in place of a part of it. */
interface Parts {
  /** Gets the extended prices of the lines; an order with remarks is then not plain. */
  prices?: number[];
  /** In place of the items of the order. */
  items?: readonly unknown[];
  terms?: string;
}

function judged(input: unknown, setting: Setting | null, { prices, items, terms }: Parts = {}): PlainOrder | null {
  if (!setting || skipped++ < skips) return null;
  const body = attempt(() => writeBody(input, items));
  const judgement = body && judge(body, setting.code, prices, terms);
  const remarks = judgement ? remarksOf(judgement) : [];
  const isPlain =
    judgement && (remarks.length === 0 || (!prices && attempt(() => areInOrder(remarks, input, body.items))));
  skipped = 0;
  skips = isPlain ? 0 : Math.min(2 * skips + 1, MAX_SKIPS);
  if (!isPlain) return null;
  const { parts, id, taxIds } = body;
  const { flags, numbers } = judgement;
  return { flags, numbers, id, body: concatenated(parts), taxIds, setting, remarks };
}

/** Returns null if the lane does not know an option. */
export function laneSetting(options: unknown): Setting | null {
  return attempt(() => settingOf(options));
}

/** A getter or a proxy may throw: the general path reports where. */
function attempt<Result>(work: () => Result | null): Result | null {
  try {
    return work();
  } catch {
    return null;
  }
}

function preparedOf(plain: PlainOrder, id: string, issues: readonly Issue[]): PreparedRequest {
  const request = requestOf(id, plain.body, plain.setting);
  request.issues = ofRules(issues);
  return request;
}

/** Leaves out what concerns only the totals. */
function ofRules(issues: readonly Issue[]): Issue[] {
  return issues.filter(({ code }) => code !== 'tax_unknown');
}

function isValid(issues: readonly Issue[]): boolean {
  return issues.every(({ severity }) => severity !== 'error');
}

/** Unlike `join`, leaves it to the engine when a long body is copied. */
function concatenated(parts: readonly string[]): string {
  let text = '';
  for (const part of parts) text += part;
  return text;
}
