/**
 * What is measured, as figures with a goal: `{ row, at, value, unit, goal, least }`. A figure of a ratio or a size is good
 * below its goal; with `least` it is good above. What has no goal is told for comparison.
 */
export function wholeOrderFigures(results) {
  const against = (stack, goal) =>
    Object.entries(results).map(([order, { ratio }]) => ({
      row: `P1 prepare and totals ÷ ${stack}`,
      at: order === 'issues' ? '10 with 5 issues' : `${order} ${order === '1' ? 'line' : 'lines'}`,
      value: ratio[stack],
      // The goals are for orders of so many lines.
      ...(order !== 'issues' && { goal }),
    }));
  return [...against('A', 0.35), ...against('B', 0.6), ...against('C')];
}

/** Slowest line ÷ quickest: within 20 % of a middle is within 1.2 ÷ 0.8. */
export function perLineFigures({ ms: { own, ...larger } }) {
  const perLine = Object.entries({ 10: own, ...larger }).map(([lines, ms]) => ms / Number(lines));
  return [
    {
      row: 'P8 time a line, 10 to 10,000 lines',
      at: 'slowest ÷ quickest',
      value: Math.max(...perLine) / Math.min(...perLine),
      goal: 1.5,
    },
  ];
}

export function liveEditFigures({ ratio }) {
  return [
    { row: 'P2 one quantity edited', at: '10 lines ÷ A', value: ratio.A, goal: 1 },
    { row: 'P2 one quantity edited', at: '10,000 lines ÷ 10', value: 1 / ratio[10_000], goal: 2 },
  ];
}

export function newIdFigures({ ratio }) {
  return [
    { row: 'P5 `newOrderId`', at: '÷ `crypto.randomUUID`', value: ratio.platform, goal: 2 },
    { row: 'P5 `newOrderId`', at: '÷ npm `uuid`', value: ratio.uuid },
  ];
}

export function startFigures({ ratio }) {
  return [{ row: 'P4 fresh process to first verdict', at: '÷ A', value: ratio.A, goal: 1 }];
}

export function sendingFigures({ ratio }) {
  return [{ row: 'P7 `createOrders`, orders/s', at: '÷ bare fetch', value: ratio.fetch, goal: 0.9, least: true }];
}

export function sizeFigures({ own, client, A, B, C }) {
  const figure = (at, value, goal) => ({ row: 'P3 shipped, KB brotli', at, value, unit: 'KB', ...(goal && { goal }) });
  return [
    figure('default entry', own, 43.6),
    figure('with the client', client),
    figure('A', A),
    figure('B', B),
    figure('C', C),
  ];
}

export function loadFigures(ratio) {
  return [{ row: 'P6 durable orders/s', at: '÷ Fastify', value: ratio, goal: 3, least: true }];
}

export function outboxFigures({ adds, addsAtOnce, sqlite, postgres }) {
  const figure = (at, { ratio }, goal) => ({ row: 'P9 outbox', at, value: ratio, goal, least: true });
  return [
    figure('`add` one by one, ÷ bare SQLite insert', adds, 0.5),
    figure('`add` by 16 callers, ÷ bare SQLite insert', addsAtOnce, 0.5),
    figure('deliveries on SQLite, ÷ `createOrders`', sqlite, 0.7),
    figure('orders through PostgreSQL, ÷ bare pg-boss', postgres, 0.7),
  ];
}

/** Told apart from every other figure, also between places. */
export function nameOf(place, { row, at }) {
  return `${place.split(' ')[0]}: ${row}, ${at}`;
}

/** Whether a figure reaches its goal; undefined where it has none. */
export function reaches({ value, goal, least }) {
  if (goal === undefined) return undefined;
  return least ? value >= goal : value <= goal;
}
