/** Finds types that are written by a schema: `z.infer<typeof Note>`, `typeof Note.infer`. */
import { ts } from 'ts-morph';

import { referenced } from '../schema/written.ts';

export interface SchemaType {
  name: string;
  at: ts.Node;
}

/** Limit of aliases behind each other. */
const DEEPEST = 20;

/** Lists schemas whose types the written type has, also by aliases. */
export function listSchemaTypes(written: ts.Node, program: ts.Program, depth = 0): SchemaType[] {
  if (ts.isFunctionLike(written) || depth > DEEPEST) return [];
  if (ts.isTypeQueryNode(written)) {
    const name = schemaIn(written.exprName, program.getTypeChecker());
    return name === undefined ? [] : [{ name, at: written }];
  }
  const found = ts.isTypeReferenceNode(written) ? behindAlias(written, program, depth) : [];
  ts.forEachChild(written, (child) => {
    found.push(...listSchemaTypes(child, program, depth));
  });
  return found;
}

/** The place is that of the alias's name, where the type is used. */
function behindAlias(node: ts.TypeReferenceNode, program: ts.Program, depth: number): SchemaType[] {
  const declarations = referenced(node, program)?.declarations ?? [];
  const aliases = declarations.filter(ts.isTypeAliasDeclaration);
  const own = aliases.filter((each) => !program.isSourceFileFromExternalLibrary(each.getSourceFile()));
  return own.flatMap(({ type }) =>
    listSchemaTypes(type, program, depth + 1).map(({ name }) => ({ name, at: node })),
  );
}

function schemaIn(name: ts.EntityName, checker: ts.TypeChecker): string | undefined {
  const isSchema = checker.getTypeAtLocation(name).getProperty('~standard') !== undefined;
  if (isSchema) return name.getText();
  return ts.isQualifiedName(name) ? schemaIn(name.left, checker) : undefined;
}
