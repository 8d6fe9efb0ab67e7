/** Tests the functions that judge one order, and the plain data that they return. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { installed } from '../node/installed.mjs';
import {
  cart,
  CATALOG_ITEM,
  deepFreeze,
  fullOrder,
  ID,
  inShort,
  INTEGRATOR,
  item,
  NAMESPACE,
  order,
  TAX,
  thrown,
} from './orders.mjs';

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
const { isOrderValidationError, OrderValidationError, parseGuid } = esm;

/** Every function that judges an order, as a function that returns its issues, even for an invalid order. */
const JUDGES = {
  buildOrder: (input, options) => buildOrder(input, options).issues,
  validateOrder: (input, options) => validateOrder(input, options).issues,
  previewOrder: (input, options) => previewOrder(input, options).issues,
  prepareRequest: (input, options) => {
    try {
      return prepareRequest(input, options).issues;
    } catch (error) {
      assert.ok(error instanceof OrderValidationError, error);
      return error.issues;
    }
  },
  evaluateOrder: (input, options) => evaluateOrder(input, options).issues,
  createEvaluator: (input, options) => createEvaluator(options)(input).issues,
};

const READ_ONLY = {
  WasCreatedWithInventoryHold: true,
  DateCreatedUtc: '2026-11-20T10:00:00.0000000+00:00',
  OrderSource: { Id: INTEGRATOR, Name: 'Storefront' },
  ReceiptNumber: 'R-1',
};

describe('buildOrder', () => {
  test('generates a missing Id, a different one each time', () => {
    const ids = Array.from({ length: 50 }, () => buildOrder(cart()).order.Id);
    assert.equal(new Set(ids).size, 50);
    for (const id of ids) assert.equal(parseGuid(id), id);
  });

  for (const [what, input] of Object.entries({ undefined: order({ Id: undefined }), absent: cart() })) {
    test(`an Id that is ${what} is missing`, () => {
      assert.equal(buildOrder(input).ok, true);
      assert.deepEqual(inShort(validateOrder(input).issues, 'error'), ['missing /Id']);
    });
  }

  test('takes the missing Id from orderId', () => {
    assert.equal(buildOrder(cart(), { orderId: `{${ID.toUpperCase()}}` }).order.Id, ID);
  });

  test('does not replace an invalid Id', () => {
    for (const Id of ['', 'x', 7, '00000000-0000-0000-0000-000000000000']) {
      const { ok, issues } = buildOrder(order({ Id }));
      assert.equal(ok, false);
      assert.equal(issues[0].pointer, '/Id');
    }
  });

  test('drops read-only members without a warning', () => {
    const { order: built, issues } = buildOrder(order(READ_ONLY));
    assert.deepEqual(
      issues.filter(({ code }) => code === 'read_only_member'),
      [],
    );
    for (const member of Object.keys(READ_ONLY)) assert.equal(member in built, false, member);
  });

  test('normalises every GUID', () => {
    const odd = (guid) => `{${guid.toUpperCase()}}`;
    const { order: built } = buildOrder(
      order({
        Id: odd(ID),
        IntegratorId: odd(INTEGRATOR),
        CustomerId: odd(NAMESPACE),
        Items: [item({ CatalogItemId: odd(CATALOG_ITEM) })],
        Taxes: [{ TaxId: odd(TAX), TaxAmount: 1 }],
      }),
    );
    assert.deepEqual(
      [built.Id, built.IntegratorId, built.CustomerId, built.Items[0].CatalogItemId, built.Taxes[0].TaxId],
      [ID, INTEGRATOR, NAMESPACE, CATALOG_ITEM, TAX],
    );
  });

  test('a built order can be validated, previewed and sent unchanged, with the same Id', () => {
    const { order: built } = buildOrder(cart(READ_ONLY));
    assert.deepEqual(validateOrder(built).order, built);
    assert.equal(prepareRequest(built).orderId, built.Id);
    assert.equal(previewOrder(built).subtotal, '39.98');
  });
});

