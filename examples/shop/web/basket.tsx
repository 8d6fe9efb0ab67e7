import { useStore } from '@tanstack/react-form';
import type { Shop } from '../shared/shop.ts';
import type { Checkout } from './checkout.ts';
import { Field } from './field.tsx';
import { Totals } from './totals.tsx';
import { fill, useWords } from './words.ts';

/** The lines with their totals, and the form of the checkout. */
export function Basket({ shop, checkout }: { shop: Shop; checkout: Checkout }) {
  const { words, money, messageOf } = useWords();
  const { form, order, evaluation, notice } = checkout;
  const isSubmitting = useStore(form.store, (state) => state.isSubmitting);
  const amounts = evaluation?.preview().lines;
  const remove = (index: number) => {
    form.setFieldValue('Items', order.Items.toSpliced(index, 1));
    document.getElementById('basket')?.focus();
  };
  const checkOut = (
    <form noValidate action={() => (form.state.isSubmitting ? undefined : form.handleSubmit())}>
      <ul className="lines">
        {order.Items.map(({ CatalogItemId, Name: name = '' }, index) => (
          <li key={CatalogItemId}>
            <span>{name}</span>
            <Field checkout={checkout} name={`Items[${index}].Quantity`} label={fill(words.quantityOf, { name })} />
            <span>{words.units[shop.articles.find(({ id }) => id === CatalogItemId)?.unit ?? 'piece']}</span>
            <output>{amounts ? money(amounts[index]?.extended ?? null) : '…'}</output>
            <button type="button" aria-label={fill(words.remove, { name })} onClick={() => remove(index)}>
              ×
            </button>
          </li>
        ))}
      </ul>
      <Totals checkout={checkout} />
      <fieldset>
        <legend>{words.you}</legend>
        {(['FirstName', 'LastName', 'TimeSlotDisplayString', 'CustomerId', 'Notes'] as const).map((name) => (
          <Field key={name} checkout={checkout} name={name} label={words.fields[name]} />
        ))}
      </fieldset>
      <div className="notice" role="alert">
        {notice && fill(words[notice.code], { from: money(notice.from), to: money(notice.to) })}
        {notice?.issues?.map(messageOf).join(' ')}
      </div>
      <button type="submit" className="order" disabled={!evaluation} aria-disabled={isSubmitting}>
        {isSubmitting ? words.ordering : notice?.code === 'price_changed' ? words.confirm : words.order}
      </button>
      <p className="aside">{words.payment}</p>
    </form>
  );
  return (
    <section className="basket" id="basket" aria-labelledby="basket-title" tabIndex={-1}>
      <h2 id="basket-title">{words.basket}</h2>
      {order.Items.length > 0 ? checkOut : <p>{words.empty}</p>}
    </section>
  );
}
