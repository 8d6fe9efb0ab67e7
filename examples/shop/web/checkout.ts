/** The order that the shopper edits: a form whose values are the order itself. */
import { useForm, useStore } from '@tanstack/react-form';
import { useEffect, useMemo, useState } from 'react';
import type { SalesOrderInput } from 'sales-order-intake';
import { type Article, amountOf, itemsOf, type Objection, type Sale, type Shop } from '../shared/shop.ts';
import { postSale } from './api.ts';
import { type Cart, storeCart } from './cart.ts';

/** `readShop` reads the prices of now. */
export type CheckoutOptions = { shop: Shop; cart: Cart; readShop(): unknown; onPlaced(sale: Sale): unknown };
export type Checkout = ReturnType<typeof useCheckout>;

export function useCheckout({ shop, cart, readShop, onPlaced }: CheckoutOptions) {
  const [core, setCore] = useState<typeof import('./core.ts') | null>();
  const [notice, setNotice] = useState<Objection>();
  // The rules need an Id. The backend derives the one that is sent.
  const [initial] = useState<SalesOrderInput>({ ...shop.location, Id: cart.id, Items: itemsOf(shop, cart.lines) });

  const form = useForm({
    defaultValues: initial,
    validators: {
      onChange: ({ value, formApi }) => {
        // A Standard Schema: the form gives each issue to the field that it belongs to.
        const found = core && formApi.parseValuesWithSchema(core.salesOrderSchema('v3'));
        // A rule of the shop's own, beside those of the order.
        const names = { FirstName: required(value.FirstName), LastName: required(value.LastName) };
        return { fields: { ...names, ...found?.fields } };
      },
    },
    canSubmitWhenInvalid: true,
    onSubmitInvalid: () => setTimeout(() => document.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()),
    onSubmit: ({ value }) => submit(value).catch(() => setNotice({ code: 'unreachable' })),
  });

  const order = useStore(form.store, ({ values }) => values);
  const evaluate = useMemo(() => core?.createEvaluator({ taxRates: shop.taxRates }), [core, shop.taxRates]);
  const evaluation = useMemo(() => evaluate?.(order), [evaluate, order]);

  // #region lazy
  // The core is loaded when there is something to calculate.
  const isEmpty = order.Items.length === 0;
  useEffect(() => {
    if (isEmpty) return;
    import('./core.ts').then((loaded) => loaded.init().then(() => setCore(loaded))).catch(() => setCore(null));
  }, [isEmpty]);
  // #endregion lazy

  useEffect(() => void storeCart({ id: cart.id, lines: linesOf(order) }), [cart.id, order]);
  // New prices, and articles that are no longer sold.
  useEffect(() => form.setFieldValue('Items', (items) => itemsOf(shop, linesOf({ Items: items }))), [form, shop]);

  /** Posts the cart. Rejects if the backend can't be reached: posting it again is safe. */
  async function submit({ FirstName, LastName, CustomerId, TimeSlotDisplayString, Notes }: SalesOrderInput) {
    const total = evaluation && amountOf(evaluation.totals);
    if (!total) return;
    const customer = { FirstName: FirstName ?? '', LastName: LastName ?? '', CustomerId, TimeSlotDisplayString, Notes };
    const result = await postSale({ cartId: cart.id, lines: linesOf(order), total, customer });
    await ('code' in result ? readShop() : onPlaced(result));
    setNotice('code' in result ? result : undefined);
  }

  function add({ id, step }: Article) {
    const index = order.Items.findIndex(({ CatalogItemId }) => CatalogItemId === id);
    const sum = (Number(order.Items[index]?.Quantity) || 0) + step;
    if (index >= 0) form.setFieldValue(`Items[${index}].Quantity`, String(sum));
    else form.setFieldValue('Items', [...order.Items, ...itemsOf(shop, [{ articleId: id, quantity: String(step) }])]);
  }

  return { form, order, evaluation, notice, hasFailed: core === null, add };
}

const required = (name?: string | null) => (name?.trim() ? undefined : [{ code: 'missing' }]);

function linesOf({ Items }: Pick<SalesOrderInput, 'Items'>) {
  return Items.map(({ CatalogItemId, Quantity }) => ({ articleId: CatalogItemId, quantity: String(Quantity) }));
}
