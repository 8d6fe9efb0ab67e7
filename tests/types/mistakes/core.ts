/** Mistakes in programs that use the default entry. mistakes.test.mjs says how they are written. */
import {
  buildOrder,
  compareAmounts,
  createEvaluator,
  evaluateOrder,
  type Issue,
  prepareRequest,
  previewOrder,
  requestPath,
  type SalesOrderInput,
  type SalesOrderItemInput,
  salesOrderSchema,
  sumAmounts,
  type Totals,
  validateOrder,
} from 'sales-order-intake';
import { init } from 'sales-order-intake/slim';

// This comparison appears to be unintentional because the types
export function codeMisspelt(issue: Issue): boolean {
  return issue.code === 'too_larg';
}

// Type 'string' is not assignable to type 'number'.
export function companyAsString() {
  validateOrder({ CompanyId: '1000', EntityId: 2000, IntegratorId: 'x', Items: [] });
}

// Property 'body' does not exist on type 'never'.
export function evaluationCheckedTheWrongWay(order: SalesOrderInput): string {
  const evaluation = evaluateOrder(order);
  return evaluation.ok ? '' : evaluation.request().body;
}

// Object is possibly 'null'.
export function evaluationNotChecked(order: SalesOrderInput): string {
  const evaluation = evaluateOrder(order);
  return evaluation.order().Id;
}

/** As React declares it. */
declare function useState<State>(initial: State | (() => State)): [State, (next: State) => void];

// Argument of type '(input: SalesOrderInput) => Evaluation' is not assignable to parameter of type
// Target signature provides too few arguments. Expected 1 or more, but got 0.
export function evaluatorAsState() {
  return useState(createEvaluator());
}

// Type 'false' is not assignable to type
export const idAsBoolean = createEvaluator({ id: false });

// Argument of type '42' is not assignable to parameter of type 'CoreSource
export function initWithNumber() {
  void init(42);
}

// Argument of type '{ url: string; }' is not assignable to parameter of type 'CoreSource
export function initWithObject() {
  void init({ url: '/core.wasm' });
}

// Did you mean to write 'SellAtPricePerUnit'?
export function itemMemberMisspelt() {
  buildOrder({
    CompanyId: 1000,
    EntityId: 2000,
    IntegratorId: 'x',
    Items: [{ CatalogItemId: 'x', Quantity: 1, SellAtPricePerUnits: 1 }],
  });
}

// Property 'push' does not exist on type 'readonly SalesOrderItemInput[]'.
export function itemsPushed(order: SalesOrderInput, item: SalesOrderItemInput): void {
  order.Items.push(item);
}

// Did you mean to write 'rounding'?
export const optionMisspelt = (order: SalesOrderInput) => previewOrder(order, { roundng: 'half-even' });

// 'scale' does not exist in type 'RuleOptions'.
export const optionOfThePreviewInARule = (order: SalesOrderInput) => validateOrder(order, { scale: 2 });

// Did you mean to write 'CompanyId'?
export function orderMemberInLowerCase() {
  evaluateOrder({ companyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [] });
}

// Did you mean to write 'EntityId'?
export function orderMemberMisspelt() {
  validateOrder({ CompanyId: 1000, EntityID: 2000, IntegratorId: 'x', Items: [] });
}

// Object is possibly 'null'.
export function orderOfACartWithoutId(cart: SalesOrderInput) {
  const evaluation = evaluateOrder(cart, { id: 'optional' });
  return evaluation.ok ? evaluation.order().Id : null;
}

// Object is possibly 'null'.
export function orderOfAnEditedCartWithoutId() {
  const evaluate = createEvaluator({ id: 'optional' });
  return (cart: SalesOrderInput) => evaluate(cart).order().Id;
}

// Property 'limt' does not exist on type
export function paramMisspelt(issue: Issue): number {
  return issue.code === 'too_large' ? issue.params.limt : 0;
}

// Property 'limit' does not exist on type '{}'.
export function paramOfAnotherCode(issue: Issue): number {
  return issue.code === 'not_a_guid' ? issue.params.limit : 0;
}

// Type 'string | undefined' is not assignable to type 'string'.
export function paramThatMayBeMissing(issue: Issue): string {
  return issue.code === 'unknown_member' ? issue.params.suggestion : '';
}

// Type 'boolean' is not assignable to type 'DecimalInput'.
export function quantityAsBoolean() {
  validateOrder({
    CompanyId: 1000,
    EntityId: 2000,
    IntegratorId: 'x',
    Items: [{ CatalogItemId: 'x', Quantity: true, SellAtPricePerUnit: 1 }],
  });
}

// Type 'DecimalInput' is not assignable to type 'string | number | readonly string[] | undefined'.
// Type 'bigint' is not assignable to type
export function quantityAsValueOfAField() {
  /** The attribute, as React declares it. */
  type Field = { value?: string | number | readonly string[] | undefined };
  return (item: SalesOrderItemInput): Field => ({ value: item.Quantity });
}

// is not assignable to parameter of type 'string | IdentifiedOrder'.
// Property 'Id' is missing in type '{ CompanyId: number; EntityId: number; IntegratorId: string; Items: never[]; }' but required in type 'IdentifiedOrder'.
export function requestWithoutId() {
  prepareRequest({ CompanyId: 1000, EntityId: 2000, IntegratorId: 'x', Items: [] });
}

// Type '"half-evn"' is not assignable to type 'Rounding | undefined'.
export const roundingMisspelt = (order: SalesOrderInput) => evaluateOrder(order, { rounding: 'half-evn' });

// Type 'string' is not assignable to type 'number'.
export const scaleAsString = createEvaluator({ scale: '2' });

// Argument of type '{ version: string; }' is not assignable to parameter of type 'Version | undefined'.
export function schemaWithOptionsOnly() {
  salesOrderSchema({ version: 'v2' });
}

// Type '`${number}` | null' is not assignable to type 'string'.
export const sumWithoutNullCheck = (totals: Totals[]): string => sumAmounts(totals.map(({ total }) => total));

// Property 'toFixed' does not exist on type
export function totalAsNumber(order: SalesOrderInput): string {
  const { total } = previewOrder(order);
  return total === null ? 'unknown' : total.toFixed(2);
}

// The left-hand side of an arithmetic operation must be of type 'any', 'number', 'bigint' or an enum type.
export function totalMultiplied(order: SalesOrderInput): number {
  const { total } = evaluateOrder(order).totals;
  return total === null ? 0 : total * 100;
}

// 'total' is possibly 'null'.
export function totalWithoutNullCheck(order: SalesOrderInput): string {
  const { total } = previewOrder(order);
  return total.toUpperCase();
}

// Argument of type '`${number}` | null' is not assignable to parameter of type 'DecimalInput'.
export const unknownAmountCompared = ({ total }: Totals) => compareAmounts(total, '100.00') > 0;

// This expression is not callable.
export function verdictAsFunction(order: SalesOrderInput): string {
  const verdict = validateOrder(order);
  return verdict.ok ? verdict.order().Id : '';
}

// 'verdict.order' is possibly 'null'.
export function verdictNotChecked(order: SalesOrderInput): string {
  const verdict = validateOrder(order);
  return verdict.order.Id;
}

// Argument of type '"v4"' is not assignable to parameter of type 'Version'.
export function versionMisspelt() {
  requestPath('v4', '2a8f5d33-eec9-4864-8b49-5636577b40d5');
}
