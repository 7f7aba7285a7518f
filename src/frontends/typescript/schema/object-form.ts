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
import { formOfAnything, notNullForm, numberPattern, templatePattern } from './primitive-form.ts';
import { makeWrittenOrder } from './type-order.ts';
import { readMember, type Shape } from './read-member.ts';

export function readObjectForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm {
  const { checker, direction } = reading;
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0)
    return makeNoJsonFault(place, 'a function');
  const toJsonForm = direction === 'output' ? readToJsonForm(type, place, reading) : undefined;
  if (toJsonForm !== undefined) return toJsonForm;
  if (isEmptyObjectType(type, checker)) return notNullForm(reading);
  const members = listMembersInOrder(type, place, checker);
  const indexes = checker.getIndexInfosOfType(type);
  const { Class, Interface, Accessor } = ts.SymbolFlags;
  const kind = type.getSymbol()?.flags ?? 0;
  // A value of an empty interface may be a map or anything else.
  const isMarker = (kind & Interface) !== 0 && members.length + indexes.length === 0;
  if (isMarker && direction === 'output') return formOfAnything();
  const makeInstanceFault = (): NoForm =>
    makeNoJsonFault(place, `an instance of the class \`${checker.typeToString(type)}\``);
  if (direction === 'input' && members.some((member) => !isPublicMember(member) && !isBrand(member, type)))
    return makeInstanceFault();
  const { schema, faults, properties, defaults, inside } = readMemberForms(members, type, place, reading);
  const isFormless = faults.every(({ problem }) => problem.name === 'type-without-json');
  if (faults.length > 0) return (kind & Class) !== 0 && isFormless ? makeInstanceFault() : { faults };
  const names = Object.keys(schema.properties);
  const isIterable = members.some(({ name }) => /^__@(?:iterator|asyncIterator)@/.test(name));
  if (isIterable && names.length + indexes.length === 0)
    return makeNoJsonFault(place, 'an iterable without other members');
  const whole: JsonSchemaObject = { type: 'object' };
  if (names.length > 0) whole.properties = schema.properties;
  if (schema.required.length > 0) whole.required = schema.required;
  const codec: ObjectCodec = { kind: 'object' };
  if (Object.keys(properties).length > 0) codec.properties = properties;
  if (Object.keys(defaults).length > 0) codec.defaults = defaults;
  if (inside.length > 0) codec.without = inside;
  const isClosed = indexes.every(({ keyType }) => (keyType.flags & ts.TypeFlags.ESSymbolLike) !== 0);
  // Accessors and private fields are no own enumerable members.
  const isSelective =
    (kind & Class) !== 0 && members.some((member) => !isPublicMember(member) || member.flags & Accessor);
  if (isClosed || isSelective) codec.only = names;
  const indexFaults = readIndexSignatures(indexes, whole, codec, place, reading);
  if (indexFaults.length > 0) return { faults: indexFaults };
  return { schema: whole, codec: Object.keys(codec).length > 1 ? codec : undefined };
}

/** Members that a mapped type makes from literals keep the literals' order. */
function listMembersInOrder(type: ts.Type, { node }: Place, checker: ts.TypeChecker): ts.Symbol[] {
  const members = checker.getPropertiesOfType(type);
  if (members.every(({ declarations }) => declarations !== undefined)) return members;
  const { compare, isKnown } = makeWrittenOrder(node, checker);
  const syntheticMembers = members.filter(({ declarations }) => declarations === undefined);
  // A type made from the members of another type keeps their order.
  if (!syntheticMembers.every(({ name }) => isKnown(name))) return members;
  syntheticMembers.sort((a, b) => compare(a.name, b.name));
  return members.map((member) =>
    member.declarations === undefined ? (syntheticMembers.shift() ?? member) : member,
  );
}

/** `{}` is everything but null and undefined; an empty interface, or the rest of a mapped type, is an object. */
export function isEmptyObjectType(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (checker.getPropertiesOfType(type).length > 0 || checker.getIndexInfosOfType(type).length > 0)
    return false;
  const { objectFlags } = type as ts.ObjectType;
  const symbolFlags = type.getSymbol()?.flags ?? 0;
  return (
    (objectFlags & ts.ObjectFlags.Anonymous) !== 0 &&
    !(objectFlags & (ts.ObjectFlags.Mapped | ts.ObjectFlags.ObjectLiteral)) &&
    !(symbolFlags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class))
  );
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
      const symbolPlace = innerPlace(place, '[symbol]', declaration?.type);
      reportMemberLeftOut(
        makeNoJsonFault(symbolPlace, 'a member with a symbol as its key'),
        symbolPlace,
        reading,
      );
      continue;
    }
    const read: Form | NoForm =
      (type.flags & ts.TypeFlags.Never) !== 0
        ? { schema: { not: {} } }
        : reading.read(
            type,
            innerPlace(place, '[]', findValueNode(place.node, reading.checker) ?? declaration?.type),
          );
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
