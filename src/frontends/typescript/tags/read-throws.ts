import { ts } from 'ts-morph';

import { suggest } from '../../../../templates/runtime/contract/feature.ts';
import type { DocTag, Docs } from '../docs/read-docs.ts';
import type { SourceProgram } from '../program/source-program.ts';

/** The classes in `@throws {RequestError}`, by name. Without braces the tag is documentation alone. */
export function readThrows(block: Docs): string[] {
  const names = throwsTags(block)
    .flatMap(pathsIn)
    .flatMap(({ path }) => path.at(-1) ?? []);
  return [...new Set(names)];
}

/** Reports a misspelt name, which would hide the message. Packages may throw classes that the file does not import. */
export function checkThrows(
  block: Docs,
  at: ts.Node,
  { checker, diagnostics, originOfTag }: SourceProgram,
): void {
  for (const tag of throwsTags(block)) {
    const paths = pathsIn(tag).filter(({ isImported }) => !isImported);
    if (paths.length === 0) continue;
    const flags = ts.SymbolFlags.Value | ts.SymbolFlags.Alias;
    const known = new Set(checker.getSymbolsInScope(at, flags).map(({ name }) => name));
    for (const {
      path: [name = ''],
    } of paths)
      if (!known.has(name))
        diagnostics.report(
          'unknown-error-class',
          { name, meant: suggest(name, known) ?? '' },
          { at: originOfTag(tag) },
        );
  }
}

function throwsTags({ tags }: Docs): DocTag[] {
  return tags.filter(({ name }) => name === 'throws' || name === 'exception');
}

interface ClassPath {
  path: string[];
  /** `import('x').RequestError` needs no name in the file. */
  isImported: boolean;
}

/** `{RequestError | errors.Timeout}` has two. */
function pathsIn({ text }: DocTag): ClassPath[] {
  const [, types = ''] = /^\{(?!@)([^{}]*)\}/.exec(text) ?? [];
  return types.split('|').flatMap((type): ClassPath[] => {
    const [, module, path] =
      /^[\s(]*(import\((?:'[^']*'|"[^"]*")\)\.)?([$\w]+(?:\.[$\w]+)*)[\s)]*$/.exec(type) ?? [];
    return path === undefined ? [] : [{ path: path.split('.'), isImported: module !== undefined }];
  });
}