describe('validateOrder', () => {
  test('takes JSON with the same result as the object', () => {
    assert.deepEqual(validateOrder(JSON.stringify(fullOrder())), validateOrder(fullOrder()));
  });

  test('reports read-only members as warnings and drops them from the valid order', () => {
    const { ok, issues, order: valid } = validateOrder(order(READ_ONLY));
    assert.equal(ok, true);
    assert.deepEqual(
      inShort(issues, 'warning'),
      Object.keys(READ_ONLY).map((member) => `read_only_member /${member}`),
    );
    for (const member of Object.keys(READ_ONLY)) assert.equal(member in valid, false);
  });

  for (const member of ['Id', 'CompanyId', 'EntityId', 'IntegratorId', 'Items']) {
    test(`reports ${member} as missing if it is absent or undefined`, () => {
      for (const input of [order(), order()].map((o, i) => {
        if (i === 0) delete o[member];
        else o[member] = undefined;
        return o;
      }))
        assert.deepEqual(inShort(validateOrder(input).issues, 'error'), [`missing /${member}`]);
    });
  }

  for (const member of ['CatalogItemId', 'Quantity', 'SellAtPricePerUnit']) {
    test(`reports an item without ${member} at that member`, () => {
      const { [member]: _, ...rest } = item();
      assert.deepEqual(inShort(validateOrder(order({ Items: [item(), rest] })).issues, 'error'), [
        `missing /Items/1/${member}`,
      ]);
    });
  }

  test('preserves a misspelt member, with a warning that suggests the right name', () => {
    for (const [typo, meant] of [
      ['Itmes', 'Items'],
      ['items', 'Items'],
      ['Note', 'Notes'],
      ['companyId', 'CompanyId'],
    ]) {
      const issue = validateOrder(order({ [typo]: 1 })).issues.find(({ pointer }) => pointer === `/${typo}`);
      assert.equal(issue.code, 'unknown_member', typo);
      assert.equal(issue.severity, 'warning');
      assert.match(`${issue.message} ${issue.hint}`, new RegExp(meant));
      assert.equal(issue.params?.suggestion, meant);
      assert.equal(validateOrder(order({ [typo]: 1 })).order[typo], 1);
    }
  });

  test('rejects Lines and LineDollarAmount, which belong to line-level pricing', () => {
    assert.equal(validateOrder(order({ Lines: [] })).ok, false);
    assert.equal(validateOrder(order({ Items: [item({ LineDollarAmount: 5 })] })).ok, false);
  });

  for (const input of [
    undefined,
    null,
    7,
    7n,
    true,
    'x',
    '',
    '[]',
    '{',
    [],
    () => 1,
    Symbol('x'),
    new Map(),
    new Date(),
  ]) {
    test(`never throws: ${typeof input} ${String(input)}`, () => {
      const verdict = validateOrder(input);
      assert.equal(verdict.ok, false);
      assert.equal(verdict.order, null);
      assert.ok(
        verdict.issues.some(({ severity, pointer }) => severity === 'error' && pointer === '') || input === '{}',
      );
      for (const judge of Object.values(JUDGES)) assert.ok(Array.isArray(judge(input)));
    });
  }

  test('never throws: revoked proxies, throwing getters, cycles, sparse arrays', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const cyclic = order();
    cyclic.Items.push(cyclic);
    const throwing = Object.defineProperty(order(), 'Notes', {
      enumerable: true,
      get() {
        throw new Error('secret');
      },
    });
    // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
    for (const input of [proxy, cyclic, throwing, order({ Items: [, item()] }), order({ Items: new Array(3) })])
      for (const [name, judge] of Object.entries(JUDGES)) {
        const issues = judge(input);
        assert.ok(
          issues.some(({ severity }) => severity === 'error'),
          name,
        );
        assert.doesNotMatch(JSON.stringify(issues), /secret/);
      }
  });
});

