/** Whether Node can load what the project carries; it would be the caller of a tool who learns that it can't. */
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
