import { posix } from 'node:path';

import type { SourceProgram } from '../program/source-program.ts';
import { type Carried, isJson } from './carry.ts';
import { Dependencies } from './dependencies.ts';
import { moduleSpecifiers } from './module-specifiers.ts';
import { importsOnlyTypes } from './type-erasure.ts';

/** Collects the packages that the files import. Reports those whose range the project cannot take over. */
export function collectDependencies(source: SourceProgram, { files, modules }: Carried): Dependencies {
  const dependencies = new Dependencies(source);
  for (const file of files) {
    dependencies.addNodeTypesAndEngine(posix.dirname(file.fileName));
    if (isJson(file)) continue;
    for (const { literal, owner, isType } of moduleSpecifiers(file)) {
      const { fileName: target, ownFile } = modules.resolveModule(literal);
      const isOther = ownFile === undefined && target?.startsWith(`${source.runtimeTypes}/`) !== true;
      if (isOther) dependencies.addImport(literal, isType || importsOnlyTypes(owner, source.checker), target);
    }
  }
  return dependencies;
}
