/** Mappings of the exports of shop systems, with the published names of their columns. */

/** What only the shop knows, in a file of its own. */
const id = (name: string) => ({ value: name, lookup: 'ids.json' });
const article = (column: string) => ({ column, lookup: 'articles.csv', from: 'sku', to: 'guid' });
const ORDER = { CompanyId: id('CompanyId'), EntityId: id('EntityId'), IntegratorId: id('IntegratorId') };
const ONE = { value: 1 };

/** An item once for an order, with the article that ids.json has. */
const once = (name: unknown, price: unknown, itemId: string) => ({
  ...{ Name: name, CatalogItemId: id(itemId), Quantity: ONE, SellAtPricePerUnit: price },
});
const discount = (name: unknown, amount: unknown) => ({ Name: name, Value: amount, ValueType: ONE });
const tax = (amount: unknown) => ({ TaxId: id('TaxId'), TaxAmount: amount });

const ABOUT = {
  'ids.json':
    'Yours, beside this file: { "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "…", "TaxId": "…", "ShippingItemId": "…" }. For several locations, look EntityId up by a column.',
  'articles.csv': 'Yours, beside this file: the columns sku and guid, with the CatalogItemId of each article.',
  discounts:
    'ValueType 1 is an assumption: ask the vendor which value means an amount, and set discountValueTypes in --options.',
};

/** A mapping without its namespace. `about` says where the export comes from, `unused` lists the columns that are not sent. */
const template = (about: object, mapping: { order?: object; [member: string]: unknown }, unused: string) => ({
  '//': { ...about, ...ABOUT, unused },
  $schema: './node_modules/sales-order-intake/schema/mapping.json',
  ...mapping,
  order: { ...ORDER, ...mapping.order },
});

const lightspeed = template(
  {
    export:
      'Lightspeed Retail (X-Series), formerly Vend: Sales history, Export. Prices are after discounts, without tax.',
    Subtotal: 'Of a line with several pieces. If yours has the price of one piece there, remove "per".',
  },
  {
    ...{ key: 'Receipt Number', decimal: '.', skip: { Status: ['VOIDED', 'SAVED', 'LAYBY'] } },
    itemRows: { 'Line Type': ['Sale Line'] },
    order: { LastName: 'Customer Name', Notes: 'Note' },
    items: {
      ...{ Name: 'Details', CatalogItemId: article('Sku'), Quantity: 'Quantity' },
      SellAtPricePerUnit: { column: 'Subtotal', per: 'Quantity' },
    },
    taxes: [tax('Sales Tax')],
    expect: { subtotal: 'Subtotal', tax: 'Sales Tax', total: 'Total' },
  },
  'Date, Customer Code, Discount, Loyalty, Paid, Register, User, AccountCodeSale, AccountCodePurchase',
);

