import { ts } from 'ts-morph';

import type { SourceProgram } from '../program/source-program.ts';
import { isJson } from './carry.ts';
import { type OwnModules, moduleSpecifiers } from './module-specifiers.ts';

/**
 * Makes a check whether TypeScript has reported an error in a file or in one that it imports; other problems there may be
 * consequences.
 */
export function makeFaultyFileCheck(
  { diagnostics, label, userFiles }: Pick<SourceProgram, 'diagnostics' | 'label' | 'userFiles'>,
  modules: OwnModules,
): (file: ts.SourceFile) => boolean {
  const namedFiles = new Set(
    diagnostics.found
      .filter(({ name }) => name === 'typescript-error')
      .map(({ origin }) => (origin?.kind === 'code' ? origin.file : undefined)),
  );
  const faulty = new Set(userFiles.filter((file) => namedFiles.has(label(file))));
  if (faulty.size === 0) return () => false;
  if ([...faulty].some((file) => !ts.isExternalModule(file))) return () => true;
  return (file) => {
    const reached = new Set([file]);
    for (const each of reached) {
      if (faulty.has(each)) return true;
      for (const { literal } of isJson(each) ? [] : moduleSpecifiers(each)) {
        const { ownFile } = modules.resolveModule(literal);
        if (ownFile !== undefined) reached.add(ownFile);
      }
    }
    return false;
  };
}
