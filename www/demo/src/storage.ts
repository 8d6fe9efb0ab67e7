/** The draft survives a reload, without what is personal (D45); the token never comes here (D36). */
import { emptyDraft, newDiscount, newItem, newRate, newTax, type Draft } from './draft';

const PLACE = 'sales-order-intake.draft';

export function keep({ FirstName, LastName, CustomerId, Notes, ...rest }: Draft): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(rest));
  } catch {
    // Storage is full or forbidden: the draft lives as long as the page.
  }
}

export function kept(): Draft | null {
  try {
    const draft = JSON.parse(localStorage.getItem(PLACE) ?? 'null') as Draft | null;
    if (!draft) return null;
    const rows = <R extends object>(list: R[], blank: () => R) =>
      list.map((row) => ({ ...blank(), ...row, key: (blank() as { key?: number }).key }));
    return {
      ...emptyDraft(),
      ...draft,
      Items: rows(draft.Items, newItem),
      Discount: { InvoiceLevel: rows(draft.Discount.InvoiceLevel, newDiscount) },
      Taxes: rows(draft.Taxes, newTax),
      rates: rows(draft.rates, newRate),
    };
  } catch {
    return null;
  }
}
