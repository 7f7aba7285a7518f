/** Finds types that are written by a schema: `z.infer<typeof Note>`, `typeof Note.infer`. */
import { ts } from 'ts-morph';

import { referenced } from '../schema/written.ts';

export interface SchemaType {
  name: string;
  at: ts.Node;
}

/** Lists schemas whose types the written type has, also by aliases and in members of interfaces. */
export function listSchemaTypes(
  written: ts.Node,
  program: ts.Program,
  seen: ReadonlySet<ts.Node> = new Set(),
): SchemaType[] {
  if (ts.isFunctionLike(written) || seen.has(written)) return [];
  if (ts.isTypeQueryNode(written)) {
    const name = schemaIn(written.exprName, program.getTypeChecker());
    return name === undefined ? [] : [{ name, at: written }];
  }
  const inside = new Set([...seen, written]);
  const found = ts.isTypeReferenceNode(written) ? behindName(written, program, inside) : [];
  ts.forEachChild(written, (child) => {
    found.push(...listSchemaTypes(child, program, inside));
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
  const own = declarations.filter((each) => !program.isSourceFileFromExternalLibrary(each.getSourceFile()));
  return own.flatMap((each) => {
    if (ts.isInterfaceDeclaration(each)) return listSchemaTypes(each, program, seen);
    if (!ts.isTypeAliasDeclaration(each)) return [];
    return listSchemaTypes(each.type, program, seen).map(({ name }) => ({ name, at: node }));
  });
}

function schemaIn(name: ts.EntityName, checker: ts.TypeChecker): string | undefined {
  const isSchema = checker.getTypeAtLocation(name).getProperty('~standard') !== undefined;
  if (isSchema) return name.getText();
  return ts.isQualifiedName(name) ? schemaIn(name.left, checker) : undefined;
}
