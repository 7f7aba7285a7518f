// Programs made of texts, so that a row of a table can hold its source.
import { fileURLToPath } from 'node:url';
import { ts } from 'ts-morph';
import { expect } from 'vitest';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import {
  type ReadType,
  TypeReader,
  type TypeReaderOptions,
  type TypeUse,
} from '../../../src/frontends/typescript/schema/type-reader.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const strict: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.esnext.d.ts', 'lib.dom.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  strict: true,
  allowJs: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
};

/** A program of files by name, beside the packages that are installed here. */
export function programOf(files: Record<string, string>, options: ts.CompilerOptions = {}): ts.Program {
  const merged = { ...strict, ...options };
  const host = ts.createCompilerHost(merged, true);
  const texts = new Map(Object.entries(files).map(([name, text]) => [`${root}virtual/${name}`, text]));
  const { getSourceFile } = host;
  host.getCurrentDirectory = () => root;
  host.getDefaultLibLocation = () => `${root}node_modules/typescript/lib`;
  host.getDefaultLibFileName = (of) => `${root}node_modules/typescript/lib/${ts.getDefaultLibFileName(of)}`;
  host.fileExists = (file) => texts.has(file) || ts.sys.fileExists(file);
  host.directoryExists = (folder) =>
    folder.startsWith(`${root}virtual`) || (ts.sys.directoryExists(folder) as boolean);
  host.readFile = (file) => texts.get(file) ?? ts.sys.readFile(file);
  host.getSourceFile = (file, version, ...rest) => {
    const text = texts.get(file);
    if (text !== undefined) return ts.createSourceFile(file, text, version, true);
    const known = library.get(file);
    if (known !== undefined) return known;
    const read = getSourceFile.call(host, file, version, ...rest);
    if (read !== undefined) library.set(file, read);
    return read;
  };
  const names = [...texts.keys()].filter((file) => !file.includes('/node_modules/'));
  return ts.createProgram({ rootNames: names, options: merged, host });
}

/** Files of installed packages, which no test changes. */
const library = new Map<string, ts.SourceFile>();

export interface Readings {
  reader: TypeReader;
  diagnostics: DiagnosticCollector;
  /** Reads an exported alias, interface, class or enum; or the type of an exported value. */
  read: (name: string, use?: Partial<TypeUse>, file?: string) => ReadType;
  /** The problems, as `code name at line:column`. */
  problems: () => string[];
}

export function readerOf(program: ts.Program, options: TypeReaderOptions = {}): Readings {
  const diagnostics = new DiagnosticCollector();
  const label = ({ fileName }: ts.SourceFile): string => fileName.replace(`${root}virtual/`, '');
  const reader = new TypeReader(program, diagnostics, { label, ...options });
  const checker = program.getTypeChecker();
  return {
    reader,
    diagnostics,
    read: (name, use = {}, file = 'a.ts') => {
      const symbol = exported(program, file, name);
      const isType = (symbol.flags & (ts.SymbolFlags.Type | ts.SymbolFlags.Enum)) !== 0;
      const type = isType ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol);
      const at = symbol.declarations?.[0];
      if (at === undefined) throw new Error(`${name} has no declaration`);
      const node = ts.isTypeAliasDeclaration(at) ? { node: at.type } : {};
      return reader.read(type, { at, direction: 'input', ...node, ...use });
    },
    problems: () =>
      diagnostics.found.map(({ name, origin }) => {
        const place = origin?.kind === 'code' ? `${origin.file}:${origin.line}:${origin.column}` : '';
        return `${name} ${place}`;
      }),
  };
}

function exported(program: ts.Program, file: string, name: string): ts.Symbol {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(`${root}virtual/${file}`);
  const module = source && checker.getSymbolAtLocation(source);
  const found = module && checker.getExportsOfModule(module).find((each) => each.name === name);
  if (found === undefined) throw new Error(`${file} exports no ${name}`);
  return found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
}

/** The program has no errors of its own: a row that does not compile proves nothing. */
export function expectCompiled(program: ts.Program): void {
  const own = program
    .getSourceFiles()
    .filter(({ fileName }) => fileName.startsWith(`${root}virtual/`))
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]);
  expect(own.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
}