describe('Issue', () => {
  const bad = order({
    CompanyId: 0,
    Items: [item({ Quantity: -1 }), item({ 'a/b~c': 1 })],
    IntegratorId: 'x',
    Notes: 'n'.repeat(300),
  });

  test('has the members of the contract, and no others', () => {
    const { issues } = validateOrder(bad);
    assert.ok(issues.length >= 4);
    for (const issue of issues) {
      const { code, severity, message, pointer, path, hint = '', params = {}, ...others } = issue;
      assert.deepEqual(others, {});
      assert.match(code, /^[a-z0-9_]+$/);
      assert.ok(['error', 'warning', 'notice'].includes(severity));
      assert.ok(message.length > 0 && !message.includes('{'));
      assert.equal(typeof hint, 'string');
      for (const value of Object.values(params)) assert.ok(['string', 'number'].includes(typeof value));
      assert.equal(
        pointer,
        path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
      );
    }
  });

  test('has numbers as indices in path, and escaped names in pointer (RFC 6901)', () => {
    const { issues } = validateOrder(bad);
    const negative = issues.find(({ code }) => code === 'quantity_not_positive');
    assert.deepEqual([negative.pointer, negative.path], ['/Items/0/Quantity', ['Items', 0, 'Quantity']]);
    const unknown = issues.find(({ code }) => code === 'unknown_member');
    assert.deepEqual([unknown.pointer, unknown.path], ['/Items/1/a~1b~0c', ['Items', 1, 'a/b~c']]);
    assert.equal(validateOrder('[]').issues[0].pointer, '');
    assert.deepEqual(validateOrder('[]').issues[0].path, []);
  });

  test('are in document order, then by code, and the same each time', () => {
    const { issues } = validateOrder(bad);
    assert.deepEqual(validateOrder(bad).issues, issues);
    assert.deepEqual(
      issues.map(({ path }) => path[0]),
      ['CompanyId', 'IntegratorId', 'Items', 'Items', 'Notes'],
    );
    const both = validateOrder(order({ Items: [item({ Quantity: 0.1 + 0.2 })] })).issues;
    assert.deepEqual(
      both.map(({ code }) => code),
      [...both.map(({ code }) => code)].sort(),
    );
  });

  test('has the values of its message in params', () => {
    const long = validateOrder(order({ Notes: 'n'.repeat(251) })).issues[0];
    assert.equal(long.code, 'text_long');
    assert.deepEqual(long.params, { limit: 250, length: 251 });
    const range = validateOrder(order({ CompanyId: 0 })).issues[0];
    assert.deepEqual(range.params, { min: 1, max: 2147483647 });
    assert.match(`${long.message} ${long.hint}`, /250/);
  });

  test('contains no value of the order (D45)', () => {
    const secret = 'Rumpelstiltskin';
    const all = validateOrder(
      order({
        Id: secret,
        CompanyId: secret,
        FirstName: secret.repeat(20),
        CustomerId: secret,
        Notes: `${secret}\u0007`.repeat(100),
        Items: [item({ Quantity: secret, Name: `${secret}\u0000` })],
      }),
    );
    assert.doesNotMatch(JSON.stringify(all.issues), /Rumpel/);
  });
});

describe('Verdict', () => {
  test('ok is true if and only if no issue is an error', () => {
    const cases = [
      order(),
      cart(),
      order({ Notes: 'x'.repeat(300) }),
      order({ CustomerId: NAMESPACE }),
      order({ Items: [] }),
    ];
    for (const input of cases)
      for (const verdict of [validateOrder(input), buildOrder(input)]) {
        assert.equal(verdict.ok, !verdict.issues.some(({ severity }) => severity === 'error'));
        assert.equal(verdict.order === null, !verdict.ok);
        assert.deepEqual(Object.keys(verdict).sort(), ['issues', 'ok', 'order']);
      }
  });

  test('the valid order has decimals as strings, integers as numbers', () => {
    const { order: valid } = validateOrder(fullOrder());
    assert.deepEqual(valid, {
      ...fullOrder(),
      Items: [
        { ...fullOrder().Items[0], Quantity: '2.345', SellAtPricePerUnit: '12.50' },
        { ...fullOrder().Items[1], Quantity: '1', SellAtPricePerUnit: '3.00' },
      ],
    });
  });
});

describe('input', () => {
  test('can be deeply frozen, and is never changed', () => {
    for (const input of [fullOrder(), cart(), order(READ_ONLY)]) {
      const copy = structuredClone(input);
      deepFreeze(input);
      for (const judge of Object.values(JUDGES)) judge(input);
      assert.deepEqual(input, copy);
    }
  });

  test('an optional member that is undefined counts as absent', () => {
    const optional = ['FirstName', 'LastName', 'CustomerId', 'Discount', 'Taxes', 'IsDelivery', 'Notes'];
    const others = ['TimeSlotDisplayString', 'OrderNumber', 'ExternalOrderId', ...Object.keys(READ_ONLY)];
    const nothing = Object.fromEntries([...optional, ...others].map((member) => [member, undefined]));
    const items = [item({ Name: 'x', PackageId: undefined, Batch: undefined })];
    for (const [name, judge] of Object.entries(JUDGES))
      assert.deepEqual(
        judge(order({ ...nothing, Items: items })),
        judge(order({ Items: [item({ Name: 'x' })] })),
        name,
      );
    assert.equal(
      prepareRequest(order({ ...nothing, Items: items })).body,
      prepareRequest(order({ Items: [item({ Name: 'x' })] })).body,
    );
  });

  test('null is accepted in a nullable member and is an error elsewhere', () => {
    const nullable = { FirstName: null, LastName: null, CustomerId: null, Discount: null, Taxes: null };
    assert.equal(validateOrder(order(nullable)).ok, true);
    for (const member of ['Id', 'CompanyId', 'EntityId', 'IntegratorId', 'Items'])
      assert.equal(validateOrder(order({ [member]: null })).ok, false, member);
  });

  test('can be an object without a prototype, or an instance of a class', () => {
    class Cart {
      constructor() {
        Object.assign(this, order());
      }
    }
    assert.equal(validateOrder(Object.assign(Object.create(null), order())).ok, true);
    assert.equal(validateOrder(new Cart()).ok, true);
  });

  test('an earlier response is sent again without its read-only members', () => {
    const { order: received } = readOrder(JSON.stringify({ ...order(), ...READ_ONLY }));
    const { body } = prepareRequest(received);
    for (const member of Object.keys(READ_ONLY)) assert.ok(!body.includes(member), member);
  });
});

