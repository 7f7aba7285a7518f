import { ts } from 'ts-morph';

import type { JsonSchemaObject, JsonType } from '../../../util/json-schema.ts';
import type { DocTag, Docs } from '../docs/doc-text.ts';
import { findSymbolDocs, hasDocsOfParts } from '../docs/read-docs.ts';
import { unionMembers } from '../program/checker-queries.ts';
import { addKeyword } from '../docs/apply-tags.ts';
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
  LIMITS,
  TypeTooLarge,
  formatSubject,
  hasForm,
  makeFaultySchema,
} from './form.ts';
import { libraryForm } from './library-form.ts';
import { type Libraries, isInLibrary, isInRuntime } from './library-types.ts';
import { readObjectForm } from './object-form.ts';
import {
  closeParameter,
  hasUnknownMembers,
  isOpenType,
  listKeysOfOpenType,
  makeUnresolvedGenericFault,
} from './open-type.ts';
import { enumForm, makeEnumSchema, primitiveForm } from './primitive-form.ts';
import { type NamedType, findTypeName } from './type-name.ts';
import { addNull } from './combine.ts';
import { unionForm } from './union-form.ts';
import { listAliasDocs } from './written-types.ts';

/** What the readings of both directions share. */
export interface ReadingContext extends Libraries {
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
    this.program = context.program;
    this.checker = context.program.getTypeChecker();
    this.direction = direction;
    this.runtimeTypes = context.runtimeTypes;
    this.readNamed = context.readNamed;
    this.notes = context.notes;
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

  /** A type beyond the limits is reported and accepts anything. */
  readWithinLimits(place: Place, read: () => Form | NoForm): Form | NoForm {
    this.#count = 0;
    try {
      return read();
    } catch (error) {
      if (!(error instanceof TypeTooLarge)) throw error;
      this.#open.clear();
      this.definitions.dropUnfinished();
      const { most, of: limit } = error.limit;
      this.tell('type-too-large', { subject: formatSubject(place), limit, most }, place.at);
      return { schema: makeFaultySchema() };
    } finally {
      for (const work of this.postponedWork.splice(0)) work();
    }
  }

