/** Reports names of CommonJS modules that an ES module uses: they fail when the code runs. */
import type { SourceProgram } from '../program/source-program.ts';
import type { Carried } from './carry.ts';
import { commonNames } from './common-module.ts';
import { isJson } from './layout.ts';

const INSTEAD: Readonly<Record<string, string>> = {
  __dirname: '`import.meta.dirname`',
  __filename: '`import.meta.filename`',
  require: '`import`, or `createRequire(import.meta.url)` of `node:module`',
};

/** Names that are tested by `typeof` may be missing. */
export function checkModuleNames({ diagnostics, originOf }: SourceProgram, { files, layout }: Carried): void {
  const isRun = files.filter((file) => !file.isDeclarationFile && !isJson(file));
  for (const file of isRun) {
    if (/\.c[jt]s$/.test(layout.pathOf(file))) continue;
    for (const [name, { node, isAsked }] of commonNames(file)) {
      if (isAsked) continue;
      const parameters = { name, instead: INSTEAD[name] ?? '`export`' };
      diagnostics.report('name-of-commonjs', parameters, { at: originOf(node) });
    }
  }
}