describe('prepareRequest', () => {
  test('returns the whole PUT', () => {
    assert.deepEqual(prepareRequest(order({ Notes: 'a' }), { version: 'v2' }), {
      method: 'PUT',
      version: 'v2',
      orderId: ID,
      path: `v2/ServiceOrder(${ID})`,
      headers: { Accept: 'application/json', 'Content-Type': 'application/json' },
      body:
        `{"Id":"${ID}","CompanyId":1000,"EntityId":2000,"IntegratorId":"${INTEGRATOR}","Items":[{"Name":"Green tea",` +
        `"CatalogItemId":"${CATALOG_ITEM}","Quantity":2,"SellAtPricePerUnit":19.99}],"Notes":"a"}`,
      issues: prepareRequest(order({ Notes: 'a' }), { version: 'v2' }).issues,
    });
  });

  test('throws an OrderValidationError for an order without an Id, even with orderId', () => {
    for (const options of [undefined, { orderId: ID }]) {
      const error = thrown(() => prepareRequest(cart(), options));
      assert.ok(isOrderValidationError(error));
      for (const base of [OrderValidationError, Error]) assert.ok(error instanceof base);
      assert.deepEqual(inShort(error.issues, 'error'), ['missing /Id']);
      assert.equal(error.orderId, null);
      assert.equal(error.name, 'OrderValidationError');
    }
  });

  test('throws if Id differs from orderId, which the other functions report as an error', () => {
    const error = thrown(() => prepareRequest(order(), { orderId: NAMESPACE }));
    assert.deepEqual(inShort(error.issues, 'error'), ['order_id_mismatch /Id']);
    assert.equal(error.orderId, ID);
    for (const judge of ['buildOrder', 'validateOrder', 'evaluateOrder', 'createEvaluator'])
      assert.ok(
        inShort(JUDGES[judge](order(), { orderId: NAMESPACE }), 'error').includes('order_id_mismatch /Id'),
        judge,
      );
  });

  test('the error message contains no value of the order except its Id', () => {
    const error = thrown(() =>
      prepareRequest(order({ FirstName: 5, Notes: 'Ada', Items: [item({ Name: 'Secret', Quantity: 0 })] })),
    );
    assert.match(error.message, new RegExp(ID));
    assert.doesNotMatch(error.message, /Ada|Secret/);
  });

  test('takes JSON, and preserves the digits of its numbers', () => {
    const json = JSON.stringify(order()).replace('19.99', '19.990000000000000000000000');
    assert.ok(prepareRequest(json).body.includes('19.990000000000000000000000'));
  });

  test('returns the same bytes each time', () => {
    assert.equal(prepareRequest(fullOrder()).body, prepareRequest(fullOrder()).body);
  });
});

describe('previewOrder', () => {
  test('does not report a missing Id', () => {
    assert.deepEqual(inShort(previewOrder(cart()).issues, 'error'), []);
  });

  test('never throws: an amount that cannot be computed is null, and an issue explains why', () => {
    for (const input of [{}, '{', null, order({ Items: [] }), order({ Items: [{}] }), order({ Items: 'x' })]) {
      const preview = previewOrder(input);
      assert.equal(preview.total, null);
      assert.equal(preview.roundingRange, null);
      assert.ok(preview.issues.length > 0);
      assert.ok(Array.isArray(preview.lines));
    }
  });

  test('one invalid line makes the total unknown; the other lines have their amounts', () => {
    const preview = previewOrder(order({ Items: [item({ Quantity: 'x' }), item()] }));
    assert.deepEqual(
      preview.lines.map(({ extended }) => extended),
      [null, '39.98'],
    );
    assert.equal(preview.subtotal, null);
  });
});

