import { ts } from 'ts-morph';
import type { FunctionResource } from '../../../model/source-model.ts';
import { alternatives } from './content-types.ts';
import { templateVariables } from './template-variables.ts';

/** The types of a template variable (`VariableValue`), except lists. */
const PLAIN =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.Undefined |
  ts.TypeFlags.Any;

/**
 * Describes the problem, in words that end a sentence. A type that does not name its members, such as a record,
 * cannot be checked.
 */
export function variablesProblem(
  variables: ts.Type,
  { uri, input }: FunctionResource,
  checker: ts.TypeChecker,
): string | undefined {
  const type = checker.getNonNullableType(variables);
  if ((type.flags & ts.TypeFlags.Any) !== 0) return undefined;
  const members = new Map(checker.getPropertiesOfType(type).map((member) => [member.name, member]));
  const names = templateVariables(uri);
  const odd = [...members.keys()].find((name) => !names.includes(name));
  if (odd !== undefined) return `it returns the variable ${odd}, which ${uri} does not have`;
  for (const [name, member] of members)
    if (!isVariable(checker.getTypeOfSymbol(member), checker))
      return `its variable ${name} is no text, number, boolean, or list of texts or numbers`;
  if (type.getStringIndexType() !== undefined) return undefined;
  const absent = names.find((name) => input.required?.includes(name) === true && !members.has(name));
  return absent === undefined ? undefined : `its variables lack ${absent}, which ${uri} needs`;
}

function isVariable(type: ts.Type, checker: ts.TypeChecker): boolean {
  return alternatives(type).every((each) => {
    if ((each.flags & PLAIN) !== 0) return true;
    if (!checker.isArrayType(each) && !checker.isTupleType(each)) return false;
    return checker
      .getTypeArguments(each as ts.TypeReference)
      .every((item) => alternatives(item).every(({ flags }) => (flags & ITEM) !== 0));
  });
}

const ITEM = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.Any;
