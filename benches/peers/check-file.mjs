/**
 * What a careful user would write to check a file before it is sent: csv-parse or readline, zod, decimal.js. Prints each problem
 * with the line of its order, and the sum of all orders: `node benches/peers/check-file.mjs FILE [mapping.json]`
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import { v5 as idOf } from 'uuid';
import * as z from 'zod';
import { Exact } from './exact.mjs';

const MOST = 2_147_483_647;
const MOST_AMOUNT = new Exact('79228162514264337593543950335');

const [file, mappingFile] = process.argv.slice(2);

/** JSON has numbers, CSV has text. */
const decimal = mappingFile === undefined ? z.number() : z.string().regex(/^-?\d{1,29}(\.\d{1,28})?$/);

const Order = z.object({
  Id: z.guid(),
  CompanyId: z.int().min(1).max(MOST),
  EntityId: z.int().min(1).max(MOST),
  IntegratorId: z.guid(),
  FirstName: z.string().max(100).nullish(),
  LastName: z.string().max(100).nullish(),
  CustomerId: z.guid().nullish(),
  IsDelivery: z.boolean().optional(),
  Items: z
    .array(
      z.object({
        Name: z.string().max(100).optional(),
        CatalogItemId: z.guid(),
        Quantity: decimal,
        SellAtPricePerUnit: decimal,
        PackageId: z.string().optional(),
        Batch: z.string().optional(),
      }),
    )
    .min(1),
  Taxes: z
    .array(z.object({ TaxId: z.guid(), TaxAmount: decimal }))
    .min(1)
    .nullish(),
  Notes: z.string().max(250).optional(),
  TimeSlotDisplayString: z.string().max(50).optional(),
});

/** The line of the first order with each Id. */
const lines = new Map();
let orders = 0;
let invalid = 0;
let sum = new Exact(0);

for await (const { order, line } of mappingFile === undefined ? ndjsonOrders() : csvOrders()) {
  orders++;
  const problems = problemsOf(order, line);
  if (problems.length > 0) invalid++;
  for (const problem of problems) console.log(`${file}:${line}: ${problem}`);
}
console.log(`${orders} orders, ${invalid} invalid, ${sum.toFixed(2)} in total`);
process.exitCode = invalid > 0 ? 1 : 0;

function problemsOf(order, line) {
  const { success, data, error } = Order.safeParse(order);
  if (!success) return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  const problems = [];
  const earlier = lines.get(data.Id);
  if (earlier === undefined) lines.set(data.Id, line);
  else problems.push(`Id: is also that of the order at line ${earlier}`);
  let total = new Exact(0);
  for (const [index, { Quantity, SellAtPricePerUnit }] of data.Items.entries()) {
    const quantity = new Exact(Quantity);
    const price = new Exact(SellAtPricePerUnit);
    if (quantity.lte(0)) problems.push(`Items.${index}.Quantity: must be greater than 0`);
    if (price.isNegative()) problems.push(`Items.${index}.SellAtPricePerUnit: must not be negative`);
    total = total.plus(quantity.times(price).toDecimalPlaces(2));
  }
  for (const [index, { TaxAmount }] of (data.Taxes ?? []).entries()) {
    const amount = new Exact(TaxAmount);
    if (amount.isNegative()) problems.push(`Taxes.${index}.TaxAmount: must not be negative`);
    total = total.plus(amount);
  }
  if (total.gt(MOST_AMOUNT)) problems.push('the total is too large');
  sum = sum.plus(total);
  return problems;
}

async function* ndjsonOrders() {
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    line++;
    if (text.trim() === '') continue;
    let order;
    try {
      order = JSON.parse(text);
    } catch (error) {
      console.log(`${file}:${line}: ${error.message}`);
    }
    yield { order, line };
  }
}

/** Rows with the same key are one order, and follow each other. */
async function* csvOrders() {
  const { namespace, order: known, taxes } = JSON.parse(readFileSync(mappingFile, 'utf8'));
  const parser = createReadStream(file).pipe(parse({ columns: true, info: true, bom: true, trim: true }));
  let order;
  let line = 0;
  let key;
  for await (const { record, info } of parser) {
    if (order === undefined || record.Order !== key) {
      if (order) yield { order, line };
      key = record.Order;
      line = info.lines;
      order = {
        Id: idOf(key, namespace),
        CompanyId: known.CompanyId.value,
        EntityId: Number(record.Shop),
        IntegratorId: known.IntegratorId.value,
        FirstName: record['First name'] || undefined,
        LastName: record['Last name'] || undefined,
        IsDelivery: record.Delivery === '' ? undefined : record.Delivery === 'yes',
        Items: [],
        Taxes: record.GST === '' ? undefined : [{ TaxId: taxes[0].TaxId.value, TaxAmount: record.GST }],
        Notes: record.Comment || undefined,
      };
    }
    order.Items.push({
      Name: record.Product || undefined,
      CatalogItemId: record['Product id'],
      Quantity: record.Qty,
      SellAtPricePerUnit: record.Price,
    });
  }
  if (order) yield { order, line };
}
