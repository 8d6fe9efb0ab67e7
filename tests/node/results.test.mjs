/** Tests that results are plain data of the caller's own: they survive copies, and a change of one changes no other. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from './installed.mjs';
import { deepFreeze, fullOrder } from './orders.mjs';

const { esm } = await installed();
const {
  buildOrder,
  createEvaluator,
  evaluateOrder,
  prepareRequest,
  previewOrder,
  readError,
  readOrder,
  validateOrder,
} = esm;

const options = { discountValueTypes: { amount: 1, percent: 2 }, explain: true };
const RESULTS = {
  'a verdict': () => validateOrder(fullOrder()),
  'a verdict with errors': () => validateOrder({}),
  'a built order': () => buildOrder(fullOrder()),
  'a preview': () => previewOrder(fullOrder(), options),
  'a prepared request': () => prepareRequest(fullOrder()),
  'totals of an evaluation': () => evaluateOrder(fullOrder(), options).totals,
  'the preview of an evaluation': () => evaluateOrder(fullOrder(), options).preview(),
  'the order of an evaluation': () => evaluateOrder(fullOrder(), options).order(),
  'the request of an evaluator': () => createEvaluator(options)(fullOrder()).request(),
  'a received order': () => readOrder('{"Id":"x","items":[{"quantity":5.0}],"More":{"a":[1]}}'),
  'a read error': () => readError('{"Message":"No","ModelState":{"order.Items[0].Quantity":["small"]}}'),
};
for (const [what, make] of Object.entries(RESULTS)) {
  test(`${what} survives structuredClone, JSON, spread and freezing`, () => {
    const result = make();
    assert.deepEqual(structuredClone(result), result);
    assert.deepEqual(JSON.parse(JSON.stringify(result)), result);
    assert.deepEqual({ ...result }, result);
    assert.deepEqual(deepFreeze(make()), result);
  });

  test(`${what} has no getter, no function and no undefined`, () => {
    const visit = (value) => {
      assert.notEqual(typeof value, 'function');
      assert.notEqual(value, undefined);
      if (typeof value !== 'object' || value === null) return;
      assert.ok([Object.prototype, Array.prototype].includes(Object.getPrototypeOf(value)));
      for (const property of Object.values(Object.getOwnPropertyDescriptors(value))) {
        assert.equal(property.get, undefined);
        visit(property.value);
      }
    };
    visit(make());
  });
}

for (const [what, make] of [
  ['evaluateOrder', evaluateOrder],
  ['createEvaluator', createEvaluator()],
]) {
  test(`the data of an evaluation survives structuredClone, JSON and spread (${what})`, () => {
    const evaluation = make(fullOrder());
    const { ok, issues, totals } = evaluation;
    for (const copy of [structuredClone(evaluation), JSON.parse(JSON.stringify(evaluation)), { ...evaluation }])
      assert.deepEqual({ ok: copy.ok, issues: copy.issues, totals: copy.totals }, { ok, issues, totals });
  });
}
