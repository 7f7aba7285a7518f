import { describeHidden, mayHaveHiddenCharacters } from '../../../model/clean-prose.ts';
import type { SourceProgram } from '../program/source-program.ts';

const MOST = 100;

/** Reports hidden characters in code; texts of JSDoc are cleaned where they are listed. */
export function reportHiddenCharacters({ userFiles, originAt, diagnostics }: SourceProgram): void {
  for (const file of userFiles) {
    if (!mayHaveHiddenCharacters(file.text.replace(/^\ufeff/, ''))) continue;
    let reported = 0;
    let start = 0;
    for (const line of file.text.split('\n')) {
      const hidden =
        reported < MOST ? describeHidden(start === 0 ? line.replace(/^\ufeff/, '') : line) : undefined;
      if (hidden !== undefined) {
        reported += 1;
        diagnostics.report('hidden-text', { hidden }, { at: originAt(file, start) });
      }
      start += line.length + 1;
    }
  }
}
