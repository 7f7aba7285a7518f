/** Checks that Node can load the user's code; otherwise the first tool call would fail. */
import type { SourceProgram } from '../program/source-program.ts';
import type { Carried } from './carry.ts';
import { checkModuleNames } from './check-module-names.ts';
import { checkPackages } from './check-packages.ts';
import { checkRequires } from './check-requires.ts';

export async function checkLoading(source: SourceProgram, carried: Carried): Promise<void> {
  checkModuleNames(source, carried);
  checkRequires(source, carried);
  await checkPackages(source, carried);
}
