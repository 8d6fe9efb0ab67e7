/**
 * Tests createEvaluator with state libraries: Vue, Solid, Svelte, signals and Immer. Run it with --conditions=browser:
 * otherwise Solid and Svelte load their versions for servers.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { computed as computedSignal, signal } from '@preact/signals-core';
import { produce } from 'immer';
import { createMemo, createRoot, createSignal } from 'solid-js';
import { createStore, unwrap } from 'solid-js/store';
import { compileModule } from 'svelte/compiler';
import { computed, isReactive, reactive, readonly, ref, shallowRef } from 'vue';
import { installed } from '../node/installed.mjs';
import { item, minimalOrder } from '../node/orders.mjs';

const { esm } = await installed();
const { createEvaluator, evaluateOrder } = esm;

/** Asserts that the data of an evaluation equals that of a fresh evaluation of the plain order. */
function assertFresh(evaluation, order) {
  const { ok, issues, totals } = evaluateOrder(order);
  assert.deepEqual({ ok: evaluation.ok, issues: evaluation.issues, totals: evaluation.totals }, { ok, issues, totals });
  if (ok) assert.equal(evaluation.request().body, evaluateOrder(order).request().body);
}

function cart() {
  return minimalOrder({ Items: [item(), item({ Quantity: 1 }), item({ Quantity: 3 })] });
}

/** Returns the order with another quantity in one line; all other objects are the same. */
function withQuantity(order, index, Quantity) {
  return { ...order, Items: order.Items.map((one, i) => (i === index ? { ...one, Quantity } : one)) };
}

const EDITS = [
  [1, 5],
  [0, 0],
  [2, 'x'],
  [0, '2.5'],
  [2, 1],
];

describe('Vue', () => {
  test('does not wrap an evaluation in a proxy, so that its functions work', () => {
    for (const evaluation of [evaluateOrder(cart()), createEvaluator()(cart())]) {
      assert.equal(reactive({ evaluation }).evaluation, evaluation);
      assert.equal(ref(evaluation).value, evaluation);
      assert.equal(readonly({ evaluation }).evaluation, evaluation);
      assert.equal(isReactive(reactive(evaluation)), false);
      const { request, order, preview } = ref(evaluation).value;
      assert.equal(request().orderId, order().Id);
      assert.equal(preview().lines.length, 3);
    }
  });

  for (const [name, box] of Object.entries({
    shallowRef: (order) => shallowRef(order),
    'ref, which makes reactive proxies': (order) => ref(order),
  }))
    test(`computed, with ${name} and new objects for each change`, () => {
      const order = box(cart());
      const evaluate = createEvaluator();
      const evaluation = computed(() => evaluate(order.value));
      let expected = cart();
      assertFresh(evaluation.value, expected);
      for (const [index, quantity] of EDITS) {
        order.value = withQuantity(order.value, index, quantity);
        expected = withQuantity(expected, index, quantity);
        assertFresh(evaluation.value, expected);
      }
    });

  test('reactive items that are changed in place', () => {
    const order = reactive(cart());
    const evaluate = createEvaluator();
    const evaluation = computed(() => evaluate(order));
    const expected = cart();
    for (const [index, quantity] of EDITS) {
      order.Items[index].Quantity = quantity;
      expected.Items[index].Quantity = quantity;
      assertFresh(evaluation.value, expected);
    }
    order.Items.push(item({ Quantity: 9 }));
    expected.Items.push(item({ Quantity: 9 }));
    assertFresh(evaluation.value, expected);
  });
});

