import { ts } from 'ts-morph';

import type { JsonSchemaObject, JsonType } from '../../../util/json-schema.ts';
import type { DocTag, Docs } from '../docs/doc-text.ts';
import { findSymbolDocs, hasDocsOfParts } from '../docs/read-docs.ts';
import { unionMembers } from '../program/checker-queries.ts';
import { readFormAndApplyDocs } from './documented.ts';
import { readArrayForm, isArrayOrTuple } from './array-form.ts';
import { Definitions } from './definitions.ts';
import {
  type Direction,
  type Form,
  type NoForm,
  type Place,
  type ReadNamed,
  type Reading,
  type ReadingNotes,
  type ReportAt,
  type TypeLimits,
  TypeTooLarge,
  hasForm,
} from './form.ts';
import { libraryForm } from './library-form.ts';
import { isInLibrary, isInRuntime } from './library-types.ts';
import { readObjectForm } from './object-form.ts';
import { closeParameter, hasUnknownMembers, isOpenType, makeUnresolvedGenericFault } from './open-type.ts';
import { enumForm, primitiveForm } from './primitive-form.ts';
import { type NamedType, findTypeName } from './type-name.ts';
import { addNull } from './combine.ts';
import { unionForm } from './union-form.ts';
import { listAliasDocs } from './written-types.ts';

export interface ReadingContext {
  program: ts.Program;
  limits: TypeLimits;
  runtimeTypes: string | undefined;
  isContext: (type: ts.Type) => boolean;
  /** Reads the schema of a `@schema` that names an export. */
  readNamed: ReadNamed | undefined;
  notes: ReadingNotes;
  report: ReportAt;
}

/** Reads the types of one direction. */
export class TypeReading implements Reading {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly direction: Direction;
  readonly limits: TypeLimits;
  readonly runtimeTypes: string | undefined;
  readonly readNamed: ReadNamed | undefined;
  readonly notes: ReadingNotes;
  readonly definitions: Definitions;
  readonly inside = new Map<ts.Type, readonly string[]>();
  readonly postponedWork: (() => void)[] = [];
  readonly #context: ReadingContext;
  /** Unnamed types in progress. One that comes again is recursive and gets a definition. */
  readonly #open = new Set<ts.Type>();
  #count = 0;
  #isQuiet = false;

  constructor(direction: Direction, context: ReadingContext) {
    const { program, limits, runtimeTypes, readNamed, notes } = context;
    this.program = program;
    this.checker = program.getTypeChecker();
    this.direction = direction;
    this.limits = limits;
    this.runtimeTypes = runtimeTypes;
    this.readNamed = readNamed;
    this.notes = notes;
    this.definitions = new Definitions(direction);
    this.#context = context;
  }

  readonly tell: ReportAt = (...report) => {
    if (!this.#isQuiet) this.#context.report(...report);
  };

  readQuietly<T>(work: () => T): T {
    const wasQuiet = this.#isQuiet;
    this.#isQuiet = true;
    try {
      return work();
    } finally {
      this.#isQuiet = wasQuiet;
    }
  }

  jsonTypesOf(schema: JsonSchemaObject): ReadonlySet<JsonType> {
    return this.definitions.jsonTypesOf(schema);
  }

  resetCount(): void {
    this.#count = 0;
  }

  dropOpenTypes(): void {
    this.#open.clear();
    this.definitions.dropUnfinished();
  }

  runPostponedWork(): void {
    for (const work of this.postponedWork.splice(0)) work();
  }

  read(type: ts.Type, place: Place): Form | NoForm {
    this.#count += 1;
    if (this.#count > this.limits.types) throw new TypeTooLarge('types');
    if (place.depth > this.limits.depth) throw new TypeTooLarge('depth');
    if (this.#context.isContext(type)) return { faults: [{ place, problem: { name: 'nested-context' } }] };
    if (isOpenType(type) && !type.isIntersection()) {
      const closed = closeParameter(type, this.checker);
      return closed === undefined ? makeUnresolvedGenericFault(type, place, this) : this.read(closed, place);
    }
    const docs = listAliasDocs(type, place.node, this.program).toReversed();
    if (place.docs !== undefined) docs.push(place.docs);
    const read = docs.reduce(
      (inner, docs) => () => readFormAndApplyDocs(docs, this, inner),
      () => this.#readWithoutAliasDocs(type, { ...place, docs: undefined }),
    );
    return this.#applyWrittenNull(read(), type, place);
  }

  #readWithoutAliasDocs(type: ts.Type, place: Place): Form | NoForm {
    if (hasDocsOfParts(place.partDocs)) return this.#readInline(type, place);
    const definition = this.definitions.definitionOf(type);
    if (definition !== undefined) return this.definitions.makeReferenceForm(definition, place);
    return this.#isNeverNamed(type)
      ? readFormWithoutDocs(type, place, this)
      : this.#readNamedType(type, place);
  }

  /** Docs for its members apply here only, so the type gets no shared definition. */
  #readInline(type: ts.Type, place: Place): Form | NoForm {
    const typeName = findTypeName(type, this.program);
    const docs = typeName === undefined ? { tags: [] } : findSymbolDocs(typeName.symbol);
    return dropTypeDefault(
      readFormAndApplyDocs(docs, this, () => readFormWithoutDocs(type, place, this)),
      docs,
      this,
    );
  }

  #applyWrittenNull(form: Form | NoForm, type: ts.Type, { node }: Place): Form | NoForm {
    if (!hasForm(form) || node === undefined || !ts.isUnionTypeNode(node)) return form;
    const optional = form.optional === true || isWrittenOptional(type, node, this.checker);
    const schema = isWrittenNullable(type, node, this.checker) ? addNull(form.schema) : form.schema;
    return { ...form, schema, ...(optional ? { optional } : {}) };
  }

