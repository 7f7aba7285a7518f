import { ts } from 'ts-morph';
import type { SourceProgram } from '../program/source-program.ts';

export interface Exported {
  file: ts.SourceFile;
  name: string;
  /** Absent for exports of `export *`. */
  place: ts.Declaration | undefined;
  target: ts.Symbol;
}

/** Sorted by position, since TypeScript lists functions first. */
export function exportsOf(file: ts.SourceFile, { checker }: SourceProgram): Exported[] {
  const module = checker.getSymbolAtLocation(file);
  if (module === undefined) return [];
  const whole = module.exports?.get(ts.InternalSymbolName.ExportEquals);
  const all = [...(whole ? [whole] : []), ...checker.getExportsOfModule(module)];
  const found = all.map((symbol): Exported => ({
    file,
    // `export =` is the default export for ES modules.
    name: symbol === whole ? 'default' : symbol.name,
    place: symbol.declarations?.find((each) => each.getSourceFile() === file),
    target: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
  // Exports of `export *` come last.
  return found.sort((a, b) => (a.place?.pos ?? Infinity) - (b.place?.pos ?? Infinity) || 0);
}

export function declarationOf({ target }: Exported): ts.Declaration | undefined {
  return target.valueDeclaration ?? target.declarations?.[0];
}

/** Finds the user's module that `export * as` exports, unless its exports are taken anyway. */
export function moduleOf(
  { target }: Exported,
  { files, userFiles }: SourceProgram,
): ts.SourceFile | undefined {
  const { valueDeclaration: module } = target;
  const isOwn = module !== undefined && ts.isSourceFile(module) && userFiles.includes(module);
  return isOwn && !files.includes(module) ? module : undefined;
}
