/** What the program reports wherever it runs. */
export const expected = {
  id: true,
  built: [true, '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50'],
  issues: [
    'not_a_string /Items/0/Name',
    'missing /Items/0/CatalogItemId',
    'missing /Items/0/Quantity',
    'missing /Items/0/SellAtPricePerUnit',
  ],
  preview: ['29.31', 'estimated', '30.78'],
  path: 'v2/ServiceOrder(b31061a8-08de-5333-b1f3-4ca2a69baa20)',
  invalid: [true, '/Items'],
  created: [201, '2.345', 'Grüner Tee 🍵', 'R-1042'],
  refused: [true, 'RejectedError', 422, 'not-created', 'rejected_by_service'],
};

/** What it reports where a policy forbids compiling WebAssembly. */
export const forbidden = { error: 'CoreInitError', reason: 'csp' };