describe('Solid', () => {
  test('a signal with new objects for each change', () => {
    createRoot((dispose) => {
      const [order, setOrder] = createSignal(cart());
      const evaluate = createEvaluator();
      const evaluation = createMemo(() => evaluate(order()));
      let expected = cart();
      for (const [index, quantity] of EDITS) {
        setOrder((before) => withQuantity(before, index, quantity));
        expected = withQuantity(expected, index, quantity);
        assertFresh(evaluation(), expected);
      }
      dispose();
    });
  });

  test('a store, which changes items in place', () => {
    createRoot((dispose) => {
      const [order, setOrder] = createStore(cart());
      const evaluate = createEvaluator();
      const evaluation = createMemo(() => evaluate(order));
      let expected = cart();
      for (const [index, quantity] of EDITS) {
        setOrder('Items', index, 'Quantity', quantity);
        expected = withQuantity(expected, index, quantity);
        assertFresh(evaluation(), expected);
      }
      dispose();
    });
  });

  test('proxies of a store are read like the objects behind them, and an evaluation in a store is not wrapped', () => {
    const [order] = createStore(cart());
    assertFresh(createEvaluator()(order), unwrap(order));
    const [store] = createStore({ evaluation: evaluateOrder(cart()) });
    assert.equal(store.evaluation.request().orderId, cart().Id);
  });
});

describe('Svelte', async () => {
  const { replaced, changedInPlace } = await compiled(`
    import { flushSync } from 'svelte';

    export function replaced(cart, evaluate, edits, check) {
      let order = $state.raw(cart);
      const evaluation = $derived(evaluate(order));
      let items = $state(cart.Items);
      const ofProxies = $derived(evaluate({ ...cart, Items: items }));
      return $effect.root(() => {
        for (const [index, Quantity] of edits) {
          order = { ...order, Items: order.Items.map((one, i) => (i === index ? { ...one, Quantity } : one)) };
          flushSync();
          check(evaluation, order);
          items[index] = { ...items[index], Quantity };
          flushSync();
          check(ofProxies, order);
        }
      });
    }

    export function changedInPlace(cart, evaluate, edits, check) {
      const order = $state(cart);
      const evaluation = $derived(evaluate(order));
      return $effect.root(() => {
        for (const [index, Quantity] of edits) {
          order.Items[index].Quantity = Quantity;
          flushSync();
          check(evaluation, $state.snapshot(order));
        }
      });
    }
  `);

  for (const [title, run] of [
    ['$state.raw, and $state whose items are replaced, in $derived', replaced],
    ['$state that is changed in place', changedInPlace],
  ])
    test(title, () => {
      let checks = 0;
      const check = (evaluation, order) => {
        checks++;
        assertFresh(evaluation, order);
      };
      run(cart(), createEvaluator(), EDITS, check)();
      assert.ok(checks >= EDITS.length);
    });
});

describe('signals', () => {
  test('a signal with new objects for each change, in computed', () => {
    const order = signal(cart());
    const evaluate = createEvaluator();
    const evaluation = computedSignal(() => evaluate(order.value));
    for (const [index, quantity] of EDITS) {
      order.value = withQuantity(order.value, index, quantity);
      assertFresh(evaluation.value, order.value);
    }
  });
});

describe('Immer', () => {
  test('finished drafts', () => {
    const evaluate = createEvaluator();
    /** @type {any} */
    let order = produce(cart(), () => {});
    assertFresh(evaluate(order), order);
    for (const [index, quantity] of EDITS) {
      order = produce(order, (draft) => {
        draft.Items[index].Quantity = quantity;
      });
      assertFresh(evaluate(order), order);
    }
    order = produce(order, (draft) => {
      draft.Items.reverse();
      draft.Items.push(item());
      draft.Notes = 'n';
    });
    assertFresh(evaluate(order), order);
  });

  test('an evaluation of a draft still returns its request when the draft is finished', () => {
    let evaluation;
    const order = produce({ ...cart(), Taxes: [{ TaxId: item().CatalogItemId, TaxAmount: 1 }] }, (draft) => {
      draft.Items[0].Quantity = 7;
      draft.Taxes[0].TaxAmount = 2;
      evaluation = createEvaluator()(draft);
    });
    assertFresh(evaluation, order);
  });
});

/** Compiles a module with Svelte's compiler, which runes need. */
async function compiled(source) {
  const folder = new URL('../../target/recipes-compiled/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL('state.svelte.mjs', folder);
  writeFileSync(file, compileModule(source, { filename: 'state.svelte.js', generate: 'client' }).js.code);
  return import(file.href);
}
