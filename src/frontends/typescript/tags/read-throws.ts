import { ts } from 'ts-morph';

import { suggestNearest } from '../../../../templates/runtime/contract/feature.ts';
import type { DocTag, Docs } from '../docs/read-docs.ts';
import { resolveAlias } from '../program/checker-queries.ts';
import type { SourceProgram } from '../program/source-program.ts';

/**
 * Lists the classes in `@throws {RequestError}` by name, also the declared one of a class with another name
 * in the file. Without braces the tag is documentation alone.
 */
export function listThrownClasses(block: Docs, at: ts.Node, checker: ts.TypeChecker): string[] {
  const names = listThrowsTags(block)
    .flatMap(parseClassPaths)
    .flatMap((thrown) => [thrown.path.at(-1) ?? [], findDeclaredClassName(thrown, at, checker) ?? []].flat());
  return [...new Set(names)];
}

function findDeclaredClassName(
  { path, isImported }: ClassPath,
  at: ts.Node,
  checker: ts.TypeChecker,
): string | undefined {
  if (isImported) return undefined;
  const [first, ...members] = path;
  let symbol = checker.getSymbolsInScope(at, IN_SCOPE).find(({ name }) => name === first);
  for (const member of members)
    symbol =
      symbol && checker.getExportsOfModule(resolveAlias(symbol, checker)).find(({ name }) => name === member);
  const type = symbol && checker.getTypeOfSymbol(resolveAlias(symbol, checker));
  const declaration = type?.getConstructSignatures()[0]?.getReturnType().getSymbol()?.valueDeclaration;
  return declaration && ts.isClassLike(declaration) ? declaration.name?.text : undefined;
}

const IN_SCOPE = ts.SymbolFlags.Value | ts.SymbolFlags.Alias;

/** Reports a misspelt name, which would hide the message. Packages may throw classes that the file does not import. */
export function reportUnknownThrows(
  block: Docs,
  at: ts.Node,
  { checker, diagnostics, originOfTag }: SourceProgram,
): void {
  for (const tag of listThrowsTags(block)) {
    const paths = parseClassPaths(tag).filter(({ isImported }) => !isImported);
    if (paths.length === 0) continue;
    const namesInScope = new Set(checker.getSymbolsInScope(at, IN_SCOPE).map(({ name }) => name));
    for (const {
      path: [name = ''],
    } of paths)
      if (!namesInScope.has(name))
        diagnostics.report(
          'unknown-error-class',
          { name, meant: suggestNearest(name, namesInScope) ?? '' },
          { at: originOfTag(tag) },
        );
  }
}

function listThrowsTags({ tags }: Docs): DocTag[] {
  return tags.filter(({ name }) => name === 'throws' || name === 'exception');
}

interface ClassPath {
  path: string[];
  /** Whether it is `import('x').RequestError`, which needs no name in the file. */
  isImported: boolean;
}

/** `{RequestError | errors.Timeout}` has two. */
function parseClassPaths({ text }: DocTag): ClassPath[] {
  const [, types = ''] = /^\{(?!@)([^{}]*)\}/.exec(text) ?? [];
  return types.split('|').flatMap((type): ClassPath[] => {
    const [, module, path] =
      /^[\s(]*(import\((?:'[^']*'|"[^"]*")\)\.)?([$\w]+(?:\.[$\w]+)*)[\s)]*$/.exec(type) ?? [];
    return path === undefined ? [] : [{ path: path.split('.'), isImported: module !== undefined }];
  });
}
