import { ts } from 'ts-morph';
import type {
  Codec,
  JsonObject,
  JsonSchemaObject,
} from '../../../../templates/runtime/contract/json-schema.ts';
import { setOwnMember } from '../../../../templates/runtime/contract/json-value.ts';
import type { Docs } from '../docs/doc-text.ts';
import { mergeDocs } from '../docs/read-docs.ts';
import { isSymbolName, isUndefined, mayBeAbsent, memberDocs } from './member.ts';
import { readDocumented } from './documented.ts';
import {
  type FormFault,
  type Form,
  type NoForm,
  type Place,
  type Reading,
  hasForm,
  reportMemberLeftOut,
  formatSubject,
  innerPlace,
  makeNoJsonFault,
} from './form.ts';
import { isInLibrary } from './library-types.ts';

export interface Shape {
  schema: JsonSchemaObject & { properties: Record<string, JsonSchemaObject>; required: string[] };
  properties: Record<string, Codec>;
  /** The defaults of members that an argument may omit. */
  defaults: JsonObject;
  inside: string[];
  faults: FormFault[];
}

export function readMember(
  member: ts.Symbol,
  holder: ts.Type,
  shape: Shape,
  owner: Place,
  reading: Reading,
): void {
  const { name } = member;
  const place = placeOfMember(member, holder, owner, reading);
  const docs = mergeDocs(memberDocs(member, reading), place.partDocs?.get(''));
  const isOptional = mayBeAbsent(member, reading.checker);
  if (docs.tags.some((tag) => tag.name === 'hidden')) {
    shape.inside.push(name);
    if (reading.direction === 'input' && !isOptional)
      reading.tell('hidden-required', { subject: formatSubject(place) }, place.at);
    reportIdleTag(
      docs,
      'default',
      "what is hidden is never given, so its default is the function's own",
      reading,
    );
    return;
  }
  if (reading.direction === 'output' || place.depth > 1)
    reportIdleTag(docs, 'header', 'only arguments of tools are repeated in headers', reading);
  const { result: read, keep } = reading.holdReports(() =>
    readMemberForm(member, docs, isOptional, place, reading),
  );
  if (!hasForm(read)) {
    if (!isOptional) {
      keep();
      shape.faults.push(...read.faults);
      return;
    }
    reportMemberLeftOut(read, place, reading);
    if (!isSymbolName(name)) shape.inside.push(name);
    return;
  }
  keep();
  setOwnMember(shape.schema.properties, name, read.schema);
  // The default replaces an argument that is left out.
  const isGiven = reading.direction === 'input' && !place.isLibrary && read.schema.default !== undefined;
  if (isGiven) setOwnMember(shape.defaults, name, read.schema.default);
  if (!isOptional && read.optional !== true && !isGiven) shape.schema.required.push(name);
  if (read.codec !== undefined) setOwnMember(shape.properties as Record<string, unknown>, name, read.codec);
}

function reportIdleTag({ tags }: Docs, name: string, because: string, { tell }: Reading): void {
  const tag = tags.find((tag) => tag.name === name);
  if (tag !== undefined) tell('idle-tag', { tag: name, because }, tag);
}

function readMemberForm(
  member: ts.Symbol,
  docs: Docs,
  isOptional: boolean,
  place: Place,
  reading: Reading,
): Form | NoForm {
  if (isSymbolName(member.name)) return makeNoJsonFault(place, 'a member with a symbol as its key');
  const type = reading.checker.getTypeOfSymbol(member);
  if (mustBeAbsent(type, isOptional)) return { schema: { not: {} }, optional: true };
  const isReplaced = docs.tags.some(({ name }) => name === 'schema');
  if (place.node !== undefined && !place.isLibrary && !isReplaced) reading.sources.push(place.node);
  return readDocumented(type, docs, place, reading);
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
