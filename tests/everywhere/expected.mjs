/** The report of the program in every environment. */
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
  path: 'v2/ServiceOrder(43840e9f-5b7b-5bf8-a331-389f873dd2f7)',
  invalid: [true, '/Items'],
  created: [201, '2.345', 'Grüner Tee 🍵', 'R-1042'],
  refused: [true, 'RejectedError', 422, 'not-created', 'rejected_by_service'],
};

/** The report if a policy forbids compiling WebAssembly. */
export const forbidden = { error: 'CoreInitError', reason: 'csp' };
