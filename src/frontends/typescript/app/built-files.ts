import { ts } from 'ts-morph';

import type { Json } from '../../../../templates/runtime/contract/json-schema.ts';
import type { AppFile, BuiltAppFile } from '../../../model/app-files.ts';
import { omitUndefined } from '../../../util/collections.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { type Carried, isJson } from './carry.ts';

export interface WrittenFile extends Omit<AppFile, 'built'> {
  file: ts.SourceFile;
}

interface BuildOptions {
  maps: boolean;
  memory?: BuiltMemory | undefined;
}

export function addTranspiledFiles(
  written: readonly WrittenFile[],
  source: SourceProgram,
  { maps, memory = new BuiltMemory() }: BuildOptions,
): AppFile[] {
  const how = JSON.stringify({ ...makeTranspileOptions(source, false), maps });
  const isRun = written.filter(({ file }) => !file.isDeclarationFile);
  const isNew = isRun.filter((each) => memory.findBuilt(each, how) === undefined);
  const [json, code] = [isNew.filter(({ file }) => isJson(file)), isNew.filter(({ file }) => !isJson(file))];
  for (const each of json) memory.addBuilt(each, how, { contents: each.contents });
  for (const [each, built] of transpileByModuleKind(code, source, maps)) memory.addBuilt(each, how, built);
  return written.map((each) => {
    const { file, ...rest } = each;
    if (file.isDeclarationFile) return rest;
    return {
      ...rest,
      built: { path: toBuiltPath(each.path), ...assertTranspiled(memory.findBuilt(each, how), each.path) },
    };
  });
}

/** Files that are CommonJS by their name are transpiled separately. */
function transpileByModuleKind(
  files: readonly WrittenFile[],
  source: SourceProgram,
  sourceMap: boolean,
): [WrittenFile, Built][] {
  return [false, true].flatMap((isCommon) => {
    const some = files.filter(({ path }) => /\.c[jt]s$/.test(path) === isCommon);
    const texts = new Map(some.map(({ path, contents }) => [`/${path}`, contents]));
    if (texts.size === 0) return [];
    const made = transpileFiles(texts, { ...makeTranspileOptions(source, isCommon), sourceMap });
    return some.map((each): [WrittenFile, Built] => [
      each,
      assertTranspiled(made.get(`/${each.path}`), each.path),
    ]);
  });
}

function assertTranspiled(built: Built | undefined, path: string): Built {
  if (built === undefined) throw new Error(`TypeScript made nothing of ${path}.`);
  return built;
}

export function toBuiltPath(path: string): string {
  return path.replace(/^src\//, 'dist/').replace(/\.([mc]?)[jt]sx?$/, '.$1js');
}

type Built = Omit<BuiltAppFile, 'path'>;

/** The output depends only on a file's text and the options. */
export class BuiltMemory {
  readonly #kept = new Map<string, { contents: string; built: Built }>();

  /** @param how identifies all options that affect the output */
  findBuilt({ path, contents }: WrittenFile, how: string): Built | undefined {
    const kept = this.#kept.get(`${path} ${how}`);
    return kept?.contents === contents ? kept.built : undefined;
  }

  addBuilt({ path, contents }: WrittenFile, how: string, built: Built): void {
    this.#kept.set(`${path} ${how}`, { contents, built });
  }
}

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
  const made = new Map<string, Built>();
  program.emit(undefined, (name, text, _bom, _onError, sources) => {
    const [source] = sources ?? [];
    if (source === undefined) return;
    const built = made.get(source.fileName) ?? { contents: '' };
    made.set(source.fileName, built);
    if (name.endsWith('.map')) built.map = text;
    else built.contents = removeSourceMapLink(text);
  });
  return made;
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