  read(type: ts.Type, place: Place): Form | NoForm {
    this.#count += 1;
    if (this.#count > LIMITS.types.most) throw new TypeTooLarge('types');
    if (place.depth > LIMITS.depth.most) throw new TypeTooLarge('depth');
    if (this.#context.isContext(type)) return { faults: [{ place, problem: { name: 'nested-context' } }] };
    if (isOpenType(type) && !type.isIntersection()) {
      const keys = listKeysOfOpenType(type, this.checker);
      if (keys !== undefined) return { schema: makeEnumSchema(keys) };
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
    const docs = typeName === undefined ? { tags: [] } : findTypeDocs(typeName.symbol);
    return dropTypeDefault(
      readFormAndApplyDocs(docs, this, () => readFormWithoutDocs(type, place, this)),
      docs,
      this,
    );
  }

  /** Without `strictNullChecks` the checker drops a written null and undefined. */
  #applyWrittenNull(form: Form | NoForm, type: ts.Type, { node }: Place): Form | NoForm {
    if (!hasForm(form) || node === undefined || !ts.isUnionTypeNode(node)) return form;
    if (this.checker.getTypeFromTypeNode(node) !== type) return form;
    const isNull = (part: ts.TypeNode): boolean =>
      ts.isLiteralTypeNode(part) && part.literal.kind === ts.SyntaxKind.NullKeyword;
    const isLost = unionMembers(type).every(({ flags }) => (flags & ts.TypeFlags.Null) === 0);
    const optional =
      form.optional === true || node.types.some(({ kind }) => kind === ts.SyntaxKind.UndefinedKeyword);
    const schema = isLost && node.types.some(isNull) ? addNull(form.schema) : form.schema;
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
    const isPlainAlias =
      declaration !== undefined && ts.isTypeAliasDeclaration(declaration) && !declaration.typeParameters;
    const plainAlias = isPlainAlias ? declaration : undefined;
    const inner: Place = {
      at: declaration === undefined || isLibrary ? place.at : declaration,
      path: declaration === undefined ? place.path : typeName.symbol.name,
      isLibrary,
      node: plainAlias?.type,
      depth: place.depth + 1,
    };
    const definition = this.definitions.addDefinition(type, typeName, inner);
    const docs = findTypeDocs(typeName.symbol);
    definition.form = dropTypeDefault(
      readFormAndApplyDocs(docs, this, () => readFormWithoutDocs(type, inner, this)),
      docs,
      this,
    );
    return this.definitions.makeReferenceForm(definition, place);
  }
}

/** The comment of a generic alias of a mapped or conditional type (`ReadonlyDeep<T>`) says what it does to another type. */
function findTypeDocs(symbol: ts.Symbol): Docs {
  const [declaration] = symbol.declarations ?? [];
  const isHelper =
    declaration !== undefined &&
    ts.isTypeAliasDeclaration(declaration) &&
    declaration.typeParameters !== undefined &&
    (ts.isMappedTypeNode(declaration.type) || ts.isConditionalTypeNode(declaration.type));
  return isHelper ? { tags: [] } : findSymbolDocs(symbol);
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

/** `number & Minimum<0>`: types of `mcpgen/runtime` that say what tags say. */
function listConstraintTags(part: ts.Type, { at }: Place, reading: Reading): DocTag[] {
  const { checker } = reading;
  const [holder] = part.flags & ts.TypeFlags.Object ? part.getProperties() : [];
  const declaration = holder?.declarations?.[0];
  if (holder === undefined || declaration === undefined || !isInRuntime(declaration, reading)) return [];
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(holder));
  return type.getProperties().map((keyword) => {
    const { name } = keyword;
    const value = checker.getTypeOfSymbol(keyword);
    const text = value.isStringLiteral()
      ? value.value
      : checker.typeToString(value).replace(/(?<=^-?\d+)n$/, '');
    // A tag takes the slashes around a pattern for its marks.
    const tagText = name === 'pattern' ? `\`${text}\`` : text;
    return { name, text: tagText, lines: [], file: at.getSourceFile(), offset: at.getStart() };
  });
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
  if (type.isIntersection()) {
    const tags = type.types.flatMap((part) => listConstraintTags(part, place, reading));
    return readFormAndApplyDocs({ tags }, reading, () => intersectedForm(type, place, reading));
  }
  return readBuiltInForm(type, place, reading) ?? readObjectForm(type, place, reading);
}

function readBuiltInForm(type: ts.Type, place: Place, reading: Reading): Form | NoForm | undefined {
  return readArrayForm(type, place, reading) ?? libraryForm(type, place, reading);
}

/** A primitive with a brand is the primitive, and of several templates each holds; objects become one object. */
function intersectedForm(type: ts.IntersectionType, place: Place, reading: Reading): Form | NoForm {
  const [primitive, ...others] = type.types.filter(
    ({ flags }) =>
      !(flags & (ts.TypeFlags.Object | ts.TypeFlags.NonPrimitive | ts.TypeFlags.Instantiable)) ||
      flags & text,
  );
  if (primitive !== undefined) {
    const form = reading.read(primitive, place);
    for (const other of others) {
      const read = reading.read(other, place);
      const pattern = hasForm(read) ? read.schema.pattern : undefined;
      if (hasForm(form) && pattern !== undefined) addKeyword(form.schema, 'pattern', pattern);
    }
    return form;
  }
  for (const part of type.types) {
    const form = isArrayOrTuple(part, reading.checker)
      ? reading.read(part, place)
      : libraryForm(part, place, reading);
    if (form !== undefined) return form;
  }
  return readObjectForm(type, place, reading);
}

const text = ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping;