  /** Plain booleans, and unions that include undefined, never become definitions. */
  #isNeverNamed(type: ts.Type): boolean {
    if (type.flags & ts.TypeFlags.BooleanLike && type.aliasSymbol === undefined) return true;
    if (type.isUnion())
      return type.types.some(({ flags }) => flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void));
    return false;
  }

  #readNamedType(type: ts.Type, place: Place): Form | NoForm {
    const typeName = findTypeName(type, this.program);
    if (typeName !== undefined) return this.#readAsDefinition(type, typeName, place);
    // Recursion always passes through an object.
    if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)))
      return readFormWithoutDocs(type, place, this);
    if (this.#open.has(type))
      return this.definitions.makeReferenceForm(
        this.definitions.addDefinition(type, this.#recursiveName(type, place), place),
        place,
      );
    this.#open.add(type);
    const form = readFormWithoutDocs(type, place, this);
    this.#open.delete(type);
    const definition = this.definitions.definitionOf(type);
    if (definition === undefined) return form;
    definition.form = form;
    return this.definitions.makeReferenceForm(definition, place);
  }

  #recursiveName(type: ts.Type, { path }: Place): { name: string; symbol: undefined } {
    const nameWords = path.match(/[A-Za-z0-9]+/g)?.slice(-2) ?? ['Type'];
    return { name: findTypeName(type, this.program, true)?.name ?? nameWords.join('_'), symbol: undefined };
  }

  #readAsDefinition(type: ts.Type, typeName: NamedType, place: Place): Form | NoForm {
    const mayBeBuiltIn = type.flags & ts.TypeFlags.Object && type.aliasSymbol === undefined;
    const builtIn = mayBeBuiltIn ? readBuiltInForm(type, place, this) : undefined;
    if (builtIn !== undefined) return builtIn;
    const declaration = typeName.symbol.declarations?.[0];
    const isLibrary = declaration === undefined ? place.isLibrary : isInLibrary(declaration, this);
    const inner: Place = {
      at: declaration === undefined || isLibrary ? place.at : declaration,
      path: declaration === undefined ? place.path : typeName.symbol.name,
      isLibrary,
      node: declaration && typeNodeOfPlainAlias(declaration),
      depth: place.depth + 1,
    };
    const definition = this.definitions.addDefinition(type, typeName, inner);
    const docs = findSymbolDocs(typeName.symbol);
    definition.form = dropTypeDefault(
      readFormAndApplyDocs(docs, this, () => readFormWithoutDocs(type, inner, this)),
      docs,
      this,
    );
    return this.definitions.makeReferenceForm(definition, place);
  }
}

/** A default belongs to a member or parameter, never to its type. */
function dropTypeDefault(form: Form | NoForm, { tags }: Docs, { tell }: Reading): Form | NoForm {
  const tag = tags.find(({ name }) => name === 'default');
  if (tag === undefined || !hasForm(form)) return form;
  const because = 'a default belongs to the member or the parameter that is left out, not to its type';
  tell('idle-tag', { tag: 'default', because }, tag);
  delete form.schema.default;
  return form;
}

