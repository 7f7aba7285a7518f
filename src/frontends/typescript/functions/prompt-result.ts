/** Checks that a function's result can be a prompt, by the shape of its type. */
import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';
import { closedType } from '../schema/open-type.ts';
import { alternatives } from './content-types.ts';
import { returnedBy } from './results.ts';
import type { Tagged } from './tagged.ts';

/**
 * Describes why a function's result is no prompt; undefined for text, messages, content blocks, and types that may
 * hold one of these.
 */
export function promptProblem(tagged: Tagged, source: SourceProgram): string | undefined {
  const { checker } = source;
  const { type, streams } = returnedBy(tagged, source);
  if (streams === 'items')
    return isListItem(type, checker) ? undefined : 'what it yields are no messages and no content blocks';
  const misfit = alternatives(checker.getNonNullableType(type)).find((each) => !isPrompt(each, checker));
  return (misfit ?? emptiness(type)) && 'it does not return a text, messages or content blocks';
}

function emptiness(type: ts.Type): ts.Type | undefined {
  const nothing = ts.TypeFlags.VoidLike | ts.TypeFlags.Null;
  return alternatives(type).every(({ flags }) => (flags & nothing) !== 0) ? type : undefined;
}

function isPrompt(given: ts.Type, checker: ts.TypeChecker): boolean {
  const type = closedType(given, checker) ?? given;
  if (isOpen(type, checker) || checker.isTypeAssignableTo(type, checker.getStringType())) return true;
  if (!checker.isArrayLikeType(type)) return has(type, ['messages'], checker) || isListItem(type, checker);
  const item = checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  return item === undefined || isListItem(item, checker);
}

function isListItem(type: ts.Type, checker: ts.TypeChecker): boolean {
  return alternatives(type).every(
    (each) =>
      isOpen(each, checker) || has(each, ['role', 'content'], checker) || has(each, ['type'], checker),
  );
}

const open =
  ts.TypeFlags.Any |
  ts.TypeFlags.Unknown |
  ts.TypeFlags.Never |
  ts.TypeFlags.NonPrimitive |
  ts.TypeFlags.Instantiable;

/** Types without information about the value: `unknown`, `object`, `Record<string, unknown>`. */
function isOpen(type: ts.Type, checker: ts.TypeChecker): boolean {
  if ((type.flags & open) !== 0) return true;
  const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayLikeType(type);
  const members = checker.getPropertiesOfType(type).length + type.getCallSignatures().length;
  return isObject && members === 0;
}

function has(type: ts.Type, names: readonly string[], checker: ts.TypeChecker): boolean {
  const isObject = (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0;
  return isObject && names.every((name) => checker.getPropertyOfType(type, name) !== undefined);
}
