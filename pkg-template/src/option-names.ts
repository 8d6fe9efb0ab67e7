/** The names of the options of the core's functions (D48). */
import { OptionError } from './errors.js';
import type { DecimalNotation } from './amounts.js';
import type { CoreFunction } from './loader.js';
import { unknownName } from './similar-name.js';
import type { PreviewOptions, TaxRate } from './types.js';

/** A list of names that TypeScript compares with a type: none is missing, and none is unknown. */
function namesOf<Options>(names: Record<keyof Options, 0>): readonly string[] {
  return Object.keys(names);
}

/** The options that all functions of the core take: each uses what concerns it. */
export const ORDER_OPTIONS = /* @__PURE__ */ namesOf<PreviewOptions>({
  version: 0,
  locationTaxPricing: 0,
  allowEmptyTaxes: 0,
  records: 0,
  discountValueTypes: 0,
  orderId: 0,
  strict: 0,
  id: 0,
  scale: 0,
  rounding: 0,
  roundTaxPer: 0,
  taxRates: 0,
  explain: 0,
});
const TAX_RATE = /* @__PURE__ */ namesOf<TaxRate>({ id: 0, name: 0, rate: 0, type: 0, layer: 0, catalogItemIds: 0 });
const VALUE_TYPES = /* @__PURE__ */ namesOf<NonNullable<PreviewOptions['discountValueTypes']>>({
  amount: 0,
  percent: 0,
});
const NOTATION = /* @__PURE__ */ namesOf<DecimalNotation>({ decimal: 0, thousands: 0 });

/** Creates the error of an option that a function of the core refuses, which names no other options. */
export function refusedOption(of: CoreFunction, message: string, option: string): OptionError {
  const [, owner = '', escaped] = /^(.*)\/([^/]*)$/s.exec(option) ?? [];
  const names = namesIn(of, owner);
  const name = escaped?.replaceAll('~1', '/').replaceAll('~0', '~');
  const isUnknown = name !== undefined && names !== undefined && !names.includes(name);
  return new OptionError(isUnknown ? `option ${option} ${unknownName(name, names)}` : message, option);
}

/** Returns the names of the members of an option; undefined if it has no names. */
function namesIn(of: CoreFunction, owner: string): readonly string[] | undefined {
  if (of === 'readDecimal') return NOTATION;
  // Their pointers are positions in a list of amounts.
  if (of === 'compareAmounts' || of === 'sumAmounts') return undefined;
  if (owner === '') return ORDER_OPTIONS;
  if (owner === '/discountValueTypes') return VALUE_TYPES;
  return /^\/taxRates\/\d+$/.test(owner) ? TAX_RATE : undefined;
}
