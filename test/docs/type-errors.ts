/** Type-checks one program that imports `mcpgen`, against this repository's sources. */
import { join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../architecture/support/source-files.ts';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: ['node'],
  paths: {
    mcpgen: [join(repositoryRoot, 'src/index.ts')],
    'mcpgen/runtime': [join(repositoryRoot, 'dist/templates/runtime/index.d.ts')],
  },
};

export function typeErrors(program: string): string[] {
  const file = join(repositoryRoot, 'test/docs/program.ts');
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, target) =>
    name === file ? ts.createSourceFile(name, program, target) : getSourceFile.call(host, name, target);
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.readFile = (name) => (name === file ? program : readFile.call(host, name));
  const found = ts.createProgram([file], options, host);
  const source = found.getSourceFile(file);
  return [...found.getSyntacticDiagnostics(source), ...found.getSemanticDiagnostics(source)].map(
    ({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '),
  );
}
