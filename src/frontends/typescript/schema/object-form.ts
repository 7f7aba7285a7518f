import { ts } from 'ts-morph';
import type { JsonSchemaObject, ObjectCodec } from '../../../../templates/runtime/contract/json-schema.ts';
import {
  type FormFault,
  type Form,
  type NoForm,
  type Place,
  type Reading,
  hasForm,
  reportMemberLeftOut,
  innerPlace,
  makeNoJsonFault,
} from './form.ts';
import { reportConstraintTypes } from './constraint-types.ts';
import { findValueNode } from './library-form.ts';
import { isMethodOfResult, isBrand, isPublicMember, isStack } from './member.ts';
import { iterableForm } from './array-form.ts';
import { formOfAnything, notNullForm, numberPattern, templatePattern } from './primitive-form.ts';
import { makeWrittenOrder } from './type-order.ts';
import { readMember, type Shape } from './read-member.ts';

export function readObjectForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm {
  const { checker } = reading;
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0)
    return makeNoJsonFault(place, 'a function');
  const written = reading.direction === 'output' ? readToJsonForm(type, place, reading) : undefined;
  if (written !== undefined) return written;
  const items = iterableForm(type, place, reading);
  if (items !== undefined) return items;
  const members = listMembersInOrder(type, place, checker);
  const indexes = checker.getIndexInfosOfType(type);
  if (isEmptyObjectType(type, checker)) return notNullForm(reading);
  if (isMarkerInterface(type, members, indexes) && reading.direction === 'output') return formOfAnything();
  if (
    reading.direction === 'input' &&
    members.some((member) => !isPublicMember(member) && !isBrand(member, type))
  )
    return makeNoJsonFault(place, `an instance of the class \`${checker.typeToString(type)}\``);
  const shape = readMemberForms(members, type, place, reading);
  if (shape.faults.length > 0) return { faults: mergeFaults(shape.faults, type, place, reading) };
  const codec = objectCodec(type, shape, members, indexes);
  return finishObjectForm(shape, codec, indexes, place, reading);
}

/** Members that a mapped type makes from literals keep the literals' order. */
function listMembersInOrder(type: ts.Type, { node }: Place, checker: ts.TypeChecker): ts.Symbol[] {
  const members = checker.getPropertiesOfType(type);
  if (members.every(({ declarations }) => declarations !== undefined)) return members;
  const { compare, isKnown } = makeWrittenOrder(node, checker);
  const made = members.filter(({ declarations }) => declarations === undefined);
  // A type made from the members of another type keeps their order.
  if (!made.every(({ name }) => isKnown(name))) return members;
  made.sort((a, b) => compare(a.name, b.name));
  return members.map((member) => (member.declarations === undefined ? (made.shift() ?? member) : member));
}

/** `{}` is everything but null and undefined; an empty interface, or the rest of a mapped type, is an object. */
export function isEmptyObjectType(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (checker.getPropertiesOfType(type).length > 0 || checker.getIndexInfosOfType(type).length > 0)
    return false;
  const { objectFlags } = type as ts.ObjectType;
  const named = type.getSymbol()?.flags ?? 0;
  return (
    (objectFlags & ts.ObjectFlags.Anonymous) !== 0 &&
    !(objectFlags & (ts.ObjectFlags.Mapped | ts.ObjectFlags.ObjectLiteral)) &&
    !(named & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class))
  );
}

/** A value of an empty interface may be a map or anything else. */
function isMarkerInterface(
  type: ts.Type,
  members: readonly ts.Symbol[],
  indexes: readonly ts.IndexInfo[],
): boolean {
  const isInterface = ((type.getSymbol()?.flags ?? 0) & ts.SymbolFlags.Interface) !== 0;
  return isInterface && members.length === 0 && indexes.length === 0;
}

/** `JSON.stringify` calls `toJSON`. */
function readToJsonForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm | undefined {
  const method = reading.checker.getPropertyOfType(type, 'toJSON');
  if (method === undefined) return undefined;
  const [signature] = reading.checker.getTypeOfSymbol(method).getCallSignatures();
  if (signature === undefined) return undefined;
  const read = reading.read(signature.getReturnType(), innerPlace(place, ''));
  if (!hasForm(read)) return read;
  return { ...read, codec: { kind: 'toJSON', ...(read.codec && { as: read.codec }) } };
}

/** Joins faults, so that several members of one class or library make one report. */
function mergeFaults(
  faults: readonly FormFault[],
  type: ts.Type,
  place: Place,
  { checker }: Reading,
): FormFault[] {
  const isClass = ((type.getSymbol()?.flags ?? 0) & ts.SymbolFlags.Class) !== 0;
  const [first] = faults;
  if (isClass && faults.every(({ problem }) => problem.name === 'type-without-json'))
    return makeNoJsonFault(place, `an instance of the class \`${checker.typeToString(type)}\``).faults;
  const [inherited] = faults.filter(isOfLibraryObject);
  if (first === undefined || inherited === undefined) return [...faults];
  const own = faults.filter((fault) => !isOfLibraryObject(fault));
  const name = inherited.place.path.slice(place.path.length + 1);
  return [
    ...own,
    ...makeNoJsonFault(place, `an object whose \`${name}\` is ${inherited.problem.what}`).faults,
  ];
}

