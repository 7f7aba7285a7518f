import { ts } from 'ts-morph';

import type { Json } from '../../../util/json-schema.ts';
import type { AppFile } from '../../../model/app-files.ts';
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
  return writtenFiles.map(({ file, ...written }) => {
    if (file.isDeclarationFile) return written;
    const { path, contents } = written;
    const builtPath = path.replace(/^src\//, 'dist/').replace(/\.([mc]?)[jt]sx?$/, '.$1js');
    if (isJson(file)) return { ...written, built: { path: builtPath, contents } };
    const { outputText, sourceMapText: map } = ts.transpileModule(contents, {
      fileName: `/${path}`,
      compilerOptions: { ...makeTranspileOptions(source, /\.c[jt]s$/.test(path)), sourceMap },
    });
    const code = outputText.replace(/\/\/# sourceMappingURL=.*\n?$/, '');
    return { ...written, built: { path: builtPath, contents: code, ...omitUndefined({ map }) } };
  });
}

/** Options that the user turned off stay off. */
const STRICTNESS = [
  'noUnusedLocals',
  'noImplicitOverride',
  'noImplicitReturns',
  'noFallthroughCasesInSwitch',
  'noUncheckedIndexedAccess',
  'exactOptionalPropertyTypes',
  'erasableSyntaxOnly',
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
    module: isCommon ? ts.ModuleKind.CommonJS : ts.ModuleKind.ESNext,
    verbatimModuleSyntax: !isCommon,
    rewriteRelativeImportExtensions: true,
    ...omitUndefined({
      experimentalDecorators,
      emitDecoratorMetadata,
      useDefineForClassFields,
      jsxImportSource,
    }),
    ...(jsx && { jsx: jsx === ts.JsxEmit.React ? jsx : ts.JsxEmit.ReactJSX }),
  };
}
