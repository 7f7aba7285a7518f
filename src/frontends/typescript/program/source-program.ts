import type { ts } from 'ts-morph';

import type { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import type { CodeOrigin } from '../../../model/origin.ts';
import type { DocTag } from '../docs/read-docs.ts';

export interface SourceProgram {
  program: ts.Program;
  checker: ts.TypeChecker;
  /** The files that were named, by path. */
  files: readonly ts.SourceFile[];
  /** The user's own files, without those of packages and of TypeScript itself. */
  userFiles: readonly ts.SourceFile[];
  /** Folder of the types of `mcpgen/runtime`. */
  runtimeTypes: string;
  label: FileLabel;
  /** Names the place of a node; its file is relative to the working folder. */
  originOf: (node: ts.Node) => CodeOrigin;
  originOfTag: (tag: Pick<DocTag, 'file' | 'offset'>) => CodeOrigin;
  originAt: (file: ts.SourceFile, offset: number) => CodeOrigin;
  diagnostics: DiagnosticCollector;
  /** Reports TypeScript's errors, once. */
  check: () => void;
}

export type FileLabel = (file: ts.SourceFile) => string;

export function originAt(file: ts.SourceFile, offset: number, label: FileLabel): CodeOrigin {
  const { line, character } = file.getLineAndCharacterOfPosition(offset);
  return { kind: 'code', file: label(file), line: line + 1, column: character + 1 };
}

export function makeNodeOrigin(node: ts.Node, label: FileLabel): CodeOrigin {
  const file = node.getSourceFile();
  return originAt(file, node.getStart(file), label);
}
