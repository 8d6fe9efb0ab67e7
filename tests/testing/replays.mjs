/**
 * Orders in other notations, and other orders with the same Id (D28). What the native service decides, the one of the package
 decides as well.
 */
import { readFileSync } from 'node:fs';
import { order } from './harbour.mjs';

/** Numbers of unknown members, as JSON: those of a group are equal, those of two groups are not. @type {string[][]} */
export const numbers = JSON.parse(
  readFileSync(new URL('../vectors/equal/numbers.json', import.meta.url), 'utf8'),
).groups;

const TAX = '{"TaxId":"e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80","TaxAmount":0}';

/**
 * Each with an order, and with what its JSON becomes: the same order in another notation, and orders that are different.
 *
 * @type {{ title: string, order: (id: string) => any, equal: (text: string) => string[], different: (text: string) => string[] }[]}
 */
export const replays = [
  {
    title: 'an order with taxes, a discount and an unknown member',
    order: (id) =>
      order(id, {
        FirstName: 'Ada',
        Extra: { a: 1, b: [2, 'x'] },
        Taxes: [{ TaxId: 'e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80', TaxAmount: 2.66 }],
        Discount: { InvoiceLevel: [{ Name: 'Member', Value: 10, ValueType: 2 }] },
      }),
    equal: (text) => [
      text.replace(':10}]', ':"1.000e1"}]'),
      text.replace('"Quantity":1', '"Quantity":"1.0"'),
      text.replace('2.66', '2.6600'),
      text.replace('2.66', '"2.66"'),
      text.replace('"ValueType":2', '"ValueType":2.0'),
      text.replace(/"Id":"([^"]+)"/, (_, id) => `"Id":"{${id.toUpperCase()}}"`),
      text.replace('e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80', 'E5C3D2B08D744F3A90693B4C5D6E7F80'),
      text.replace('Ada', '\\u0041da'),
      text.replace('"a":1,"b":[2,"x"]', '"b":[2.0,"\\u0078"],"a":1.00'),
      text.replace('"Extra"', '"LastName":null,"CustomerId":null,"Extra"'),
      text.replace('"CompanyId":1501,"EntityId":2301', '"EntityId":2301,"CompanyId":1501'),
      text.replace('"Extra"', '"ReceiptNumber":"7","OrderSource":{},"Extra"'),
      text.replaceAll(/([,:{])"/g, '$1\n "'),
    ],
    different: (text) => [
      text.replace('2.66', '2.67'),
      text.replace('"a":1', '"a":"1"'),
      text.replace('[2,"x"]', '["x",2]'),
      text.replace('[2,"x"]', '[2,"x",null]'),
      text.replace('"b":', '"B":'),
      text.replace('"a":1', '"a":1.00000000000000000001'),
      text.replace('"a":1', '"a":1,"a":1'),
      text.replace('"a":1', '"a":1,"FirstName":null'),
      text.replace('"ValueType":2', '"ValueType":"2"'),
      text.replace(/,"Discount":.*?\]\}/, ''),
      text.replace(/"Taxes":.*?\]/, '"Taxes":null'),
      text.replace('"Member"', '"Members"'),
    ],
  },
  {
    title: 'an order of price zero and with a null',
    order: (id) =>
      order(id, { Items: [{ ...order('').Items[0], SellAtPricePerUnit: 0 }], Discount: { InvoiceLevel: null } }),
    equal: (text) => [
      text.replace('"SellAtPricePerUnit":0', '"SellAtPricePerUnit":"-0.00"'),
      text.replace('"SellAtPricePerUnit":0', '"SellAtPricePerUnit":0e5'),
      text.replace('{"InvoiceLevel":null}', '{}'),
      text.replace('{"InvoiceLevel":null}', '{"InvoiceLevel":null},"Taxes":null'),
    ],
    different: (text) => [
      text.replace('{"InvoiceLevel":null}', 'null'),
      text.replace('{"InvoiceLevel":null}', '{"InvoiceLevel":[]}'),
      text.replace('"Discount":{"InvoiceLevel":null}', '"Discount/InvoiceLevel":null'),
    ],
  },
  {
    title: 'an order with notes and unknown members',
    order: (id) => order(id, { Notes: 'Ring twice', Extra: { Value: '1.0', Names: null }, Large: 1e300 }),
    equal: (text) => [text.replace('"Notes":"Ring twice",', '').replace(/\}$/, ',"Notes":"Ring twice"}')],
    different: (text) => [
      text.replace('"Quantity":1', '"Quantity":1.001'),
      text.replace('Ring twice', 'Ring twice '),
      text.replace('"Notes":"Ring twice",', ''),
      text.replace('2301', '2302'),
      text.replace('"1.0"', '"1.00"'),
      text.replace('"1.0"', '1.0'),
      text.replace('1e+300', '1e301'),
      text.replace(',"Names":null', ''),
      text.replace('"Extra"', '"extra"'),
      text.replace('"Extra"', '"LastNames":null,"Extra"'),
      text.replace('"Extra"', `"Taxes":[${TAX}],"Extra"`),
    ],
  },
  {
    title: 'an order of two items',
    order: (id) => order(id, { Items: [...order('').Items, { ...order('').Items[0], Quantity: 2 }] }),
    equal: (text) => [text.replace('"Quantity":2', '"Quantity":20e-1')],
    different: (text) => [
      text.replace('"Quantity":1', '"Quantity":3').replace('"Quantity":2', '"Quantity":1').replace(':3', ':2'),
      text.replace(/,\{"Name".*?\}(?=\])/, ''),
      text.replace('"Quantity":2', '"Quantity":2,"Batch":"B"'),
    ],
  },
];
