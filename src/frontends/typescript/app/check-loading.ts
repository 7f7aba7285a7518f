/** Reports what fails when the copied code runs: files that are not copied. */
import type { SourceProgram } from '../program/source-program.ts';
import type { Carried } from './carry.ts';
import { collectDependencies } from './read-app.ts';

export function checkLoading(source: SourceProgram, carried: Carried): void {
  const { diagnostics, originOf } = source;
  // Reports packages whose ranges may differ from those in the user's folder.
  collectDependencies(source, carried);
  for (const asset of carried.assets) {
    if (!('problem' in asset)) continue;
    const { what, problem, node } = asset;
    diagnostics.report('file-not-carried', { what, problem }, { at: originOf(node) });
  }
}
