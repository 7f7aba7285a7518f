/**
 * Strips types from code a person wrote. The one module after the model that knows TypeScript, and it loads the
 * compiler only when it is called: a project whose handlers are as they were emitted never pays for it.
 */
export interface Transpiled {
  code: string;
  /** What TypeScript says of the syntax; empty when it is fine. Lines are 1-based. */
  faults: { line: number; message: string }[];
}

/** Compiles one TypeScript module to what `npm run build` would make of it. */
export async function transpile(source: string, fileName: string): Promise<Transpiled> {
  const { ts } = await import('ts-morph');
  const { outputText, diagnostics = [] } = ts.transpileModule(source, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
      allowImportingTsExtensions: true,
    },
  });
  return {
    code: outputText.replaceAll('\r\n', '\n'),
    faults: diagnostics.map(({ file, start, messageText }) => ({
      line:
        file === undefined || start === undefined ? 1 : file.getLineAndCharacterOfPosition(start).line + 1,
      message: ts.flattenDiagnosticMessageText(messageText, ' '),
    })),
  };
}
