import { ts } from 'ts-morph';

import type { Codec } from '../../../model/codec.ts';
import type { JsonSchemaObject } from '../../../util/json-schema.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { type Docs, findDocs } from '../docs/read-docs.ts';
import {
  type FormFault,
  type Form,
  type NoForm,
  type Place,
  type Reading,
  hasForm,
  innerPlace,
} from './form.ts';
import { makeUnresolvedGenericFault } from './open-type.ts';
import { addNull, unionSchemas } from './combine.ts';
import { findWrittenType } from './written-types.ts';

/** Reads arrays and tuples, readonly or not, and their subtypes. */
export function readArrayForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm | undefined {
  const { checker } = reading;
  if (checker.isTupleType(type)) return readTupleForm(type as ts.TupleTypeReference, place, reading);
  if (!isArrayOrTuple(type, checker)) return undefined;
  const item = checker.isArrayType(type)
    ? checker.getTypeArguments(type as ts.TypeReference)[0]
    : checker.getIndexTypeOfType(type, ts.IndexKind.Number);
  return item === undefined
    ? undefined
    : readListForm(item, place, reading, findItemNode(place.node, checker));
}

export function isArrayOrTuple(type: ts.Type, checker: ts.TypeChecker): boolean {
  if (checker.isArrayType(type) || checker.isTupleType(type)) return true;
  // `any` and `never` are assignable to everything.
  const { objectFlags } = type as ts.ObjectType;
  if ((objectFlags & (ts.ObjectFlags.ClassOrInterface | ts.ObjectFlags.Reference)) === 0) return false;
  // To compare a type with an array is slow, and few have the member that all arrays have.
  return checker.getPropertyOfType(type, 'length') !== undefined && checker.isArrayLikeType(type);
}

export function readListForm(
  item: ts.Type,
  place: Place,
  reading: Reading,
  node?: ts.TypeNode,
): Form | NoForm {
  if (item.flags & ts.TypeFlags.Never) return { schema: { type: 'array', maxItems: 0 } };
  const inner = innerPlace(place, '[]', node);
  const read = readItem(item, { ...inner, docs: inner.partDocs?.get('') }, reading);
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

/** `Port` in `Port[]`, `Set<Port>` and `AsyncIterable<Port>` */
export function findItemNode(
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  const list = findWrittenType(node, checker);
  if (list === undefined) return undefined;
  if (ts.isArrayTypeNode(list)) return list.elementType;
  return ts.isTypeReferenceNode(list) ? list.typeArguments?.[0] : undefined;
}

/** `Port` in `[Port, Port]` */
function findElementNode(
  place: Place,
  index: number,
  { target }: ts.TupleTypeReference,
  checker: ts.TypeChecker,
): ts.TypeNode | undefined {
  const label = target.labeledElementDeclarations?.[index];
  if (label !== undefined) return label.type;
  const tuple = findWrittenType(place.node, checker);
  if (tuple === undefined || !ts.isTupleTypeNode(tuple)) return undefined;
  const element = tuple.elements[index];
  return element !== undefined && ts.isOptionalTypeNode(element) ? element.type : element;
}

interface Element {
  form: Form;
  flags: ts.ElementFlags;
}

function readTupleForm(type: ts.TupleTypeReference, place: Place, reading: Reading): Form | NoForm {
  const faults: FormFault[] = [];
  const elements: Element[] = [];
  for (const [index, element] of reading.checker.getTypeArguments(type).entries()) {
    const flags = type.target.elementFlags[index];
    if (flags === undefined) break;
    const label = type.target.labeledElementDeclarations?.[index];
    const inner = innerPlace(place, `[${index}]`, findElementNode(place, index, type, reading.checker));
    // How many elements `[...A]` has differs from call to call.
    if (flags & ts.ElementFlags.Variadic) return makeUnresolvedGenericFault(element, place, reading);
    const isSingle = flags & (ts.ElementFlags.Required | ts.ElementFlags.Optional);
    const docs = label === undefined || !isSingle ? undefined : readElementDocs(label);
    const read = readItem(element, { ...inner, docs }, reading);
    if (hasForm(read)) elements.push({ form: read, flags });
    else faults.push(...read.faults);
  }
  if (faults.length > 0) return { faults };
  const at = elements.findIndex(({ flags }) => flags & ts.ElementFlags.Variable);
  const first = elements.slice(0, at === -1 ? undefined : at);
  const following = elements.slice(first.length);
  const schema: JsonSchemaObject = { type: 'array' };
  if (first.length > 0) schema.prefixItems = first.map(({ form }) => form.schema);
  if (following.length > 0) schema.items = unionSchemas(following.map(({ form }) => form.schema));
  if (type.target.minLength > 0) schema.minItems = type.target.minLength;
  if (following.length === 0) schema.maxItems = first.length;
  if (elements.every(({ form }) => form.codec === undefined)) return { schema };
  const [rest, ...last] = following;
  const codec: Codec = {
    kind: 'tuple',
    items: first.map(({ form }) => form.codec ?? null),
    ...omitUndefined({ rest: rest?.form.codec }),
    ...(last.length === 0 ? {} : { last: last.map(({ form }) => form.codec ?? null) }),
  };
  return { schema, codec };
}

/** `[from: Point, to: Point]` */
function readElementDocs(label: ts.NamedTupleMember | ts.ParameterDeclaration): Docs {
  const docs = findDocs(label);
  const isTitled = docs.tags.some(({ name }) => name === 'title');
  return isTitled || !ts.isIdentifier(label.name) ? docs : { ...docs, label: label.name.text };
}

export function readIterableItems(
  item: ts.Type | undefined,
  place: Place,
  reading: Reading,
  node?: ts.TypeNode,
): Form | NoForm {
  const list: Form | NoForm =
    item === undefined ? { schema: { type: 'array' } } : readListForm(item, place, reading, node);
  if ('faults' in list || list.codec !== undefined) return list;
  return { ...list, codec: { kind: 'array', items: { kind: 'any' } } };
}
