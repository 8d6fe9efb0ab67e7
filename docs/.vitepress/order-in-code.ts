/** Finds the order in the code of an example: read, not run. */
import ts from 'typescript';

export interface OrderInCode {
  order: Record<string, unknown>;
  options: Record<string, unknown>;
}

/** The value of an expression that only running the code would give. */
const UNKNOWN = Symbol('unknown');

/** Returns the first object literal that has `Items`, and the constant `options`; null if there is no order. */
export function orderInCode(code: string): OrderInCode | null {
  const file = ts.createSourceFile('example.tsx', code, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const constants = new Map<string, ts.Expression>();
  const orders: ts.ObjectLiteralExpression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      constants.set(node.name.text, node.initializer);
    if (ts.isObjectLiteralExpression(node) && node.properties.some(({ name }) => name?.getText() === 'Items'))
      orders.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  const [first] = orders;
  const order = first && literalValue(first, constants);
  if (!isRecord(order) || !Array.isArray(order.Items)) return null;
  const named = constants.get('options');
  const options = named && literalValue(named, constants);
  return { order, options: isRecord(options) ? options : {} };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function literalValue(node: ts.Expression, constants: Map<string, ts.Expression>): unknown {
  const value = (expression: ts.Expression) => literalValue(expression, constants);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isBigIntLiteral(node)) return node.text.slice(0, -1);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === ts.SyntaxKind.FalseKeyword) return false;
  if (node.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return value(node.expression);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const operand = value(node.operand);
    return typeof operand === 'number' ? -operand : UNKNOWN;
  }
  if (ts.isIdentifier(node)) {
    const known = constants.get(node.text);
    return known ? value(known) : UNKNOWN;
  }
  if (ts.isArrayLiteralExpression(node)) {
    const values = node.elements.map(value);
    return values.includes(UNKNOWN) ? UNKNOWN : values;
  }
  if (ts.isObjectLiteralExpression(node)) return objectOf(node, constants);
  return UNKNOWN;
}

/** Leaves out members whose value is unknown. */
function objectOf(node: ts.ObjectLiteralExpression, constants: Map<string, ts.Expression>): unknown {
  const members: Record<string, unknown> = {};
  for (const property of node.properties) {
    if (ts.isSpreadAssignment(property)) {
      const spread = literalValue(property.expression, constants);
      if (!isRecord(spread)) return UNKNOWN;
      Object.assign(members, spread);
    } else if (ts.isPropertyAssignment(property) || ts.isShorthandPropertyAssignment(property)) {
      const { name } = property;
      const key = ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : undefined;
      if (key === undefined) return UNKNOWN;
      const value = literalValue(ts.isPropertyAssignment(property) ? property.initializer : property.name, constants);
      if (value !== UNKNOWN) members[key] = value;
    } else return UNKNOWN;
  }
  return members;
}
