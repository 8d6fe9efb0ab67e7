// Runs every shared vector through the packed package. tests/vectors/bases.json documents the format.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

import { input, listed, subjects } from '../vectors/vectors.mjs';
import { installed } from './installed.mjs';

const { esm } = await installed();
const table = readFileSync(new URL('../../src/issue-codes.md', import.meta.url), 'utf8');
/**
 * The names of the params of each code, with `?` after those that some issues do not have.
 *
 * @type {Map<string, string[]>}
 */
const paramsOf = new Map(
  [...table.matchAll(/^\| `([a-z_]+)` \| .* \| (.*) \| .* \|$/gm)].map(([, code = '', params = '']) => [
    code,
    params.match(/\w+\??/g) ?? [],
  ]),
);

for (const { name, vectors } of subjects) {
  describe(name, () => {
    for (const vector of vectors) test(vector.title, () => check(esm, vector));
  });
}

test('every issue code has a vector', () => {
  const codes = [...table.matchAll(/^\| `([a-z_]+)` \| (error|warning|notice) \|/gm)].map(([, code]) => code);
  const provoked = new Set(
    subjects
      .flatMap(({ vectors }) => vectors)
      .flatMap(({ expect }) => expect?.issues ?? [])
      .map((issue) => (issue.of ?? issue).split(' ')[1]),
  );
  assert.ok(codes.length > 0);
  // A missing random source depends on the platform: api.test.mjs tests it. What differs from an order that was sent is
  // in the vectors of fates.
  assert.deepEqual(
    codes.filter((code) => !provoked.has(code)),
    ['no_random_source', 'differs_from_sent'],
  );
  assert.deepEqual(
    [...provoked].filter((code) => !codes.includes(code)),
    [],
  );
});

function check(api, vector) {
  const { call, options, expect } = vector;
  if (expect?.throws !== undefined) {
    const { throws: name, option } = expect;
    assert.throws(() => run(api, vector), option === undefined ? { name } : { name, option });
    return;
  }
  if ('args' in vector) {
    assert.deepEqual(run(api, vector), expect);
    return;
  }
  const answer = call === 'prepare' ? prepared(api, input(vector), options) : run(api, vector);
  assert.deepEqual(answer.issues.map(line), listed(expect.issues));
  for (const issue of answer.issues) checkIssue(issue);
  checkHints(answer.issues, expect.hints ?? {});
  for (const [pointer, params] of Object.entries(expect.params ?? {}))
    assert.deepEqual(answer.issues.find((issue) => issue.pointer === pointer).params, params);
  answers[call](answer, expect);
  if (call === 'prepare' || call === 'preview') together(api, input(vector), options, answer, call);
}

/** Checks that an evaluation agrees with the functions that it composes. */
function together(api, order, options, answer, call) {
  const evaluation = api.evaluateOrder(order, options);
  const { ok, issues, totals } = evaluation;
  assert.equal(
    ok,
    issues.every(({ severity }) => severity !== 'error'),
  );
  if (!ok) {
    assert.throws(() => evaluation.request(), { name: 'OrderValidationError', issues });
    assert.equal(evaluation.order(), null);
  }
  if (call === 'preview') {
    const { lines: _, steps: __, roundingRange: ___, issues: ofPreview, ...expected } = answer;
    assert.deepEqual(totals, expected);
    assert.deepEqual(evaluation.preview(), answer);
    assert.deepEqual(api.evaluateOrder(order, { ...options, id: 'optional' }).issues, ofPreview);
    const isAboutId = ({ pointer, code }) => pointer === '/Id' && ['missing', 'null_not_allowed'].includes(code);
    assert.deepEqual(
      issues.filter((issue) => !isAboutId(issue)),
      ofPreview,
    );
  } else if (ok) {
    assert.deepEqual(evaluation.request(), answer);
    sameOrder(evaluation.order(), api.buildOrder(order, options).order);
  }
}

/** Further checks of a result, by the function that returned it. */
const answers = {
  validate: verdict,
  build: verdict,
  prepare(answer, expect) {
    if (expect.body === undefined) return;
    assert.equal(answer.body, expect.body);
    assert.equal(answer.path, expect.path);
    assert.equal(answer.orderId, expect.orderId);
    assert.equal(answer.path, `${answer.version}/ServiceOrder(${answer.orderId})`);
    assert.equal(answer.method, 'PUT');
    assert.deepEqual(answer.headers, { Accept: 'application/json', 'Content-Type': 'application/json' });
  },
  preview({ issues, steps, ...preview }, expect) {
    assert.deepEqual(preview, expect.preview);
    assert.deepEqual(steps, expect.steps);
  },
  error(answer, expect) {
    assert.equal(answer.detail, expect.detail);
  },
  read(answer, expect) {
    sameOrder(answer.order, expect.order);
  },
};

function verdict(answer, expect) {
  assert.equal(answer.ok, expect.order !== undefined);
  sameOrder(answer.order, expect.order ?? null);
}

/** Asserts that values are equal and have their members in the same order. */
function sameOrder(actual, expected) {
  assert.deepEqual(actual, expected);
  assert.equal(JSON.stringify(actual), JSON.stringify(expected));
}

function run(api, vector) {
  const { call, options, args } = vector;
  switch (call) {
    case 'validate':
      return api.validateOrder(input(vector), options);
    case 'build':
      return api.buildOrder(input(vector), options);
    case 'prepare':
      return api.prepareRequest(input(vector), options);
    case 'preview':
      return api.previewOrder(input(vector), options);
    case 'error':
      return api.readError(input(vector));
    case 'read':
      return api.readOrder(vector.text === undefined ? JSON.stringify(input(vector)) : input(vector));
    default:
      return api[call](...args);
  }
}

/** Prepares a request; returns the issues of the OrderValidationError if the order is invalid. */
function prepared(api, order, options) {
  try {
    return api.prepareRequest(order, options);
  } catch (error) {
    assert.ok(error instanceof api.OrderValidationError, error);
    return { issues: error.issues };
  }
}

function line({ severity, code, pointer }) {
  return `${severity} ${code} ${pointer}`;
}

/** Checks that the path of an issue equals its pointer, and that it has a message. */
function checkIssue({ code, message, pointer, path, params }) {
  assert.ok(message.length > 0);
  const names = paramsOf.get(code) ?? [];
  assert.ok(
    Object.keys(params).every((name) => names.includes(name) || names.includes(`${name}?`)),
    `${code} has other params in the table: ${names}`,
  );
  assert.ok(
    names.every((name) => name.endsWith('?') || name in params),
    `${code} lacks params of the table: ${names}`,
  );
  const escaped = path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`);
  assert.equal(escaped.join(''), pointer);
}

/** Checks that the hint at a pointer contains the text; null means that the hint suggests no name. */
function checkHints(issues, hints) {
  for (const [pointer, text] of Object.entries(hints)) {
    const { hint = '' } = issues.find((issue) => issue.pointer === pointer);
    if (text === null) assert.doesNotMatch(hint, /did you mean/);
    else assert.ok(hint.includes(text), `"${hint}" does not contain "${text}"`);
  }
}
