// Shows the orders of a location and polls for new ones. The service computes all amounts; this script adds nothing up.
// It inserts values of orders as text, never as HTML.

const EVERY_MS = 1500;
const orders = document.querySelector('#orders');
const status = document.querySelector('#status');
const older = document.querySelector('#older');
const template = document.querySelector('#order');
let lastJson = '';

for (;;) {
  try {
    const response = await fetch(`${location.pathname}.json${location.search}`, { cache: 'no-store' });
    if (!response.ok) throw new Error(`the service responded with ${response.status}`);
    const json = await response.text();
    if (json !== lastJson) show(JSON.parse(json));
    lastJson = json;
    const count = orders.childElementCount;
    report(count === 1 ? '1 order' : `${count} orders, newest first`);
  } catch (error) {
    report(`Not up to date: ${error.message}`, true);
  }
  await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
}

function report(text, failed = false) {
  status.toggleAttribute('data-failed', failed);
  if (status.textContent !== text) status.textContent = text;
}

function show(view) {
  document.title = view.location.name;
  document.querySelector('#location').textContent = `${view.company.name}, ${view.location.name}`;
  document.querySelector('#note').textContent = view.note;
  orders.replaceChildren(...view.orders.map(article));
  older.hidden = view.older === null;
  if (view.older !== null) older.href = new URL(view.older, location).search;
}

function article(entry) {
  if (entry.notShown) return hidden(entry);
  try {
    return shown(entry);
  } catch {
    return hidden({ ...entry.order, notShown: 'The stored order cannot be shown.' });
  }
}

function hidden({ receiptNumber, ReceiptNumber = receiptNumber, notShown }) {
  const root = document.createElement('article');
  const put = (name, textContent) => root.append(Object.assign(document.createElement(name), { textContent }));
  put('h2', `Receipt ${ReceiptNumber}`);
  put('p', notShown);
  return root;
}

function shown({ version, order, preview }) {
  const root = template.content.cloneNode(true);
  const put = (selector, ...parts) => {
    root.querySelector(selector).textContent = parts.filter(Boolean).join(' · ');
  };
  put('h2', `Receipt ${order.ReceiptNumber}`, order.IsDelivery ? 'Delivery' : 'Pick-up', order.TimeSlotDisplayString);
  put('.customer', [order.FirstName, order.LastName].filter(Boolean).join(' '), order.CustomerId && 'known customer');
  put('.remarks', order.Notes);
  put('.taxes', ...preview.tax.entries.map((tax) => `${tax.name ?? tax.taxId}: ${tax.amount}`));
  put(
    '.source',
    order.OrderSource.Name,
    order.DateCreatedUtc,
    version,
    order.Id,
    order.WasCreatedWithInventoryHold && 'inventory held',
  );
  for (const line of preview.lines) {
    const amounts = [line.quantity, line.unitPrice, line.extended, line.discount, line.tax, line.total];
    root.querySelector('tbody').append(row([line.name ?? '(no name)', ...amounts]));
  }
  const tax = preview.tax.source === 'supplied' ? 'Tax, supplied' : 'Tax';
  const totals = [
    ['Subtotal', preview.subtotal],
    ['Discount', preview.discount.total],
    [tax, preview.tax.total],
    ['Total', preview.total],
  ];
  root.querySelector('tfoot').append(...totals.map(([name, amount]) => row([name, '', '', '', '', '', amount])));
  return root;
}

function row(cells) {
  const tr = document.createElement('tr');
  tr.append(...cells.map((cell) => Object.assign(document.createElement('td'), { textContent: cell ?? 'unknown' })));
  return tr;
}
