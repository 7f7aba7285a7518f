/** Recognises classes of JavaScript and Node by name and declaration. */
import { ts } from 'ts-morph';

/** Undefined unless the language or Node declares the type. */
export function libraryName(type: ts.Type, program: ts.Program): string | undefined {
  const symbol = type.getSymbol();
  if (symbol === undefined || !(symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)))
    return undefined;
  return isOfLibrary(symbol, program) ? symbol.name : undefined;
}

export function isOfLibrary(symbol: ts.Symbol, program: ts.Program): boolean {
  return (symbol.declarations ?? []).some((declaration) => {
    const file = declaration.getSourceFile();
    return program.isSourceFileDefaultLibrary(file) || /\/@types\/node\//.test(file.fileName);
  });
}

export interface Libraries {
  readonly program: ts.Program;
  readonly runtimeTypes?: string | undefined;
}

/** Whether the user cannot change a declaration. */
export function isInLibrary(node: ts.Node, { program, runtimeTypes }: Libraries): boolean {
  const file = node.getSourceFile();
  return (
    file.isDeclarationFile &&
    (program.isSourceFileDefaultLibrary(file) ||
      program.isSourceFileFromExternalLibrary(file) ||
      file.fileName.includes('/node_modules/') ||
      (runtimeTypes !== undefined && file.fileName.startsWith(`${runtimeTypes}/`)))
  );
}
