import { ts } from 'ts-morph';
import { readSymbolDocs } from '../docs/read-docs.ts';
import { withSaid } from '../docs/said-docs.ts';
import { setMember } from '../../../../templates/runtime/contract/json-value.ts';
import type { Docs } from '../docs/doc-text.ts';
import { isUndefined, mayBeAbsent } from './absence.ts';
import { isBrand, isSymbolName } from './brand.ts';
import { documented } from './documented.ts';
import {
  type Form,
  hasForm,
  type NoForm,
  type Place,
  type Reading,
  subjectOf,
  within,
  without,
} from './form.ts';
import { isInLibrary, isOfLibrary } from './library-kind.ts';
import type { Shape } from './object-form.ts';
import { leaveOut } from './report-fault.ts';

const { ModifierFlags, SymbolFlags, TypeFlags } = ts;

/** Whether others can see a member: not private, protected or `#name`. */
export function isShown(member: ts.Symbol): boolean {
  if (member.flags & SymbolFlags.Prototype || member.name.startsWith('#')) return false;
  if (member.name.startsWith('__#')) return false;
  const [declaration] = member.declarations ?? [];
  if (declaration === undefined) return true;
  return !(ts.getCombinedModifierFlags(declaration) & (ModifierFlags.Private | ModifierFlags.Protected));
}

/** Behaviour, which is no part of a result: a method, or a function that a class or a library's object has as a member. */
export function isBehaviour(member: ts.Symbol, reading: Reading): boolean {
  if (member.flags & SymbolFlags.Method) return true;
  const [declaration] = member.declarations ?? [];
  if (declaration === undefined) return false;
  const isOthers = ts.isClassLike(declaration.parent) || isInLibrary(declaration, reading);
  return isOthers && reading.checker.getTypeOfSymbol(member).getCallSignatures().length > 0;
}

/** Where the code of an error stands is nothing that clients should know. */
export function isStack(member: ts.Symbol, { program }: Reading): boolean {
  return member.name === 'stack' && isOfLibrary(member, program);
}

/** A member of a result that stays inside. */
export function isHidden(member: ts.Symbol, reading: Reading): boolean {
  return memberDocs(member, reading).tags.some(({ name }) => name === 'hidden');
}

/** Whether a member is part of what is written of a result. */
export function isWrittenMember(member: ts.Symbol, holder: ts.Type, reading: Reading): boolean {
  if (isSymbolName(member.name) || !isShown(member) || isBrand(member, holder)) return false;
  return !isBehaviour(member, reading) && !isStack(member, reading) && !isHidden(member, reading);
}

/** Adds one member to the shape of its object. */
export function readMember(member: ts.Symbol, shape: Shape, owner: Place, reading: Reading): void {
  const { name } = member;
  const place = memberPlace(member, owner, reading);
  const docs = withSaid(memberDocs(member, reading), place.said?.get(''));
  const isOptional = mayBeAbsent(member, reading.checker);
  if (docs.tags.some((tag) => tag.name === 'hidden')) {
    hide(member, shape, place, isOptional, reading);
    tellIdle(docs, 'default', "what is hidden is never given, so its default is the function's own", reading);
    return;
  }
  if (reading.direction === 'output' || place.depth > 1)
    tellIdle(docs, 'header', 'only arguments of tools are repeated in headers', reading);
  const { result: read, keep } = reading.hold(() => readForm(member, docs, isOptional, place, reading));
  if (!hasForm(read)) {
    if (!isOptional) {
      shape.faults.push(...read.faults);
      return;
    }
    leaveOut(read, place, reading);
    if (!isSymbolName(name)) shape.inside.push(name);
    return;
  }
  keep();
  setMember(shape.schema.properties, name, read.schema);
  const isGiven = addDefault(name, read, place, shape, reading);
  if (!isOptional && read.optional !== true && !isGiven) shape.schema.required.push(name);
  if (read.codec !== undefined) setMember(shape.properties as Record<string, unknown>, name, read.codec);
}

function tellIdle({ tags }: Docs, name: string, because: string, { tell }: Reading): void {
  const tag = tags.find((each) => each.name === name);
  if (tag !== undefined) tell('idle-member-tag', { tag: name, because }, tag);
}

/** What a client leaves out arrives as its default. A library's function has its own. */
function addDefault(name: string, { schema }: Form, place: Place, shape: Shape, reading: Reading): boolean {
  if (reading.direction === 'output' || place.isLibrary || schema.default === undefined) return false;
  setMember(shape.defaults, name, schema.default);
  return true;
}

/** Whether an argument need not give the member. */
export function hasDefault(member: ts.Symbol, reading: Reading): boolean {
  return (
    reading.direction === 'input' && memberDocs(member, reading).tags.some(({ name }) => name === 'default')
  );
}

function readForm(
  member: ts.Symbol,
  docs: Docs,
  isOptional: boolean,
  place: Place,
  reading: Reading,
): Form | NoForm {
  if (isSymbolName(member.name)) return without(place, 'a member with a symbol as its key');
  const type = reading.checker.getTypeOfSymbol(member);
  if (isNothing(type, isOptional)) return { schema: { not: {} }, optional: true };
  return documented(type, docs, place, reading);
}

/** `?: never` and `undefined`: a member that must be absent. */
function isNothing(type: ts.Type, isOptional: boolean): boolean {
  return isUndefined(type) || (isOptional && (type.flags & TypeFlags.Never) !== 0);
}

function hide(member: ts.Symbol, shape: Shape, place: Place, isOptional: boolean, reading: Reading): void {
  shape.inside.push(member.name);
  if (reading.direction === 'input' && !isOptional)
    reading.tell('hidden-required', { subject: subjectOf(place) }, place.at);
}

function memberPlace(member: ts.Symbol, owner: Place, reading: Reading): Place {
  const declaration = member.valueDeclaration ?? member.declarations?.[0];
  const step = isSymbolName(member.name) ? '[symbol]' : `.${member.name}`;
  const place = within(owner, step, declaration && typeNodeOf(declaration));
  if (declaration === undefined) return place;
  const isLibrary = isInLibrary(declaration, reading);
  return { ...place, isLibrary, at: isLibrary ? owner.at : declaration };
}

function typeNodeOf(node: ts.Declaration): ts.TypeNode | undefined {
  const isTyped = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node) || ts.isParameter(node);
  return isTyped ? node.type : undefined;
}

/** Its own docs, else those of the member that it overrides or implements. */
function memberDocs(member: ts.Symbol, { checker }: Reading): Docs {
  const own = readSymbolDocs(member);
  if (own.description !== undefined || own.tags.length > 0) return own;
  const holder = member.declarations?.[0]?.parent;
  if (holder === undefined || !(ts.isClassLike(holder) || ts.isInterfaceDeclaration(holder))) return own;
  for (const { types } of holder.heritageClauses ?? []) {
    for (const base of types) {
      const inherited = checker.getTypeAtLocation(base).getProperty(member.name);
      const docs = inherited && memberDocs(inherited, { checker } as Reading);
      if (docs !== undefined && (docs.description !== undefined || docs.tags.length > 0)) return docs;
    }
  }
  return own;
}