/** By the names that `mapping` takes. */
export const TEMPLATES = {
  shopify: template(
    { export: 'Shopify: Orders, Export, Plain CSV file. Prices must be without tax.' },
    {
      ...{ key: 'Name', decimal: '.', skip: { 'Financial Status': ['voided', 'refunded'], 'Cancelled at': true } },
      order: { Notes: 'Notes' },
      items: {
        ...{ Name: 'Lineitem name', CatalogItemId: article('Lineitem sku') },
        ...{ Quantity: 'Lineitem quantity', SellAtPricePerUnit: 'Lineitem price' },
      },
      extraItems: [once('Shipping Method', 'Shipping', 'ShippingItemId')],
      discounts: [discount('Discount Code', 'Discount Amount')],
      taxes: [tax('Taxes')],
      expect: { discount: 'Discount Amount', tax: 'Taxes', total: 'Total' },
    },
    'Email, Paid at, Fulfillment Status, Fulfilled at, Accepts Marketing, Currency, Subtotal (after discounts), Created at, Lineitem compare at price, Lineitem requires shipping, Lineitem taxable, Lineitem fulfillment status, Lineitem discount, Billing Name to Billing Phone, Shipping Name to Shipping Phone, Note Attributes, Payment Method, Payment Reference, Refunded Amount, Vendor, Outstanding Balance, Employee, Location, Device ID, Id, Tags, Risk Level, Source, Tax 1 Name to Tax 5 Value (parts of Taxes), Phone, Receipt Number, Duties, Billing Province Name, Shipping Province Name, Payment ID, Payment Terms Name, Next Payment Due At, Payment References',
  ),
  woocommerce: template(
    {
      export:
        'WooCommerce: the plug-in Advanced Order Export, CSV. Add its field Item Cost Before Discount: Item Cost is rounded after discounts.',
    },
    {
      ...{ key: 'Order Number', decimal: '.' },
      skip: { 'Order Status': ['Pending payment', 'On hold', 'Cancelled', 'Refunded', 'Failed', 'Draft'] },
      order: { FirstName: 'First Name (Billing)', LastName: 'Last Name (Billing)', Notes: 'Customer Note' },
      items: {
        ...{ Name: 'Item Name', CatalogItemId: article('SKU') },
        ...{ Quantity: 'Quantity', SellAtPricePerUnit: 'Item Cost Before Discount' },
      },
      extraItems: [once('Shipping Method Title', 'Order Shipping Amount', 'ShippingItemId')],
      discounts: [discount({ value: 'Coupon' }, 'Cart Discount Amount')],
      taxes: [tax('Order Total Tax Amount')],
      expect: { discount: 'Cart Discount Amount', tax: 'Order Total Tax Amount', total: 'Order Total Amount' },
    },
    'Order Date, Company (Billing), Address 1&2 (Billing), City (Billing), State Code (Billing), Postcode (Billing), Country Code (Billing), Email (Billing), Phone (Billing), First Name (Shipping) to Country Code (Shipping), Payment Method Title, Order Subtotal Amount (without shipping), Order Refund Amount, Item #, Item Cost, Coupon Code, Discount Amount and Discount Amount Tax (of each coupon)',
  ),
  square: template(
    { export: 'Square: Transactions, Export, Items Detail CSV. Modifiers are in Gross Sales.' },
    {
      ...{ key: 'Transaction ID', decimal: '.', thousands: ',', currency: '$', skip: { 'Event Type': ['Refund'] } },
      items: {
        ...{ Name: 'Item', CatalogItemId: article('SKU'), Quantity: 'Qty' },
        SellAtPricePerUnit: { column: 'Gross Sales', per: 'Qty' },
      },
      discounts: [discount({ value: 'Discount' }, { sum: 'Discounts' })],
      taxes: [tax({ sum: 'Tax' })],
      expect: {
        ...{ subtotal: { sum: 'Gross Sales' }, discount: { sum: 'Discounts' }, tax: { sum: 'Tax' } },
        total: { sum: ['Net Sales', 'Tax'] },
      },
    },
    'Date, Time, Time Zone, Category, Price Point Name, Modifiers Applied, Payment ID, Device Name, Notes, Details, Location, Dining Option, Customer ID, Customer Name, Customer Reference ID, Unit, Count, GTIN, Itemization Type, Commission, Employee, Fulfillment Note, Channel, Token, Card Brand, PAN Suffix',
  ),
  lightspeed,
  vend: lightspeed,
  magento: template(
    { export: 'Magento and OpenMage: the extension Simple Order Export, CSV.' },
    {
      ...{ key: 'Order Number', decimal: '.', thousands: ',', currency: '$' },
      skip: { 'Order Status': ['canceled', 'closed', 'holded', 'fraud', 'pending_payment'] },
      order: { LastName: 'Customer Name' },
      items: {
        ...{ Name: 'Item Name', CatalogItemId: article('Item SKU') },
        ...{ Quantity: 'Item Qty Ordered', SellAtPricePerUnit: 'Item Price' },
      },
      extraItems: [once('Order Shipping Method', 'Order Shipping', 'ShippingItemId')],
      discounts: [discount({ value: 'Discount' }, 'Order Discount')],
      taxes: [tax('Order Tax')],
      expect: { discount: 'Order Discount', tax: 'Order Tax', total: 'Order Grand Total' },
    },
    'Order Date, Order Purchased From, Order Payment Method, Order Subtotal (without shipping), Order Paid, Order Refunded, Order Due, Total Qty Items Ordered, Customer Email, Shipping Name to Shipping Phone Number, Billing Name to Billing Phone Number, Order Item Increment, Item Status, Item Options, Item Original Price, Item Qty Invoiced, Item Qty Shipped, Item Qty Canceled, Item Qty Refunded, Item Tax, Item Discount, Item Total',
  ),
  amazon: template(
    {
      export:
        'Amazon: Order reports, All orders (flat file), the tab-delimited text. Outside the US and Canada it is in another encoding, such as "encoding": "windows-1252" or "shift_jis".',
      'item-price': 'Of all pieces of a line. ids.json also has "GiftWrapItemId".',
    },
    {
      ...{ key: 'amazon-order-id', delimiter: '\t', quote: false, decimal: '.' },
      skip: { 'order-status': ['Cancelled', 'Pending'] },
      items: {
        ...{ Name: 'product-name', CatalogItemId: article('sku'), Quantity: 'quantity' },
        SellAtPricePerUnit: { column: 'item-price', per: 'quantity' },
      },
      extraItems: [
        once({ value: 'Shipping' }, { sum: 'shipping-price' }, 'ShippingItemId'),
        once({ value: 'Gift wrap' }, { sum: 'gift-wrap-price' }, 'GiftWrapItemId'),
      ],
      discounts: [discount({ value: 'Promotion' }, { sum: ['item-promotion-discount', 'ship-promotion-discount'] })],
      taxes: [tax({ sum: ['item-tax', 'shipping-tax', 'gift-wrap-tax'] })],
      expect: {
        subtotal: { sum: ['item-price', 'shipping-price', 'gift-wrap-price'] },
        discount: { sum: ['item-promotion-discount', 'ship-promotion-discount'] },
        tax: { sum: ['item-tax', 'shipping-tax', 'gift-wrap-tax'] },
      },
    },
    'merchant-order-id, purchase-date, last-updated-date, fulfillment-channel, sales-channel, order-channel, ship-service-level, asin, item-status, currency, ship-city, ship-state, ship-postal-code, ship-country, promotion-ids, is-business-order, purchase-order-number, price-designation',
  ),
};

/** For a system that has no template. */
export const PLAIN_TEMPLATE = template(
  { export: 'One row for each item; rows with the same Order are one order.' },
  {
    key: 'Order',
    skip: { Status: ['cancelled'] },
    order: { Notes: 'Comment' },
    items: { Name: 'Product', CatalogItemId: article('Sku'), Quantity: 'Qty', SellAtPricePerUnit: 'Price' },
    extraItems: [once({ value: 'Shipping' }, 'Shipping', 'ShippingItemId')],
    discounts: [discount('Discount code', 'Discount')],
    taxes: [tax('Tax')],
    expect: { total: 'Total' },
  },
  '',
);
