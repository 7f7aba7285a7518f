import { ts } from 'ts-morph';

import type { Docs } from '../docs/doc-text.ts';
import { findSymbolDocs, hasDocsOfParts } from '../docs/read-docs.ts';
import { unionMembers } from '../program/checker-queries.ts';
import { readFormWithoutDocs, readBuiltInForm } from './bare-form.ts';
import { addNull } from './combine.ts';
import { reportConstraintTypesInText } from './constraint-types.ts';
import { Definitions } from './definitions.ts';
import { readFormAndApplyDocs } from './documented.ts';
import {
  type Direction,
  type Form,
  type Held,
  type NoForm,
  type NotedDefault,
  type NotedExample,
  type NotedSchema,
  type NotedUnion,
  type Place,
  type Reading,
  type ReportAt,
  type TypeLimits,
  TypeTooLarge,
  hasForm,
} from './form.ts';
import { isInLibrary } from './library-types.ts';
import { closeParameter, isOpenType, makeUnresolvedGenericFault } from './open-type.ts';
import { DeferredReports } from './tell-once.ts';
import { type NamedType, findTypeName } from './type-name.ts';
import { listAliasDocs } from './written-types.ts';

type ReadingOptions = Pick<
  Reading,
  'limits' | 'runtimeTypes' | 'isContext' | 'unlessMistaken' | 'tell' | 'readNamed'
>;

export class TypeReading implements Reading {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly direction: Direction;
  readonly limits: TypeLimits;
  readonly runtimeTypes: string | undefined;
  readonly isContext: Reading['isContext'];
  readonly unlessMistaken: Reading['unlessMistaken'];
  readonly readNamed: Reading['readNamed'];
  readonly definitions: Definitions;
  readonly tell: ReportAt;
  readonly defaults: NotedDefault[] = [];
  readonly examples: NotedExample[] = [];
  readonly notedSchemas: NotedSchema[] = [];
  readonly inside = new Map<ts.Type, readonly string[]>();
  readonly unions: NotedUnion[] = [];
  readonly postponedWork: (() => void)[] = [];
  /** Unnamed types in progress. One that comes again is recursive and gets a definition. */
  readonly #open = new Set<ts.Type>();
  /** Written types and declarations that were read. */
  readonly sources: ts.Node[] = [];
  /** Names of aliases whose docs a schema has. */
  readonly namedAliases = new Set<ts.Node>();
  #count = 0;
  readonly #telling: DeferredReports;

  constructor(
    program: ts.Program,
    direction: Direction,
    { limits, runtimeTypes, isContext, unlessMistaken, readNamed, tell }: ReadingOptions,
  ) {
    this.runtimeTypes = runtimeTypes;
    this.program = program;
    this.checker = program.getTypeChecker();
    this.direction = direction;
    this.limits = limits;
    this.isContext = isContext;
    this.unlessMistaken = unlessMistaken;
    this.readNamed = readNamed;
    this.definitions = new Definitions(direction);
    this.#telling = new DeferredReports(tell);
    this.tell = this.#telling.tell;
  }

  resetCount(): void {
    this.#count = 0;
  }

  dropOpenTypes(): void {
    this.#open.clear();
    this.definitions.dropUnfinished();
  }

  runDeferred(): void {
    for (const work of this.postponedWork.splice(0)) work();
  }

  holdReports<T>(work: () => T): Held<T> {
    return this.#telling.holdReports(work);
  }

  read(type: ts.Type, place: Place): Form | NoForm {
    this.#count += 1;
    if (this.#count > this.limits.types) throw new TypeTooLarge('types');
    if (place.depth > this.limits.depth) throw new TypeTooLarge('depth');
    if (this.isContext(type)) return { faults: [{ place, problem: { name: 'nested-context' } }] };
    if (isOpenType(type) && !type.isIntersection()) {
      const closed = closeParameter(type, this.checker);
      return closed === undefined ? makeUnresolvedGenericFault(type, place, this) : this.read(closed, place);
    }
    const docs = listAliasDocs(type, place.node, this.program, this.namedAliases).toReversed();
    if (place.docs !== undefined) docs.push(place.docs);
    const read = docs.reduce(
      (inner, docs) => () => readFormAndApplyDocs(type, docs, this, inner),
      () => this.#readWithoutAliasDocs(type, { ...place, docs: undefined }),
    );
    reportConstraintTypesInText(type, place, this);
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
      readFormAndApplyDocs(type, docs, this, () => readFormWithoutDocs(type, place, this)),
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
    if (declaration !== undefined && !isLibrary) this.sources.push(declaration);
    const definition = this.definitions.addDefinition(type, typeName, inner);
    const docs = findSymbolDocs(typeName.symbol);
    definition.form = dropTypeDefault(
      readFormAndApplyDocs(type, docs, this, () => readFormWithoutDocs(type, inner, this)),
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
