import { ts } from 'ts-morph';
import type { Json, JsonObject } from '../../../../templates/runtime/schema/json-schema.ts';

/** The JSON value that an expression of literals says; undefined for any other. */
export function literalValue(expression: ts.Expression): Json | undefined {
  if (ts.isStringLiteralLike(expression)) return expression.text;
  if (ts.isNumericLiteral(expression)) return Number(expression.text);
  if (ts.isBigIntLiteral(expression)) return exactNumber(expression);
  if (
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  )
    return literalValue(expression.expression);
  if (ts.isPrefixUnaryExpression(expression)) return negated(expression);
  if (ts.isArrayLiteralExpression(expression)) return listOf(expression);
  if (ts.isObjectLiteralExpression(expression)) return objectOf(expression);
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return false;
  return expression.kind === ts.SyntaxKind.NullKeyword ? null : undefined;
}

function negated({ operator, operand }: ts.PrefixUnaryExpression): number | undefined {
  if (operator !== ts.SyntaxKind.MinusToken) return undefined;
  const value =
    ts.isNumericLiteral(operand) || ts.isBigIntLiteral(operand) ? literalValue(operand) : undefined;
  return typeof value === 'number' ? -value : undefined;
}

/** `10n`; a schema can't name one that a double would round. */
function exactNumber({ text }: ts.BigIntLiteral): number | undefined {
  const value = Number(text.slice(0, -1));
  return Number.isSafeInteger(value) ? value : undefined;
}

function listOf({ elements }: ts.ArrayLiteralExpression): Json[] | undefined {
  const values = elements.map(literalValue);
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Of an object that is written out, the members that are literals. */
export function literalMembers(expression: ts.Expression): JsonObject {
  if (!ts.isObjectLiteralExpression(expression)) return {};
  const entries = expression.properties.map(entryOf).filter((entry) => entry !== undefined);
  return Object.fromEntries(entries);
}

function objectOf({ properties }: ts.ObjectLiteralExpression): Json | undefined {
  const entries = properties.map(entryOf);
  return entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : undefined;
}

function entryOf(property: ts.ObjectLiteralElementLike): [string, Json] | undefined {
  if (!ts.isPropertyAssignment(property)) return undefined;
  const { name, initializer } = property;
  const value = literalValue(initializer);
  const isNamed = ts.isIdentifier(name) || ts.isStringLiteral(name);
  return isNamed && value !== undefined ? [name.text, value] : undefined;
}
