/** Results of the user's own iterable classes and interfaces: JSON has items or members, not both. */
import type { ts } from 'ts-morph';
import { listForm } from './array-form.ts';
import { type Form, type NoForm, type Place, type Reading, subjectOf, without } from './form.ts';
import { libraryType } from './library-types.ts';
import { isHidden, isWrittenMember } from './member.ts';

/** Undefined if the type is not written as a list; a type with members and items is reported. */
export function iterableForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm | undefined {
  if (isBareIterable(type, reading)) return itemsForm(findItemType(type, reading), place, reading);
  const items = shownIteration(type, reading);
  if (items === undefined) return undefined;
  if (!hasMembers(type, reading)) return without(place, 'an async iterable');
  reading.tell(
    'half-written',
    { subject: subjectOf(place), as: 'an object of its members', what: 'its items are', way: 'written' },
    place.at,
  );
  return undefined;
}

export function isBareIterable(type: ts.Type, reading: Reading): boolean {
  const items = shownIteration(type, reading);
  return items?.isAsync === false && !hasMembers(type, reading);
}

export function itemsForm(
  item: ts.Type | undefined,
  place: Place,
  reading: Reading,
  node?: ts.TypeNode,
): Form | NoForm {
  const list: Form | NoForm =
    item === undefined ? { schema: { type: 'array' } } : listForm(item, place, reading, node);
  if ('faults' in list || list.codec !== undefined) return list;
  return { ...list, codec: { kind: 'array', items: { kind: 'any' } } };
}

/** How a result is iterated, unless `@hidden` excludes the iterator. */
function shownIteration(type: ts.Type, reading: Reading): { isAsync: boolean } | undefined {
  if (reading.direction === 'input') return undefined;
  const member = findIterator(type, 'iterator') ?? findIterator(type, 'asyncIterator');
  if (member === undefined || isHidden(member, reading)) return undefined;
  return { isAsync: findIterator(type, 'iterator') === undefined };
}

/** The checker's name of a well-known symbol ends in a number. */
function findIterator(type: ts.Type, name: 'iterator' | 'asyncIterator'): ts.Symbol | undefined {
  return type.getProperties().find((member) => member.name.startsWith(`__@${name}@`));
}

function hasMembers(type: ts.Type, reading: Reading): boolean {
  const { checker } = reading;
  const members = checker.getPropertiesOfType(type);
  return (
    checker.getIndexInfosOfType(type).length > 0 ||
    members.some((member) => isWrittenMember(member, type, reading))
  );
}

/** Finds the type that `next` yields. */
function findItemType(type: ts.Type, { checker, program }: Reading): ts.Type | undefined {
  const member = findIterator(type, 'iterator');
  const iterator = member && findReturnType(checker.getTypeOfSymbol(member));
  if (iterator === undefined) return undefined;
  // TypeScript's own iterators have type arguments; others return a union of yielded and returned values.
  if (libraryType(iterator, program) !== undefined)
    return checker.getTypeArguments(iterator as ts.TypeReference)[0];
  const next = checker.getPropertyOfType(iterator, 'next');
  const step = next && findReturnType(checker.getTypeOfSymbol(next));
  const steps = step?.isUnion() === true ? step.types : step === undefined ? [] : [step];
  const yielded = steps.filter((each) => !isDone(each, checker));
  const value = yielded.length === 1 && yielded[0] ? yielded[0].getProperty('value') : undefined;
  return value && checker.getTypeOfSymbol(value);
}

function findReturnType(method: ts.Type): ts.Type | undefined {
  return method.getCallSignatures()[0]?.getReturnType();
}

function isDone(step: ts.Type, checker: ts.TypeChecker): boolean {
  const done = step.getProperty('done');
  return done !== undefined && checker.typeToString(checker.getTypeOfSymbol(done)) === 'true';
}
