import { ts } from 'ts-morph';

import type { JsonSchemaObject, JsonObject } from '../../../util/json-schema.ts';
import type { ObjectCodec, Codec } from '../../../model/codec.ts';
import { setOwnMember } from '../../../util/json-value.ts';
import type { Docs } from '../docs/doc-text.ts';
import { mergeDocs, findSymbolDocs } from '../docs/read-docs.ts';
import { unionMembers } from '../program/checker-queries.ts';
import { readFormAndApplyDocs } from './documented.ts';
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
  formatSubject,
} from './form.ts';
import { findValueNode } from './library-form.ts';
import { isInLibrary, isOfStandardLibrary } from './library-types.ts';
import { formOfAnything, notNullForm, numberPattern, templatePattern } from './primitive-form.ts';

export function readObjectForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm {
  const { checker, direction } = reading;
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0)
    return makeNoJsonFault(place, 'a function');
  const toJsonForm = direction === 'output' ? readToJsonForm(type, place, reading) : undefined;
  if (toJsonForm !== undefined) return toJsonForm;
  if (isEmptyObjectType(type, checker)) return notNullForm(reading);
  const members = checker.getPropertiesOfType(type);
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
  // `{ [key: `x-${string}`]: T }` names the members that fit, and no others.
  const isClosed = indexes.every(({ keyType }) => (keyType.flags & ts.TypeFlags.String) === 0);
  // Accessors and private fields are no own enumerable members.
  const isSelective =
    (kind & Class) !== 0 && members.some((member) => !isPublicMember(member) || member.flags & Accessor);
  if (isClosed || isSelective) codec.only = names;
  const indexFaults = readIndexSignatures(indexes, whole, codec, place, reading);
  if (indexFaults.length > 0) return { faults: indexFaults };
  return { schema: whole, codec: Object.keys(codec).length > 1 ? codec : undefined };
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
    // Clients should not see where the server's code is.
    const isStack = member.name === 'stack' && isOfStandardLibrary(member, reading.program);
    if (reading.direction === 'output' && (isStack || isMethodOfResult(member, reading))) continue;
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
    const isNumber = (keyType.flags & ts.TypeFlags.Number) !== 0;
    const keyPattern = isNumber ? `^${numberPattern}$` : templatePattern(keyType, reading);
    const pattern = keyType.flags & ts.TypeFlags.String ? undefined : keyPattern;
    if (pattern === undefined) schema.additionalProperties = read.schema;
    else schema.patternProperties = { ...schema.patternProperties, [pattern]: read.schema };
    // A result has the members that fit a pattern, so each pattern stands in the codec.
    if (pattern !== undefined) codec.patterns = { ...codec.patterns, [pattern]: read.codec ?? ANY };
    else if (read.codec !== undefined) codec.additional = read.codec;
  }
  return faults;
}

const ANY: Codec = { kind: 'any' };

export interface Shape {
  schema: JsonSchemaObject & { properties: Record<string, JsonSchemaObject>; required: string[] };
  properties: Record<string, Codec>;
  /** The defaults of members that an argument may omit. */
  defaults: JsonObject;
  inside: string[];
  faults: FormFault[];
}

function readMember(member: ts.Symbol, holder: ts.Type, shape: Shape, owner: Place, reading: Reading): void {
  const { name } = member;
  const place = placeOfMember(member, holder, owner, reading);
  const docs = mergeDocs(memberDocs(member, reading), place.partDocs?.get(''));
  const isOptional = mayBeAbsent(member, reading.checker);
  if (docs.tags.some((tag) => tag.name === 'hidden')) {
    shape.inside.push(name);
    if (reading.direction === 'input' && !isOptional)
      reading.tell('hidden-required', { subject: formatSubject(place) }, place.at);
    return;
  }
  const header = docs.tags.find((tag) => tag.name === 'header');
  if (header !== undefined && (reading.direction === 'output' || place.depth > 1)) {
    const because = 'only arguments of tools are repeated in headers';
    reading.tell('idle-tag', { tag: 'header', because }, header);
  }
  const type = reading.checker.getTypeOfSymbol(member);
  const read: Form | NoForm = isSymbolName(name)
    ? makeNoJsonFault(place, 'a member with a symbol as its key')
    : mustBeAbsent(type, isOptional)
      ? { schema: { not: {} }, optional: true }
      : readFormAndApplyDocs(docs, reading, () => reading.read(type, place));
  if (!hasForm(read)) {
    if (!isOptional) shape.faults.push(...read.faults);
    else {
      reportMemberLeftOut(read, place, reading);
      if (!isSymbolName(name)) shape.inside.push(name);
    }
    return;
  }
  setOwnMember(shape.schema.properties, name, read.schema);
  // The default replaces an argument that is left out.
  const isGiven = reading.direction === 'input' && !place.isLibrary && read.schema.default !== undefined;
  if (isGiven) setOwnMember(shape.defaults, name, read.schema.default);
  if (!isOptional && read.optional !== true && !isGiven) shape.schema.required.push(name);
  if (read.codec !== undefined) setOwnMember(shape.properties as Record<string, unknown>, name, read.codec);
}

