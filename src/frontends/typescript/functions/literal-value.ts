import { ts } from 'ts-morph';
import type { Json, JsonObject } from '../../../../templates/runtime/schema/json-schema.ts';

/** The JSON value that an expression of literals and members of enums says; undefined for any other. */
export function literalValue(expression: ts.Expression, checker: ts.TypeChecker): Json | undefined {
  if (ts.isStringLiteralLike(expression)) return expression.text;
  if (ts.isNumericLiteral(expression)) return Number(expression.text);
  if (ts.isBigIntLiteral(expression)) return exactNumber(expression);
  if (
    ts.isAsExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isParenthesizedExpression(expression)
  )
    return literalValue(expression.expression, checker);
  if (ts.isPrefixUnaryExpression(expression)) return negated(expression, checker);
  if (ts.isArrayLiteralExpression(expression)) return listOf(expression, checker);
  if (ts.isObjectLiteralExpression(expression)) return objectOf(expression, checker);
  if (ts.isPropertyAccessExpression(expression) || ts.isElementAccessExpression(expression))
    return memberOfEnum(expression, checker);
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return true;
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return false;
  return expression.kind === ts.SyntaxKind.NullKeyword ? null : undefined;
}

/** Undefined for what is none, or has a value that is computed. */
function memberOfEnum(expression: ts.Expression, checker: ts.TypeChecker): string | number | undefined {
  const declaration = checker.getSymbolAtLocation(expression)?.valueDeclaration;
  return declaration !== undefined && ts.isEnumMember(declaration)
    ? checker.getConstantValue(declaration)
    : undefined;
}

/** `-5`, and `!0`, which is how some write `true`. */
function negated(
  { operator, operand }: ts.PrefixUnaryExpression,
  checker: ts.TypeChecker,
): number | boolean | undefined {
  const isNumber = ts.isNumericLiteral(operand) || ts.isBigIntLiteral(operand);
  const value = isNumber ? literalValue(operand, checker) : undefined;
  if (typeof value !== 'number') return undefined;
  if (operator === ts.SyntaxKind.ExclamationToken) return value === 0;
  return operator === ts.SyntaxKind.MinusToken ? -value : undefined;
}

/** `10n`; a schema can't name one that a double would round. */
function exactNumber({ text }: ts.BigIntLiteral): number | undefined {
  const value = Number(text.slice(0, -1));
  return Number.isSafeInteger(value) ? value : undefined;
}

function listOf({ elements }: ts.ArrayLiteralExpression, checker: ts.TypeChecker): Json[] | undefined {
  const values = elements.map((each) => literalValue(each, checker));
  return values.every((value) => value !== undefined) ? values : undefined;
}

/** Of an object that is written out, the members that are literals. */
export function literalMembers(expression: ts.Expression, checker: ts.TypeChecker): JsonObject {
  if (!ts.isObjectLiteralExpression(expression)) return {};
  const entries = expression.properties
    .map((each) => entryOf(each, checker))
    .filter((entry) => entry !== undefined);
  return Object.fromEntries(entries);
}

function objectOf({ properties }: ts.ObjectLiteralExpression, checker: ts.TypeChecker): Json | undefined {
  const entries = properties.map((each) => entryOf(each, checker));
  return entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : undefined;
}

function entryOf(property: ts.ObjectLiteralElementLike, checker: ts.TypeChecker): [string, Json] | undefined {
  if (!ts.isPropertyAssignment(property)) return undefined;
  const { name, initializer } = property;
  const value = literalValue(initializer, checker);
  const isNamed = ts.isIdentifier(name) || ts.isStringLiteral(name);
  return isNamed && value !== undefined ? [name.text, value] : undefined;
}
