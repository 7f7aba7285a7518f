import type { ts } from 'ts-morph';
import type { CodeOrigin } from '../../model/origin.ts';

/** Formats a file's name for messages. */
export type FileLabel = (file: ts.SourceFile) => string;

export function originAt(file: ts.SourceFile, offset: number, label: FileLabel): CodeOrigin {
  const { line, character } = file.getLineAndCharacterOfPosition(offset);
  return { kind: 'code', file: label(file), line: line + 1, column: character + 1 };
}

export function originOf(node: ts.Node, label: FileLabel): CodeOrigin {
  const file = node.getSourceFile();
  return originAt(file, node.getStart(file), label);
}