describe('evaluateOrder', () => {
  test('returns verdict, totals and request at once', () => {
    const evaluation = evaluateOrder(fullOrder(), { discountValueTypes: { amount: 1, percent: 2 } });
    const options = { discountValueTypes: { amount: 1, percent: 2 } };
    assert.equal(evaluation.ok, true);
    assert.deepEqual(evaluation.request(), prepareRequest(fullOrder(), options));
    assert.deepEqual(evaluation.order(), validateOrder(fullOrder(), options).order);
    assert.deepEqual(evaluation.preview(), previewOrder(fullOrder(), options));
    const { lines, issues, ...totals } = previewOrder(fullOrder(), options);
    assert.deepEqual(evaluation.totals, totals);
    assert.equal(lines.length, 2);
    assert.ok(Array.isArray(issues));
  });

  test('is not ok and has no request if the preview has an error', () => {
    const overflow = order({ Items: [item({ Quantity: '79228162514264337593543950335', SellAtPricePerUnit: '10' })] });
    const percent = order({ Discount: { InvoiceLevel: [{ Value: 150, ValueType: 2 }] } });
    for (const [input, options] of [
      [overflow, {}],
      [percent, { discountValueTypes: { amount: 1, percent: 2 } }],
      [cart(), {}],
      [order({ Items: [] }), {}],
    ]) {
      for (const evaluation of [evaluateOrder(input, options), createEvaluator(options)(input)]) {
        assert.equal(evaluation.ok, false);
        assert.ok(evaluation.issues.some(({ severity }) => severity === 'error'));
        assert.equal(evaluation.order(), null);
        assert.ok(isOrderValidationError(thrown(() => evaluation.request())));
      }
    }
  });

  test('a missing Id is an error of the evaluation, but not an issue of its preview', () => {
    const evaluation = evaluateOrder(cart());
    assert.deepEqual(inShort(evaluation.issues, 'error'), ['missing /Id']);
    assert.equal(evaluation.totals.subtotal, '39.98');
    assert.deepEqual(inShort(evaluation.preview().issues, 'error'), []);
  });

  test('its functions can be destructured, and return the same object each time', () => {
    for (const evaluation of [evaluateOrder(order()), createEvaluator()(order())]) {
      const { order: valid, preview, request } = evaluation;
      assert.equal(valid(), valid());
      assert.equal(preview(), preview());
      assert.equal(request(), request());
      assert.equal(request().orderId, ID);
    }
  });

  test('its functions work if it is frozen', () => {
    for (const make of [evaluateOrder, createEvaluator()]) {
      const evaluation = deepFreeze(make(order()));
      assert.equal(evaluation.order().Id, ID);
      assert.equal(evaluation.preview().subtotal, '39.98');
      assert.equal(evaluation.request().orderId, ID);
    }
  });

  test('its functions work through a proxy, such as that of a state library', () => {
    for (const make of [evaluateOrder, createEvaluator()]) {
      const evaluation = new Proxy(make(order()), {});
      assert.equal(evaluation.order().Id, ID);
      assert.equal(evaluation.preview().subtotal, '39.98');
      assert.equal(evaluation.request().orderId, ID);
    }
  });

  test('results that are computed later are those of the order as it was evaluated', () => {
    for (const make of [evaluateOrder, createEvaluator()]) {
      const input = fullOrder();
      const expected = prepareRequest(fullOrder()).body;
      const evaluation = make(input);
      input.Taxes[0].TaxAmount = '99';
      input.Discount.InvoiceLevel[0].Value = '99';
      input.Items[0].Quantity = 99;
      input.Notes = 'changed';
      assert.equal(evaluation.request().body, expected);
      assert.equal(evaluation.preview().tax.total, '0.30');
      assert.equal(evaluation.order().Taxes[0].TaxAmount, '0.30');
    }
  });

  test('takes JSON', () => {
    assert.equal(evaluateOrder(JSON.stringify(order())).request().body, prepareRequest(order()).body);
  });
});

describe('results', () => {
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

  test('changing a result does not change later ones', () => {
    const evaluate = createEvaluator();
    const bad = order({ Items: [item({ Quantity: 0 }), item()] });
    const first = evaluate(bad);
    const copy = structuredClone({ issues: first.issues, totals: first.totals });
    first.issues[0].path.push('changed');
    first.issues[0].params = { changed: 1 };
    first.issues.length = 0;
    first.totals.total = 'changed';
    const second = evaluate({ ...bad });
    assert.deepEqual({ issues: second.issues, totals: second.totals }, copy);
  });
});
