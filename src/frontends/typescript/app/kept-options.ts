/** Selects the tsconfig.json options that the emitted project keeps. */
import { ts } from 'ts-morph';
import type { Json } from '../../../../templates/runtime/contract/json-schema.ts';
import type { Carried } from './carry.ts';
import type { SourceProgram } from '../program/source-program.ts';
import { definedMembers } from '../../../util/defined-members.ts';

/** Strictness options. Options that the user turned off stay off. */
const STRICTNESS = [
  'noUnusedLocals',
  'noImplicitOverride',
  'noImplicitReturns',
  'noFallthroughCasesInSwitch',
  'noUncheckedIndexedAccess',
  'exactOptionalPropertyTypes',
] as const;

/** Other options that the code may depend on. They are copied where they are set. */
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

export function keptOptions(
  { program }: SourceProgram,
  { files, layout }: Pick<Carried, 'files' | 'layout'>,
): Record<string, Json> {
  const options = program.getCompilerOptions();
  const kept: Record<string, Json> = {};
  if (options.lib !== undefined) kept['lib'] = withOwn(options.lib);
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
function withOwn(lib: readonly string[]): string[] {
  const names = lib.map((file) => file.replace(/^lib\.|\.d\.ts$/g, ''));
  const hasOwn = names.some((name) => OWN_OR_NEWER.test(name));
  return hasOwn ? names : [...names, 'es2023'];
}

const OWN_OR_NEWER = /^es(?:2023|2024|2025|next)(?:\.full)?$/;

/** The options of `npm run build`. `isCommon`: for files that are CommonJS modules by their name. */
export function transpileOptions({ program }: SourceProgram, isCommon: boolean): ts.CompilerOptions {
  const { experimentalDecorators, emitDecoratorMetadata, useDefineForClassFields, jsx, jsxImportSource } =
    program.getCompilerOptions();
  return {
    target: ts.ScriptTarget.ES2023,
    module: isCommon ? ts.ModuleKind.CommonJS : ts.ModuleKind.NodeNext,
    verbatimModuleSyntax: !isCommon,
    isolatedModules: true,
    rewriteRelativeImportExtensions: true,
    allowImportingTsExtensions: true,
    ...definedMembers({
      experimentalDecorators,
      emitDecoratorMetadata,
      useDefineForClassFields,
      jsxImportSource,
    }),
    ...(jsx && { jsx: jsx === ts.JsxEmit.React ? jsx : ts.JsxEmit.ReactJSX }),
  };
}
