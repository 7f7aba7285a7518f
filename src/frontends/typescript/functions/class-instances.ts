import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';
import { readBlock, tagNamed } from '../tags/read-block.ts';
import { refuse } from '../tags/tag-values.ts';
import { isAbstract } from './tagged-members.ts';

export function ancestorsOf(
  declaration: ts.ClassLikeDeclaration,
  source: SourceProgram,
): ts.ClassLikeDeclaration[] {
  const { checker, userFiles } = source;
  const extended = declaration.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
  const [base] = extended?.types ?? [];
  const above = base && checker.getTypeAtLocation(base).getSymbol()?.valueDeclaration;
  if (above === undefined || !ts.isClassLike(above) || !userFiles.includes(above.getSourceFile())) return [];
  return [above, ...ancestorsOf(above, source)];
}

export function instanceOf(
  declaration: ts.ClassLikeDeclaration,
  source: SourceProgram,
): 'process' | 'session' {
  const classes = [declaration, ...ancestorsOf(declaration, source)];
  const [tag] = classes.flatMap((each) => tagNamed(classBlock(each), 'instance') ?? []);
  if (tag === undefined || tag.text === 'process') return 'process';
  if (tag.text !== 'session')
    refuse(
      tag,
      'must be `process` (one instance for the server) or `session` (one for each session)',
      source,
    );
  return 'session';
}

/** The block of a class expression stands before the variable it is assigned to. */
export function classBlock(declaration: ts.ClassLikeDeclaration): ReturnType<typeof readBlock> {
  const { parent } = declaration;
  const isValue = ts.isVariableDeclaration(parent) || ts.isExportAssignment(parent);
  return readBlock(ts.isClassExpression(declaration) && isValue ? parent : declaration);
}

/** Explains why the server cannot create an instance, in words that follow a colon. */
export function whyNotConstructible(
  target: ts.Symbol,
  declaration: ts.ClassLikeDeclaration,
  checker: ts.TypeChecker,
): string | undefined {
  if (isAbstract(declaration)) return 'it is abstract, and no exported class extends it';
  const constructors = checker.getTypeOfSymbol(target).getConstructSignatures().filter(isPublic);
  if (constructors.length === 0) return 'its constructor is not public';
  return constructors.some(isFree) ? undefined : 'its constructor needs arguments';
}

/** TypeScript lists private constructors too. */
function isPublic({ declaration }: ts.Signature): boolean {
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return true;
  return (ts.getCombinedModifierFlags(declaration) & hidden) === 0;
}

function isFree({ declaration, parameters }: ts.Signature): boolean {
  if (parameters.length === 0) return true;
  return (declaration?.parameters ?? []).every(
    (each) =>
      ts.isParameter(each) &&
      (each.initializer !== undefined ||
        each.questionToken !== undefined ||
        each.dotDotDotToken !== undefined),
  );
}
