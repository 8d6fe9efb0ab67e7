/** The text of an order → what is stored and answered, or why it is not. The core judges; here is only what a service adds. */
import { parseGuid, prepareRequest, validateOrder } from 'sales-order-intake';
import type { Guid, RuleOptions, Verdict, Version } from 'sales-order-intake';
import { Problem } from './problem.js';
import type { Grant, Registry, TestIntegrator, TestLocation } from './registry.js';
import { comparableValue } from './value.js';

/** An order that may be stored: all but its receipt number, which is counted when it is. */
export interface Accepted {
  /** Receipt numbers are counted for each. */
  location: string;
  /** The same for the same order, however it is written (D28). */
  value: string;
  /** The created order, as it is answered. */
  bodyWith(receiptNumber: number): string;
}

/** Judges an order that was sent to this version and id. */
export function accept(
  text: string,
  to: { version: Version; orderId: Guid },
  registry: Registry,
  grant: Grant,
): Accepted | Problem {
  // What the location and the integrator say comes after what the order says of them.
  const { company, entity, integratorId } = senders(text, validateOrder(text, to));
  const forbidden = (member: string) =>
    new Problem('forbidden', `The token does not cover the ${member} of this order.`);
  if (company !== undefined && !grant.forCompany(company)) return forbidden('CompanyId');
  const location = company !== undefined && entity !== undefined ? registry.location(company, entity) : {};
  if (!location) return forbidden('EntityId');
  const integrator =
    integratorId !== undefined && grant.forIntegrator(integratorId) ? registry.integrator(integratorId) : undefined;
  if (integratorId !== undefined && !integrator) return forbidden('IntegratorId');

  const { allowEmptyTaxes = false, records = 'strict' } = integrator ?? {};
  const options: RuleOptions = { ...to, locationTaxPricing: location.taxPricing ?? null, allowEmptyTaxes, records };
  const verdict = validateOrder(text, options);
  // Read-only members are dropped without a word: an earlier response may be sent again (D22).
  if (!verdict.ok || !integrator)
    return Problem.invalid(verdict.issues.filter(({ code }) => code !== 'read_only_member'));
  const { body } = prepareRequest(text, options);
  return {
    location: `${company}/${entity}`,
    value: comparableValue(verdict.order, records),
    bodyWith: (receiptNumber) => filled(body, readOnly(location, integrator, integratorId ?? '', receiptNumber)),
  };
}

/** Where it is from and for, also of an order that has errors; a member that can't be read is for the rules to tell of. */
function senders(text: string, { issues }: Verdict): { company?: number; entity?: number; integratorId?: string } {
  // JSON.parse accepts more than the core does, for example names with lone surrogates.
  const isUnreadable = issues.some(({ severity, pointer }) => severity === 'error' && pointer === '');
  const order = isUnreadable ? {} : parsed(text);
  const read = (name: string) => {
    const unreadable = issues.some(({ severity, pointer }) => severity === 'error' && pointer === `/${name}`);
    return unreadable ? undefined : order[name];
  };
  const [company, entity, integrator] = [read('CompanyId'), read('EntityId'), read('IntegratorId')];
  return {
    ...(typeof company === 'number' && { company }),
    ...(typeof entity === 'number' && { entity }),
    ...(typeof integrator === 'string' && { integratorId: parseGuid(integrator) ?? '' }),
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function readOnly(
  { inventoryHold = false }: TestLocation,
  { name }: TestIntegrator,
  integratorId: string,
  receiptNumber: number,
) {
  return {
    WasCreatedWithInventoryHold: inventoryHold,
    // Seven digits and an offset, as .NET prints it (D41).
    DateCreatedUtc: new Date().toISOString().replace('Z', '0000+00:00'),
    OrderSource: { Id: integratorId, Name: name },
    ReceiptNumber: String(receiptNumber),
  };
}

/** The order of §2.1, which the core prints in. */
const MEMBERS = [
  ...[
    'Id',
    'CompanyId',
    'EntityId',
    'WasCreatedWithInventoryHold',
    'FirstName',
    'LastName',
    'CustomerId',
    'DateCreatedUtc',
  ],
  ...[
    'OrderSource',
    'OrderNumber',
    'IntegratorId',
    'Items',
    'Discount',
    'IsDelivery',
    'ReceiptNumber',
    'ExternalOrderId',
  ],
  ...['Taxes', 'Notes', 'TimeSlotDisplayString'],
];

/** Puts the read-only members where they belong. As text: parsed and printed again, decimals would lose digits. */
function filled(body: string, readOnly: object): string {
  const place = (member: string) => {
    const place = MEMBERS.indexOf(/^"(\w+)":/.exec(member)?.[1] ?? '');
    return place < 0 ? MEMBERS.length : place;
  };
  const added = Object.entries(readOnly).map(([name, value]) => `"${name}":${JSON.stringify(value)}`);
  return `{${[...membersOf(body), ...added].sort((a, b) => place(a) - place(b)).join(',')}}`;
}

/** The members of a JSON object that the core printed, each as it is written. */
function membersOf(body: string): string[] {
  const members: string[] = [];
  let [depth, start] = [0, 1];
  for (const { 0: token, index } of body.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    if (depth === 0 || (depth === 1 && token === ',')) {
      members.push(body.slice(start, index));
      start = index + 1;
    }
  }
  return members;
}
