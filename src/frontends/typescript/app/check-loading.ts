/** Reports what fails when the copied code runs: files that are not copied, and writing below its own folder. */
import { ts } from 'ts-morph';

import { findOwnFolderWrite } from '../../../util/code-uses.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type Carried, isJson } from './carry.ts';
import { collectDependencies } from './read-app.ts';

export function checkLoading(source: SourceProgram, carried: Carried): void {
  const { diagnostics, originOf } = source;
  for (const file of carried.files.filter((file) => !file.isDeclarationFile && !isJson(file))) {
    const write = findOwnFolderWrite(file, ts);
    if (write !== undefined)
      diagnostics.report('writes-own-folder', { folder: 'dist/app/' }, { at: originOf(write) });
  }
  // Reports packages whose ranges may differ from those in the user's folder.
  collectDependencies(source, carried);
  for (const asset of carried.assets) {
    if (!('problem' in asset)) continue;
    const { what, problem, node } = asset;
    diagnostics.report('file-not-carried', { what, problem }, { at: originOf(node) });
  }
}
