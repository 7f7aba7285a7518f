import { ts } from 'ts-morph';

import type { Json, JsonSchemaObject } from '../../../util/json-schema.ts';
import { ownMember } from '../../../../templates/runtime/json-rpc.ts';
import { unwrapExpression, valueOfLiteralType as valueOfType } from '../program/checker-queries.ts';
import type { Declared } from './signature-parameters.ts';
import type { Types } from './types.ts';

/** `({ days = 3 }: Query)` */
export function addPatternDefaults(
  schema: JsonSchemaObject,
  declaration: Declared | undefined,
  types: Types,
): void {
  const { properties = {}, required = [] } = schema;
  const pattern = declaration?.name;
  const elements = pattern !== undefined && ts.isObjectBindingPattern(pattern) ? pattern.elements : [];
  const presetNames: string[] = [];
  for (const { initializer, name, propertyName = name } of elements) {
    const member = ts.isIdentifier(propertyName) ? propertyName.text : '';
    const value = ownMember(properties, member);
    if (typeof value === 'object') addInitializerDefault(value, initializer, types);
    if (initializer !== undefined) presetNames.push(member);
  }
  const missingNames = required.filter((name) => !presetNames.includes(name));
  if (missingNames.length === 0) delete schema.required;
  else schema.required = missingNames;
}

/** Adds the initializer's value as the default, unless a tag gives one. */
export function addInitializerDefault(
  schema: JsonSchemaObject,
  initializer: ts.Expression | undefined,
  types: Types,
): void {
  const value = initializer === undefined ? undefined : evaluateLiteral(initializer, types.reader.checker);
  if (initializer === undefined || value === undefined || schema.default !== undefined) return;
  schema.default = value;
  types.reader.noteDefault(schema, initializer);
}

/** Constants, enum members, members of `as const` objects and readonly statics have a type with one value, as literals have. */
function evaluateLiteral(wrapped: ts.Expression, checker: ts.TypeChecker): Json | undefined {
  const expression = unwrapExpression(wrapped);
  if (expression.kind === ts.SyntaxKind.NullKeyword) return null;
  if (ts.isArrayLiteralExpression(expression)) {
    const values = expression.elements.map((element) => evaluateLiteral(element, checker));
    return values.every((value) => value !== undefined) ? values : undefined;
  }
  if (ts.isObjectLiteralExpression(expression)) {
    const entries = expression.properties.map((property): [string, Json] | undefined => {
      if (!ts.isPropertyAssignment(property)) return undefined;
      const { name, initializer } = property;
      const value = evaluateLiteral(initializer, checker);
      const isNamed = ts.isIdentifier(name) || ts.isStringLiteral(name);
      return isNamed && value !== undefined ? [name.text, value] : undefined;
    });
    return entries.every((entry) => entry !== undefined) ? Object.fromEntries(entries) : undefined;
  }
  if (ts.isPrefixUnaryExpression(expression) && expression.operator === ts.SyntaxKind.MinusToken) {
    const value = evaluateLiteral(expression.operand, checker);
    return typeof value === 'number' ? -value : undefined;
  }
  const type = checker.getTypeAtLocation(expression);
  if (type.flags & ts.TypeFlags.BooleanLiteral) return checker.typeToString(type) === 'true';
  if (type.flags & ts.TypeFlags.BigIntLiteral) {
    const value = Number(checker.typeToString(type).slice(0, -1));
    return Number.isSafeInteger(value) ? value : undefined;
  }
  return valueOfType(type);
}
