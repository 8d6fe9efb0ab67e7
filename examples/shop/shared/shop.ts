/** What the backend and the page exchange. */
import type { Issue, SalesOrderInput, SalesOrderItemInput, TaxRate, Totals } from 'sales-order-intake';

export type Language = 'en' | 'de';

/** What the shop sells, and where its orders go. */
export interface Shop {
  /** For the estimate; without rates the tax is unknown until the till has calculated it. */
  taxRates?: TaxRate[];
  articles: Article[];
  location: Pick<SalesOrderInput, 'CompanyId' | 'EntityId' | 'IntegratorId'>;
}

export interface Article {
  /** The CatalogItemId: a GUID. */
  id: string;
  name: string;
  about: Record<Language, string>;
  picture: string;
  unit: 'piece' | 'gram';
  /** Per piece or per gram, with exact digits. */
  price: string;
  /** How much one click adds. */
  step: number;
}

export type Line = { articleId: string; quantity: string };

/** A sale that the backend has stored. */
export interface Sale {
  orderId: string;
  /** `accepted`: stored, and will be delivered. The others are final; `stalled` needs a person. */
  state: 'accepted' | 'created' | 'refused' | 'stalled';
  /** Whether an attempt to deliver it has failed. */
  isDelayed: boolean;
  lines: Line[];
  subtotal: string;
  /** The receipt number of the till. */
  receipt: string | null;
  /** Why the till refused the order. */
  issues: Pick<Issue, 'code' | 'params'>[];
}

/** Why a sale was not stored. */
export interface Objection {
  code: 'price_changed' | 'invalid' | 'unreachable';
  /** The total that the shopper has agreed to, and the one of now. */
  from?: string;
  to?: string;
  issues?: Issue[];
}

/** Returns what the shopper agrees to: the total, without tax if only the till knows it. Null if it can't be computed. */
export const amountOf = ({ total, subtotal }: Totals) => total ?? subtotal;

/** Returns items at the prices of the catalogue, without those that are no longer sold. */
export function itemsOf({ articles }: Shop, lines: readonly Line[]): SalesOrderItemInput[] {
  return lines.flatMap(({ articleId, quantity }) => {
    const article = articles.find(({ id }) => id === articleId);
    if (!article) return [];
    return [{ Name: article.name, CatalogItemId: article.id, Quantity: quantity, SellAtPricePerUnit: article.price }];
  });
}
