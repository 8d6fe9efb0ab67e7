import type { ItemRow } from './draft';
import { type Edited, Field } from './field';

/** The fields of a line item that its amount depends on, and its name. */
export const itemFields = (item: Edited<ItemRow>) => (
  <>
    <Field {...item} name="Name" class="wide" />
    <Field {...item} name="Quantity" kind="decimal" />
    <Field {...item} name="SellAtPricePerUnit" label="Unit price" kind="decimal" />
  </>
);

export const itemDetails = (item: Edited<ItemRow>) => (
  <>
    <Field {...item} name="CatalogItemId" label="Catalog item" kind="code" class="wide" />
    <Field {...item} name="PackageId" label="Package" kind="code" />
    <Field {...item} name="Batch" kind="code" />
  </>
);
