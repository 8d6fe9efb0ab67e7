/** The JSON of an order → the stored order, or the problem. The core judges the order; this module adds what a service adds. */
import { parseGuid, prepareRequest, validateOrder } from 'sales-order-intake';
import type { Guid, RuleOptions, Verdict, Version } from 'sales-order-intake';
import { orderValue } from '../order-value/order-value.js';
import { Problem } from './problem.js';
import type { Grant, Registry, TestIntegrator, TestLocation } from './registry.js';

/** An order that can be stored. Only the receipt number is missing, which is counted when the order is stored. */
export interface Accepted {
  /** The location, which counts its own receipt numbers. */
  location: string;
  /** Equal for equal orders, whatever their notation (D28). */
  value: string;
  /** Returns the body of the created order. */
  bodyWith(receiptNumber: number): string;
}

/** Judges an order that was sent to this version and id. */
export function accept(
  text: string,
  to: { version: Version; orderId: Guid },
  registry: Registry,
  grant: Grant,
): Accepted | Problem {
  // A first validation finds the ids: the location and the integrator determine the options of the second one.
  const { company, entity, integratorId } = idsOf(text, validateOrder(text, to));
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
  // Read-only members are dropped without a warning, because an earlier response may be sent again (D22).
  if (!verdict.ok || !integrator)
    return Problem.invalid(verdict.issues.filter(({ code }) => code !== 'read_only_member'));
  const { body } = prepareRequest(text, options);
  return {
    location: `${company}/${entity}`,
    value: orderValue(body),
    bodyWith: (receiptNumber) => filled(body, readOnly(location, integrator, integratorId ?? '', receiptNumber)),
  };
}

/** The ids that a token must cover; undefined if the order has none that can be read. */
interface CoveredIds {
  company: number | undefined;
  entity: number | undefined;
  integratorId: string | undefined;
}

/** Returns the ids that the token must cover, even of an order with errors; the rules report members that cannot be read. */
function idsOf(text: string, { issues }: Verdict): CoveredIds {
  const isUnreadable = (at: string) => issues.some(({ severity, pointer }) => severity === 'error' && pointer === at);
  // JSON.parse accepts more than the core does, for example names with lone surrogates.
  const order = isUnreadable('') ? {} : parsed(text);
  const number = (name: string) => {
    const value = order[name];
    return typeof value === 'number' && !isUnreadable(`/${name}`) ? value : undefined;
  };
  const { IntegratorId } = order;
  const hasIntegrator = typeof IntegratorId === 'string' && !isUnreadable('/IntegratorId');
  return {
    company: number('CompanyId'),
    entity: number('EntityId'),
    integratorId: hasIntegrator ? (parseGuid(IntegratorId) ?? '') : undefined,
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

/** Adds the read-only members to the JSON. Parsing and printing it would lose digits of decimals. */
function filled(body: string, readOnly: object): string {
  return `${body.slice(0, -1)},${JSON.stringify(readOnly).slice(1)}`;
}