/** `?: never` and `undefined`: a member or argument that must be absent. */
export function mustBeAbsent(type: ts.Type, isOptional: boolean): boolean {
  return isUndefined(type) || (isOptional && (type.flags & ts.TypeFlags.Never) !== 0);
}

function placeOfMember(member: ts.Symbol, holder: ts.Type, owner: Place, reading: Reading): Place {
  const declaration = member.valueDeclaration ?? member.declarations?.[0];
  const step = isSymbolName(member.name) ? '[symbol]' : `.${member.name}`;
  // The member of a union has the types of all alternatives.
  const isShared = !holder.isIntersection() && new Set(member.declarations?.map(findTypeNode)).size > 1;
  const node = declaration === undefined || isShared ? undefined : findTypeNode(declaration);
  const place = innerPlace(owner, step, node);
  if (declaration === undefined) return place;
  place.isLibrary = isInLibrary(declaration, reading);
  if (!place.isLibrary) place.at = declaration;
  return place;
}

function findTypeNode(node: ts.Declaration): ts.TypeNode | undefined {
  if (ts.isJSDocPropertyTag(node) || ts.isJSDocParameterTag(node)) return node.typeExpression?.type;
  const isTyped = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node);
  return isTyped ? (node.type ?? ts.getJSDocType(node)) : undefined;
}

export function isPublicMember(member: ts.Symbol): boolean {
  if (member.flags & ts.SymbolFlags.Prototype || member.name.startsWith('#')) return false;
  if (member.name.startsWith('__#')) return false;
  const [declaration] = member.declarations ?? [];
  if (declaration === undefined) return true;
  return !(
    ts.getCombinedModifierFlags(declaration) &
    (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)
  );
}

/** Methods, and function members of a class or a library's object, are no part of a result. */
function isMethodOfResult(member: ts.Symbol, reading: Reading): boolean {
  if (member.flags & ts.SymbolFlags.Method) return true;
  const [declaration] = member.declarations ?? [];
  if (declaration === undefined) return false;
  const isOthers = ts.isClassLike(declaration.parent) || isInLibrary(declaration, reading);
  return isOthers && reading.checker.getTypeOfSymbol(member).getCallSignatures().length > 0;
}

export function hasDefault(member: ts.Symbol, reading: Reading): boolean {
  return (
    reading.direction === 'input' && memberDocs(member, reading).tags.some(({ name }) => name === 'default')
  );
}

/** A member without docs takes those of the member that it overrides or implements. */
function memberDocs(member: ts.Symbol, { checker }: Pick<Reading, 'checker'>): Docs {
  const memberDoc = findSymbolDocs(member);
  if (memberDoc.description !== undefined || memberDoc.tags.length > 0) return memberDoc;
  const holder = member.declarations?.[0]?.parent;
  if (holder === undefined || !(ts.isClassLike(holder) || ts.isInterfaceDeclaration(holder)))
    return memberDoc;
  const inherited = (holder.heritageClauses ?? [])
    .flatMap(({ types }) => [...types])
    .flatMap((base) => checker.getTypeAtLocation(base).getProperty(member.name) ?? [])
    .map((symbol) => memberDocs(symbol, { checker }));
  return inherited.find(({ description, tags }) => description !== undefined || tags.length > 0) ?? memberDoc;
}

/** Whether a member may be left out: `a?: T`, or `a: T | undefined`, since JSON has no `undefined`. */
export function mayBeAbsent(member: ts.Symbol, checker: ts.TypeChecker): boolean {
  return (member.flags & ts.SymbolFlags.Optional) !== 0 || mayBeUndefined(checker.getTypeOfSymbol(member));
}

export function mayBeUndefined(type: ts.Type): boolean {
  return unionMembers(type).some(isUndefined);
}

function isUndefined({ flags }: ts.Type): boolean {
  return (flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

const names = /^_*(?:brand|flavou?r|tag|opaque|nominal)_*$/i;

/**
 * A brand exists for the checker only, to tell types of equal form apart: a unique symbol, or `__brand` and similar
 * names.
 */
export function isBrand(member: ts.Symbol, holder: ts.Type): boolean {
  if (!holder.isIntersection() || !isBrandName(member)) return false;
  return holder.types.some(
    (part) =>
      part.getProperties().some(({ escapedName }) => escapedName === member.escapedName) &&
      part.getProperties().every(isBrandName),
  );
}

function isBrandName({ name }: ts.Symbol): boolean {
  return isSymbolName(name) || (name.startsWith('_') && names.test(name));
}

/** Whether the checker made the name for a member whose key is a symbol. */
export function isSymbolName(name: string): boolean {
  return name.startsWith('__@');
}