function typeNodeOfPlainAlias(declaration: ts.Declaration): ts.TypeNode | undefined {
  const isPlain = ts.isTypeAliasDeclaration(declaration) && declaration.typeParameters === undefined;
  return isPlain ? declaration.type : undefined;
}

/** The checker drops a written null without `strictNullChecks`. */
function isWrittenNullable(type: ts.Type, node: ts.UnionTypeNode, checker: ts.TypeChecker): boolean {
  if (unionMembers(type).some(isNull)) return false;
  return node.types.some(isNullNode) && checker.getTypeFromTypeNode(node) === type;
}

function isNullNode(node: ts.TypeNode): boolean {
  return ts.isLiteralTypeNode(node) && node.literal.kind === ts.SyntaxKind.NullKeyword;
}

function isNull({ flags }: ts.Type): boolean {
  return (flags & ts.TypeFlags.Null) !== 0;
}

/** The checker also drops a written undefined without `strictNullChecks`. */
function isWrittenOptional(type: ts.Type, node: ts.UnionTypeNode, checker: ts.TypeChecker): boolean {
  const isWritten = node.types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword);
  return isWritten && checker.getTypeFromTypeNode(node) === type;
}

/** `number & Minimum<0>`: types of `mcpgen/runtime` that say what tags say. */
function makeConstraintDocs(type: ts.IntersectionType, { at }: Place, reading: Reading): Docs {
  const tags = type.types.flatMap((part) => listConstraintTags(part, reading));
  const [file, offset] = [at.getSourceFile(), at.getStart()];
  return { tags: tags.map((tag): DocTag => ({ ...tag, lines: [], file, offset })) };
}

function listConstraintTags(part: ts.Type, reading: Reading): Pick<DocTag, 'name' | 'text'>[] {
  const { checker } = reading;
  const [holder] = part.flags & ts.TypeFlags.Object ? part.getProperties() : [];
  const declaration = holder?.declarations?.[0];
  if (holder === undefined || declaration === undefined || !isInRuntime(declaration, reading)) return [];
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(holder));
  return type.getProperties().map((keyword) => {
    const text = printLiteral(checker.getTypeOfSymbol(keyword), checker);
    // A tag takes the slashes around a pattern for its marks.
    return { name: keyword.name, text: keyword.name === 'pattern' ? `\`${text}\`` : text };
  });
}

function printLiteral(value: ts.Type, checker: ts.TypeChecker): string {
  if (value.isStringLiteral()) return value.value;
  const text = checker.typeToString(value);
  return (value.flags & ts.TypeFlags.BigIntLiteral) !== 0 ? text.replace(/n$/, '') : text;
}

export function readFormWithoutDocs(type: ts.Type, place: Place, reading: Reading): Form | NoForm {
  if (hasUnknownMembers(type, reading.checker)) return makeUnresolvedGenericFault(type, place, reading);
  if (type.flags & ts.TypeFlags.EnumLike) {
    const symbol = type.getSymbol();
    if (symbol !== undefined && symbol.flags & ts.SymbolFlags.Enum) return enumForm(symbol, place, reading);
  }
  const primitive = primitiveForm(type, place, reading);
  if (primitive !== undefined) return primitive;
  if (type.isUnion()) return unionForm(type, place, reading);
  if (type.isIntersection()) return readIntersection(type, place, reading);
  return readBuiltInForm(type, place, reading) ?? readObjectForm(type, place, reading);
}

function readBuiltInForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm | undefined {
  return readArrayForm(type, place, reading) ?? libraryForm(type, place, reading);
}

/** Constraint types say what tags say. */
function readIntersection(type: ts.IntersectionType, place: Place, reading: Reading): Form | NoForm {
  const docs = makeConstraintDocs(type, place, reading);
  const readUnconstrained = (): Form | NoForm => intersectedForm(type, place, reading);
  return docs.tags.length === 0
    ? readUnconstrained()
    : readFormAndApplyDocs(docs, reading, readUnconstrained);
}

/** A primitive with a brand is the primitive; objects become one object. */
function intersectedForm(type: ts.IntersectionType, place: Place, reading: Reading): Form | NoForm {
  const primitive = type.types.find(
    ({ flags }) =>
      !(flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive | ts.TypeFlags.Instantiable)) ||
      flags & text,
  );
  if (primitive !== undefined) return reading.read(primitive, place);
  for (const part of type.types) {
    const form = isArrayOrTuple(part, reading.checker)
      ? reading.read(part, place)
      : libraryForm(part, place, reading);
    if (form !== undefined) return form;
  }
  return readObjectForm(type, place, reading);
}

const text = ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping;
