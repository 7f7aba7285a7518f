import { ts } from 'ts-morph';

import type { Json } from '../../../util/json-schema.ts';
import type { AppFile, BuiltAppFile } from '../../../model/app-files.ts';
import { omitUndefined } from '../../../util/collections.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type Carried, isJson } from './carry.ts';

export interface WrittenFile extends Omit<AppFile, 'built'> {
  file: ts.SourceFile;
}

export function addTranspiledFiles(
  writtenFiles: readonly WrittenFile[],
  source: SourceProgram,
  sourceMap: boolean,
): AppFile[] {
  const code = writtenFiles.filter(({ file }) => !file.isDeclarationFile && !isJson(file));
  const builtFiles = new Map<string, Built>();
  // Files that are CommonJS by their name are transpiled separately.
  for (const isCommon of [false, true]) {
    const files = code.filter(({ path }) => /\.c[jt]s$/.test(path) === isCommon);
    if (files.length === 0) continue;
    const texts = new Map(files.map(({ path, contents }) => [`/${path}`, contents]));
    const options = { ...makeTranspileOptions(source, isCommon), sourceMap };
    for (const [path, built] of transpileFiles(texts, options)) builtFiles.set(path, built);
  }
  return writtenFiles.map(({ file, ...rest }) => {
    const { path, contents } = rest;
    if (file.isDeclarationFile) return rest;
    return { ...rest, built: { path: toBuiltPath(path), contents, ...builtFiles.get(`/${path}`) } };
  });
}

function toBuiltPath(path: string): string {
  return path.replace(/^src\//, 'dist/').replace(/\.([mc]?)[jt]sx?$/, '.$1js');
}

type Built = Omit<BuiltAppFile, 'path'>;

/**
 * One program transpiles many files, since a program costs more than a file. Each is transpiled alone, as
 * `ts.transpileModule` does.
 */
function transpileFiles(texts: ReadonlyMap<string, string>, options: ts.CompilerOptions): Map<string, Built> {
  const program = ts.createProgram({
    rootNames: [...texts.keys()],
    options: { ...options, ...ALONE },
    host: makeHost(texts, options.module),
  });
  const builtByPath = new Map<string, Built>();
  program.emit(undefined, (name, text, _bom, _onError, sources) => {
    const [source] = sources ?? [];
    if (source === undefined) return;
    const built = builtByPath.get(source.fileName) ?? { contents: '' };
    builtByPath.set(source.fileName, built);
    if (name.endsWith('.map')) built.map = text;
    else built.contents = removeSourceMapLink(text);
  });
  return builtByPath;
}

function removeSourceMapLink(code: string): string {
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

/** Options that the user turned off stay off. */
const STRICTNESS = [
  'noUnusedLocals',
  'noImplicitOverride',
  'noImplicitReturns',
  'noFallthroughCasesInSwitch',
  'noUncheckedIndexedAccess',
  'exactOptionalPropertyTypes',
] as const;

/** The code may depend on these options, so they are copied where they are set. */
const OTHERS = [
  'strict',
  'strictNullChecks',
  'noImplicitAny',
  'noImplicitThis',
  'strictFunctionTypes',
  'strictBindCallApply',
  'strictPropertyInitialization',
  'strictBuiltinIteratorReturn',
  'useUnknownInCatchVariables',
  'experimentalDecorators',
  'emitDecoratorMetadata',
  'useDefineForClassFields',
  'jsxImportSource',
] as const;

export function optionsToKeep(
  { program }: SourceProgram,
  { files, layout }: Pick<Carried, 'files' | 'layout'>,
): Record<string, Json> {
  const options = program.getCompilerOptions();
  const kept: Record<string, Json> = {};
  if (options.lib !== undefined) kept['lib'] = addRuntimeLibrary(options.lib);
  for (const name of STRICTNESS) kept[name] = options[name] === true;
  for (const name of OTHERS) {
    const value = options[name];
    if (typeof value === 'boolean' || typeof value === 'string') kept[name] = value;
  }
  // Without strict null checks, `null` and `[]` become `any`, in the runtime too.
  if ((options.strictNullChecks ?? options.strict) === false) kept['noImplicitAny'] = false;
  if (options.jsx !== undefined) kept['jsx'] = options.jsx === ts.JsxEmit.React ? 'react' : 'react-jsx';
  if (files.some(({ fileName }) => /\.[mc]?jsx?$/.test(fileName))) kept['allowJs'] = true;
  if (files.some(({ fileName }) => fileName.endsWith('.json'))) kept['resolveJsonModule'] = true;
  // CommonJS files may be written with `import`.
  if (files.some((file) => layout.pathOf(file).endsWith('.cts'))) kept['verbatimModuleSyntax'] = false;
  return kept;
}

/** The runtime is compiled with the same options, so its own library is added. */
function addRuntimeLibrary(lib: readonly string[]): string[] {
  const names = lib.map((file) => file.replace(/^lib\.|\.d\.ts$/g, ''));
  const hasOwn = names.some((name) => OWN_OR_NEWER.test(name));
  return hasOwn ? names : [...names, 'es2023'];
}

const OWN_OR_NEWER = /^es(?:2023|2024|2025|next)(?:\.full)?$/;

function makeTranspileOptions({ program }: SourceProgram, isCommon: boolean): ts.CompilerOptions {
  const { experimentalDecorators, emitDecoratorMetadata, useDefineForClassFields, jsx, jsxImportSource } =
    program.getCompilerOptions();
  return {
    target: ts.ScriptTarget.ES2023,
    module: isCommon ? ts.ModuleKind.CommonJS : ts.ModuleKind.NodeNext,
    verbatimModuleSyntax: !isCommon,
    isolatedModules: true,
    rewriteRelativeImportExtensions: true,
    allowImportingTsExtensions: true,
    ...omitUndefined({
      experimentalDecorators,
      emitDecoratorMetadata,
      useDefineForClassFields,
      jsxImportSource,
    }),
    ...(jsx && { jsx: jsx === ts.JsxEmit.React ? jsx : ts.JsxEmit.ReactJSX }),
  };
}
