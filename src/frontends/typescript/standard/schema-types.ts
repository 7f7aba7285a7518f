/** Finds types that are written by a schema: `z.infer<typeof Note>`, `typeof Note.infer`. */
import { ts } from 'ts-morph';

import { findCachedSymbol } from '../schema/written-node.ts';

export interface SchemaType {
  name: string;
  at: ts.Node;
}

/** Lists schemas whose types the written types have, also by aliases and in members of interfaces. */
export function listSchemaTypes(written: Iterable<ts.Node>, program: ts.Program): SchemaType[] {
  const isOwn = ({ isDeclarationFile, text }: ts.SourceFile): boolean =>
    !isDeclarationFile && text.includes('typeof');
  if (!program.getSourceFiles().some(isOwn)) return [];
  const search = new Search(program);
  for (const node of written) search.searchIn(node);
  return search.found;
}

/** Most aliases that are followed one after the other. */
const DEEPEST = 50;

class Search {
  readonly found: SchemaType[] = [];
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #interfaces = new Set<ts.Node>();
  /** Names of schemas by alias; those of an alias in progress are empty. */
  readonly #aliases = new Map<ts.Node, readonly string[]>();
  #depth = 0;

  constructor(program: ts.Program) {
    this.#program = program;
    this.#checker = program.getTypeChecker();
  }

  /** The search has its own stack, since interfaces may form long chains. */
  searchIn(written: ts.Node): void {
    const open = [written];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (ts.isFunctionLike(node)) continue;
      if (ts.isInterfaceDeclaration(node)) {
        if (this.#interfaces.has(node)) continue;
        this.#interfaces.add(node);
      }
      if (ts.isTypeQueryNode(node)) this.#addFound(this.#findSchemaName(node.exprName), node);
      if (ts.isTypeReferenceNode(node)) open.push(...this.#followAlias(node));
      ts.forEachChild(node, (child) => void open.push(child));
    }
  }

  /** Follows an alias, whose schemas are noted at each use, since another use may name the schema. */
  #followAlias(node: ts.TypeReferenceNode): ts.Node[] {
    const declarations = findCachedSymbol(node, this.#program)?.declarations ?? [];
    const own = declarations.filter(
      (each) => !this.#program.isSourceFileFromExternalLibrary(each.getSourceFile()),
    );
    for (const alias of own.filter(ts.isTypeAliasDeclaration))
      for (const name of this.#listAliasSchemas(alias)) this.#addFound(name, node);
    return own.filter(ts.isInterfaceDeclaration);
  }

  #listAliasSchemas(alias: ts.TypeAliasDeclaration): readonly string[] {
    const known = this.#aliases.get(alias);
    if (known !== undefined || this.#depth > DEEPEST) return known ?? [];
    this.#aliases.set(alias, []);
    const before = this.found.length;
    this.#depth += 1;
    this.searchIn(alias.type);
    this.#depth -= 1;
    const found = this.found.splice(before);
    const names = found.filter(({ at }) => isInside(at, alias)).map(({ name }) => name);
    this.found.push(...found.filter(({ at }) => !isInside(at, alias)));
    this.#aliases.set(alias, names);
    return names;
  }

  #addFound(name: string | undefined, at: ts.Node): void {
    if (name !== undefined) this.found.push({ name, at });
  }

  #findSchemaName(name: ts.EntityName): string | undefined {
    const isSchema = this.#checker.getTypeAtLocation(name).getProperty('~standard') !== undefined;
    if (isSchema) return name.getText();
    return ts.isQualifiedName(name) ? this.#findSchemaName(name.left) : undefined;
  }
}

function isInside(node: ts.Node, outer: ts.Node): boolean {
  return ts.findAncestor(node, (each) => each === outer) !== undefined;
}
