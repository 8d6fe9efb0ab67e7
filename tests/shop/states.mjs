/** The states of the page that are checked and photographed. Each starts at a page that has just been opened. */
import { AT_TILL, fillBasket, order, stateOf } from './harness.mjs';

export const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
export const SCHEMES = /** @type {const} */ (['light', 'dark']);

/** @type {Record<string, (page: import('playwright-core').Page, shop: Awaited<ReturnType<typeof import('./harness.mjs').openShop>>) => Promise<void>>} */
export const STATES = {
  shelf: async () => {},
  basket: async (page) => {
    await fillBasket(page, 'Brewer', ['Sencha Uji', 'Rosehip and Hibiscus', 'Tea Caddy']);
    await page.getByLabel('When will you come?').fill('Tomorrow, about 10');
  },
  errors: async (page) => {
    await fillBasket(page, 'Brewer');
    await page.getByLabel('Sencha Uji, quantity').fill('0');
    await page.getByLabel('Last name').fill('');
    await page.getByLabel('Member number').fill('12345');
    await order(page);
    await page.getByText('This is not a member number').waitFor();
  },
  'new price': async (page, shop) => {
    await fillBasket(page, 'Brewer');
    shop.changeCatalogue(({ articles }) => {
      articles[0].price = '0.25';
    });
    await order(page);
    await page.getByRole('alert').filter({ hasText: 'has become' }).waitFor();
    shop.changeCatalogue();
  },
  'at the till': async (page) => {
    await fillBasket(page, 'Brewer');
    await order(page);
    await stateOf(page, AT_TILL);
  },
  accepted: (page) => showSale(page, { state: 'accepted', isDelayed: true }),
  refused: (page) => showSale(page, { state: 'refused', issues: [{ code: 'location_tax_inclusive' }] }),
  stalled: (page) => showSale(page, { state: 'stalled' }),
};

/** Shows a sale in a state that is hard to wait in. The shop's tests reach them with the service. */
async function showSale(page, state) {
  const lines = [{ articleId: '1d6f3b52-7c84-4e0a-9b61-2f5a8c0d7e31', quantity: '50' }];
  const orderId = '8330c1c0-5a4c-5d23-a224-cc012b5630a7';
  const json = { orderId, isDelayed: false, lines, subtotal: '9.50', receipt: null, issues: [], ...state };
  await page.route('**/api/sales/*', (route) => route.fulfill({ json }));
  await page.reload();
  await page.getByText(orderId).waitFor();
}
