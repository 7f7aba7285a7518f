/** Finds types that are written by a schema: `z.infer<typeof Note>`, `typeof Note.infer`. */
import { ts } from 'ts-morph';

import { referenced } from '../schema/written.ts';

export interface SchemaType {
  name: string;
  at: ts.Node;
}

/** Lists schemas whose types the written type has, also by aliases and in members of interfaces. */
export function listSchemaTypes(written: ts.Node, program: ts.Program): SchemaType[] {
  return hasSchemas(program) ? schemaTypesIn(written, program, new Set()) : [];
}

/** Most programs have no type of a schema, and walking all written types is slow. */
function hasSchemas(program: ts.Program): boolean {
  const known = ofPrograms.get(program) ?? program.getSourceFiles().some(mentionsSchemas);
  ofPrograms.set(program, known);
  return known;
}

function mentionsSchemas(file: ts.SourceFile): boolean {
  const known = ofFiles.get(file) ?? file.text.includes('~standard');
  ofFiles.set(file, known);
  return known;
}

const ofPrograms = new WeakMap<ts.Program, boolean>();
const ofFiles = new WeakMap<ts.SourceFile, boolean>();

function schemaTypesIn(written: ts.Node, program: ts.Program, seen: ReadonlySet<ts.Node>): SchemaType[] {
  if (ts.isFunctionLike(written) || seen.has(written)) return [];
  if (ts.isTypeQueryNode(written)) {
    const name = schemaIn(written.exprName, program.getTypeChecker());
    return name === undefined ? [] : [{ name, at: written }];
  }
  const inside = new Set([...seen, written]);
  const found = ts.isTypeReferenceNode(written) ? behindName(written, program, inside) : [];
  ts.forEachChild(written, (child) => {
    found.push(...schemaTypesIn(child, program, inside));
  });
  return found;
}

/** An alias is told where it is used, since another use may name the schema. */
function behindName(
  node: ts.TypeReferenceNode,
  program: ts.Program,
  seen: ReadonlySet<ts.Node>,
): SchemaType[] {
  const declarations = referenced(node, program)?.declarations ?? [];
  const own = declarations.filter((each) => {
    const file = each.getSourceFile();
    return !program.isSourceFileFromExternalLibrary(file) && !program.isSourceFileDefaultLibrary(file);
  });
  return own.flatMap((each) => {
    if (ts.isInterfaceDeclaration(each)) return schemaTypesIn(each, program, seen);
    if (!ts.isTypeAliasDeclaration(each)) return [];
    return schemaTypesIn(each.type, program, seen).map(({ name }) => ({ name, at: node }));
  });
}

function schemaIn(name: ts.EntityName, checker: ts.TypeChecker): string | undefined {
  const isSchema = checker.getTypeAtLocation(name).getProperty('~standard') !== undefined;
  if (isSchema) return name.getText();
  return ts.isQualifiedName(name) ? schemaIn(name.left, checker) : undefined;
}
