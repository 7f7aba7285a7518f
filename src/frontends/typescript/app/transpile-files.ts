/** Transpiles many files in one program, since each program costs more than a file. */
import { ts } from 'ts-morph';

/** Works like `ts.transpileModule`: each file alone, without resolution or checks. Other file types are left out. */
export function transpileFiles(
  texts: ReadonlyMap<string, string>,
  options: ts.CompilerOptions,
): Map<string, Transpiled> {
  const program = ts.createProgram({
    rootNames: [...texts.keys()],
    options: { ...options, ...ALONE },
    host: makeHost(texts, options.module),
  });
  const made = new Map<string, Transpiled>();
  program.emit(undefined, (name, text, _bom, _onError, sources) => {
    const [source] = sources ?? [];
    if (source === undefined) return;
    const built = made.get(source.fileName) ?? { contents: '' };
    made.set(source.fileName, built);
    if (name.endsWith('.map')) built.map = text;
    else built.contents = withoutMap(text);
  });
  return made;
}

export interface Transpiled {
  contents: string;
  map?: string;
}

/** The map is a separate file. */
function withoutMap(code: string): string {
  return code.replace(/\/\/# sourceMappingURL=.*\n?$/, '');
}

const ALONE: ts.CompilerOptions = {
  isolatedModules: true,
  noCheck: true,
  noLib: true,
  noResolve: true,
  allowJs: true,
  suppressOutputPathCheck: true,
  outDir: '/built',
  rootDir: '/',
  types: [],
  noEmit: false,
};

function makeHost(texts: ReadonlyMap<string, string>, module: ts.ModuleKind | undefined): ts.CompilerHost {
  const impliedNodeFormat = module === ts.ModuleKind.CommonJS ? module : ts.ModuleKind.ESNext;
  return {
    getSourceFile: (name, how) => {
      const text = texts.get(name);
      return text === undefined
        ? undefined
        : ts.createSourceFile(name, text, {
            ...(typeof how === 'object' ? how : { languageVersion: how }),
            impliedNodeFormat,
            jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
          });
    },
    fileExists: (name) => texts.has(name),
    readFile: (name) => texts.get(name),
    writeFile: () => undefined,
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: () => 'lib.d.ts',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    directoryExists: () => true,
    getDirectories: () => [],
  };
}
