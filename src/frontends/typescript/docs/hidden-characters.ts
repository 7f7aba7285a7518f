import { ts } from 'ts-morph';

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
        const at = originAt(file, start);
        if (isInComment(file, start + line.search(/[^\t\u0020-\u007e]/)))
          diagnostics.report('hidden-text', { hidden }, { at });
        else diagnostics.report('hidden-text-in-value', { hidden, more: 0 }, { at });
      }
      start += line.length + 1;
    }
  }
}

function isInComment(file: ts.SourceFile, offset: number): boolean {
  const isInToken = (node: ts.Node): boolean => {
    if (offset < node.getStart(file) || offset >= node.end) return false;
    const inner = node.getChildren(file).filter((child) => !ts.isJSDoc(child));
    return inner.length === 0 || inner.some(isInToken);
  };
  return !isInToken(file);
}
