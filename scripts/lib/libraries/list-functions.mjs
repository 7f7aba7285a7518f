import path from 'node:path';
import { ts } from 'ts-morph';

/**
 * The names of a package's exports that can be called.
 *
 * @param {string} folder where the package is installed
 * @param {string} name
 * @returns {string[]}
 */
export function listFunctions(folder, name) {
  const options = {
    strict: true,
    skipLibCheck: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
  };
  const resolved = ts.resolveModuleName(
    name,
    path.join(folder, 'all.mts'),
    options,
    ts.sys,
    undefined,
    undefined,
    ts.ModuleKind.ESNext,
  ).resolvedModule;
  if (resolved === undefined) throw new Error(`${name} is not installed in ${folder}.`);
  const program = ts.createProgram([resolved.resolvedFileName], options);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(resolved.resolvedFileName);
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) return [];
  const isCallable = (symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return (
      (target.flags & ts.SymbolFlags.Value) !== 0 &&
      checker.getTypeOfSymbol(target).getCallSignatures().length > 0
    );
  };
  return checker
    .getExportsOfModule(module)
    .filter(isCallable)
    .map((symbol) => symbol.name)
    .filter((each) => /^[\w$]+$/.test(each) && each !== 'default');
}
