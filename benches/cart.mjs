/** What the pages of first-total.mjs share: they show a cart, as an application in the browser does. */
import { orderOf } from './orders.mjs';

const order = orderOf(10);

export function showCart() {
  for (const { Name, Quantity, SellAtPricePerUnit } of order.Items)
    show(`${Quantity} × ${Name}, ${SellAtPricePerUnit}`);
}

export function showTotal(prepare) {
  show(prepare(order).total, 'total');
}

/** Adds a paragraph; with a name, the browser reports when it paints it. */
function show(text, name = '') {
  const paragraph = document.createElement('p');
  paragraph.textContent = text;
  paragraph.setAttribute('elementtiming', name);
  document.body.append(paragraph);
}