type Formless = FormFault & { problem: { name: 'type-without-json' } };

function isOfLibraryObject(fault: FormFault): fault is Formless {
  return fault.place.isLibrary && fault.problem.name === 'type-without-json';
}

function readMemberForms(
  members: readonly ts.Symbol[],
  type: ts.Type,
  place: Place,
  reading: Reading,
): Shape {
  const shape: Shape = {
    schema: { type: 'object', properties: {}, required: [] },
    properties: {},
    defaults: {},
    inside: [],
    faults: [],
  };
  reading.inside.set(type, shape.inside);
  for (const member of members) {
    if (!isPublicMember(member) || isBrand(member, type) || place.injected?.has(member.name) === true)
      continue;
    if (reading.direction === 'output' && (isMethodOfResult(member, reading) || isStack(member, reading)))
      continue;
    readMember(member, type, shape, place, reading);
  }
  return shape;
}

function objectCodec(
  type: ts.Type,
  { properties, defaults, inside, schema }: Shape,
  members: readonly ts.Symbol[],
  indexes: readonly ts.IndexInfo[],
): ObjectCodec {
  const codec: ObjectCodec = { kind: 'object' };
  if (Object.keys(properties).length > 0) codec.properties = properties;
  if (Object.keys(defaults).length > 0) codec.defaults = defaults;
  if (inside.length > 0) codec.without = inside;
  if (isClosed(indexes) || hasNonEnumerableMembers(type, members))
    codec.only = Object.keys(schema.properties);
  return codec;
}

function isClosed(indexes: readonly ts.IndexInfo[]): boolean {
  return indexes.every(({ keyType }) => (keyType.flags & ts.TypeFlags.ESSymbolLike) !== 0);
}

/** Whether it is a class with accessors or private fields, which are no own enumerable members. */
function hasNonEnumerableMembers(type: ts.Type, members: readonly ts.Symbol[]): boolean {
  const isClass = ((type.getSymbol()?.flags ?? 0) & ts.SymbolFlags.Class) !== 0;
  return (
    isClass && members.some((member) => !isPublicMember(member) || member.flags & ts.SymbolFlags.Accessor)
  );
}

function finishObjectForm(
  { schema, faults }: Shape,
  codec: ObjectCodec,
  indexes: readonly ts.IndexInfo[],
  place: Place,
  reading: Reading,
): Form | NoForm {
  const { properties, required, ...head } = schema;
  const whole: JsonSchemaObject = { ...head };
  if (Object.keys(properties).length > 0) whole.properties = properties;
  if (required.length > 0) whole.required = required;
  const all = [...faults, ...readIndexSignatures(indexes, whole, codec, place, reading)];
  if (all.length > 0) return { faults: all };
  return { schema: whole, codec: Object.keys(codec).length > 1 ? codec : undefined };
}

function readIndexSignatures(
  indexes: readonly ts.IndexInfo[],
  schema: JsonSchemaObject,
  codec: ObjectCodec,
  place: Place,
  reading: Reading,
): FormFault[] {
  const faults: FormFault[] = [];
  for (const { keyType, type, declaration } of indexes) {
    if (keyType.flags & ts.TypeFlags.ESSymbolLike) {
      // Such a member is read like an optional one.
      const named = innerPlace(place, '[symbol]', declaration?.type);
      reportMemberLeftOut(makeNoJsonFault(named, 'a member with a symbol as its key'), named, reading);
      continue;
    }
    const read: Form | NoForm =
      (type.flags & ts.TypeFlags.Never) !== 0
        ? { schema: { not: {} } }
        : reading.read(type, innerPlace(place, '[]', findValueNode(place.node, reading.checker) ?? declaration?.type));
    if (!hasForm(read)) {
      faults.push(...read.faults);
      continue;
    }
    reportConstraintTypes([keyType], place, reading);
    const pattern = patternOfKey(keyType, reading);
    if (pattern === undefined) schema.additionalProperties = read.schema;
    else schema.patternProperties = { ...schema.patternProperties, [pattern]: read.schema };
    if (read.codec === undefined) continue;
    if (pattern === undefined) codec.additional = read.codec;
    else codec.patterns = { ...codec.patterns, [pattern]: read.codec };
  }
  return faults;
}

function patternOfKey(key: ts.Type, reading: Reading): string | undefined {
  if (key.flags & ts.TypeFlags.String) return undefined;
  if (key.flags & ts.TypeFlags.Number) return `^${numberPattern}$`;
  return templatePattern(key, reading);
}
