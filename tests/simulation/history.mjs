/** Prints a history that is wrong, for a person. */

/** How many lines are shown of the beginning of a long history, and of its end. */
const SHOWN = 80;
/** The events that are about every order. */
const COMMON = ['started', 'killed', 'stops', 'stopped', 'frozen', 'clock set', 'tokens revoked', 'gate', 'threw'];

/** @param {import('./runs.mjs').WrongHistory} error @param {string} seed */
export function printed({ run: { plan, history }, problems }, seed) {
  const about = new Set(problems.flatMap(({ orderId }) => orderId ?? []));
  const lines = history
    .filter(({ orderId, what }) => about.size === 0 || (orderId ? about.has(orderId) : COMMON.includes(what)))
    .map(lineOf);
  return [
    'A history is wrong:',
    ...problems.map(({ orderId, problem }) => `  ${orderId ? `order ${shortId(orderId)} ` : ''}${problem}`),
    '',
    `Repeat it: SEED=${seed} make test ONLY=simulation`,
    '',
    'The plan:',
    ...planLines(plan),
    '',
    `What happened${about.size > 0 ? ' to these orders' : ''} (ms, process, event):`,
    ...shortened(lines),
  ].join('\n');
}

function shortened(lines) {
  const left = lines.length - 2 * SHOWN;
  return left > 1 ? [...lines.slice(0, SHOWN), `           … ${left} more`, ...lines.slice(-SHOWN)] : lines;
}

function planLines(plan) {
  return Object.entries(plan).flatMap(([name, value]) => {
    if (!Array.isArray(value)) return [`  ${name}: ${JSON.stringify(value)}`];
    return value.map((each) => `  ${name}: ${JSON.stringify(each)}`);
  });
}

function lineOf({ at, process = '', what, orderId, body, ...more }) {
  const rest = Object.entries(more)
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`);
  const columns = [String(at).padStart(10), process.padEnd(5), orderId ? shortId(orderId) : '', what.padEnd(13)];
  return [...columns, rest.join(', ')].join('  ').trimEnd();
}

/** The Ids of a run differ in their last digits. */
const shortId = (orderId) => `…${orderId.slice(-4)}`;
