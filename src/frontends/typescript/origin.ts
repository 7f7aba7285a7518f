import type { ts } from 'ts-morph';
import type { CodeOrigin } from '../../model/origin.ts';

/** How a source file is called in what people read. */
export type FileLabel = (file: ts.SourceFile) => string;

/** The place at an offset of a file. */
export function originAt(file: ts.SourceFile, offset: number, label: FileLabel): CodeOrigin {
  const { line, character } = file.getLineAndCharacterOfPosition(offset);
  return { kind: 'code', file: label(file), line: line + 1, column: character + 1 };
}

/** The place where a node begins, its documentation aside. */
export function originOf(node: ts.Node, label: FileLabel): CodeOrigin {
  const file = node.getSourceFile();
  return originAt(file, node.getStart(file), label);
}
