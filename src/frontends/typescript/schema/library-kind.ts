/** Classes of JavaScript and Node that have a JSON form of their own, known by name and by where they are declared. */
import { ts } from 'ts-morph';

/** The name of a type that the language or Node declares; undefined for everybody else's. */
export function libraryName(type: ts.Type, program: ts.Program): string | undefined {
  const symbol = type.getSymbol();
  if (symbol === undefined || !(symbol.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class)))
    return undefined;
  return isOfLibrary(symbol, program) ? symbol.name : undefined;
}

/** Whether a symbol is declared by the language or by Node. */
export function isOfLibrary(symbol: ts.Symbol, program: ts.Program): boolean {
  return (symbol.declarations ?? []).some((declaration) => {
    const file = declaration.getSourceFile();
    return program.isSourceFileDefaultLibrary(file) || /\/@types\/node\//.test(file.fileName);
  });
}

export interface Libraries {
  readonly program: ts.Program;
  /** Folder of the types of `mcpgen/runtime`. */
  readonly runtimeTypes?: string | undefined;
}

/** Whether a declaration is one that the user cannot change. */
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
