import { definedMembers } from '../../../util/defined-members.ts';
import { ts } from 'ts-morph';
import type { Codec } from '../../../../templates/runtime/contract/codec.ts';
import type { JsonSchemaObject } from '../../../../templates/runtime/contract/json-schema.ts';
import { type Fault, type Form, hasForm, type NoForm, type Place, type Reading, within } from './form.ts';
import { addNull, anyOf } from './combine.ts';
import { tellMembersBeside } from './members-beside.ts';

/** Handles arrays and tuples, readonly or not, and their subtypes; undefined for other types. */
export function arrayForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm | undefined {
  const { checker } = reading;
  if (checker.isTupleType(type)) return tupleForm(type as ts.TupleTypeReference, place, reading);
  if (!isList(type, checker)) return undefined;
  if (!checker.isArrayType(type)) tellMembersBeside(type, type, place, reading);
  const item = checker.isArrayType(type)
    ? checker.getTypeArguments(type as ts.TypeReference)[0]
    : checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  return item === undefined ? undefined : listForm(item, place, reading, itemNode(place.node));
}

export function isList(type: ts.Type, checker: ts.TypeChecker): boolean {
  return checker.isArrayType(type) || checker.isTupleType(type) || isArrayLike(type, checker);
}

/** `any` and `never` are assignable to everything. */
function isArrayLike(type: ts.Type, checker: ts.TypeChecker): boolean {
  const isClass = (type as ts.ObjectType).objectFlags & ts.ObjectFlags.ClassOrInterface;
  const isReference = (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference;
  return (isClass || isReference) !== 0 && checker.isArrayLikeType(type);
}

export function listForm(item: ts.Type, place: Place, reading: Reading, node?: ts.TypeNode): Form | NoForm {
  if (item.flags & ts.TypeFlags.Never) return { schema: { type: 'array', maxItems: 0 } };
  const read = readItem(item, within(place, '[]', node), reading);
  if (!hasForm(read)) return read;
  return {
    schema: { type: 'array', items: read.schema },
    codec: read.codec && { kind: 'array', items: read.codec },
  };
}

/** JSON writes undefined in a list as null. */
export function readItem(item: ts.Type, place: Place, reading: Reading): Form | NoForm {
  const read = reading.read(item, place);
  if (!hasForm(read) || read.optional !== true || reading.direction === 'input') return read;
  return { ...read, schema: addNull(read.schema) };
}

export function itemNode(node: ts.TypeNode | undefined): ts.TypeNode | undefined {
  if (node === undefined) return undefined;
  if (ts.isTypeOperatorNode(node)) return itemNode(node.type);
  if (ts.isArrayTypeNode(node)) return node.elementType;
  return ts.isTypeReferenceNode(node) && node.typeArguments?.length === 1 ? node.typeArguments[0] : undefined;
}

interface Element {
  form: Form;
  flags: ts.ElementFlags;
}

function tupleForm(type: ts.TupleTypeReference, place: Place, reading: Reading): Form | NoForm {
  const faults: Fault[] = [];
  const elements: Element[] = [];
  for (const [index, element] of reading.checker.getTypeArguments(type).entries()) {
    const flags = type.target.elementFlags[index];
    if (flags === undefined) break;
    const read = readItem(element, within(place, `[${index}]`), reading);
    if (hasForm(read)) elements.push({ form: read, flags });
    else faults.push(...read.faults);
  }
  return faults.length > 0
    ? { faults }
    : { schema: tupleSchema(type, elements), codec: tupleCodec(elements) };
}

/** JSON Schema cannot count from the end, so elements after the rest may stand anywhere in it. */
function tupleSchema({ target }: ts.TupleTypeReference, elements: readonly Element[]): JsonSchemaObject {
  const { first, others } = split(elements);
  const schema: JsonSchemaObject = { type: 'array' };
  if (first.length > 0) schema.prefixItems = first.map(({ form }) => form.schema);
  if (others.length > 0) schema.items = anyOf(others.map(({ form }) => form.schema));
  if (target.minLength > 0) schema.minItems = target.minLength;
  if (others.length === 0) schema.maxItems = first.length;
  return schema;
}

function tupleCodec(elements: readonly Element[]): Codec | undefined {
  if (elements.every(({ form }) => form.codec === undefined)) return undefined;
  const { first, others } = split(elements);
  const [rest, ...last] = others;
  return {
    kind: 'tuple',
    items: first.map(({ form }) => form.codec ?? null),
    ...definedMembers({ rest: rest?.form.codec }),
    ...(last.length === 0 ? {} : { last: last.map(({ form }) => form.codec ?? null) }),
  };
}

/** Splits a tuple into the elements before the rest, and the others. */
function split(elements: readonly Element[]): { first: Element[]; others: Element[] } {
  const at = elements.findIndex(({ flags }) => flags & (ts.ElementFlags.Rest | ts.ElementFlags.Variadic));
  const end = at === -1 ? elements.length : at;
  return { first: elements.slice(0, end), others: elements.slice(end) };
}
