/** Options of the user's tsconfig.json that go with the code. */
import { ts } from 'ts-morph';
import type { Json } from '../../../../templates/runtime/schema/json-schema.ts';
import type { Carried } from './carry.ts';
import type { SourceProgram } from '../program/source-program.ts';

/** How strictly the code is written. What the user leaves off stays off. */
const STRICTNESS = [
  'noUnusedLocals',
  'noImplicitOverride',
  'noImplicitReturns',
  'noFallthroughCasesInSwitch',
  'noUncheckedIndexedAccess',
  'exactOptionalPropertyTypes',
] as const;

/** What else the code may have been written for. Taken over where it is set. */
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
  const { lib } = options;
  if (lib !== undefined) kept['lib'] = lib.map((file) => file.replace(/^lib\.|\.d\.ts$/g, ''));
  for (const name of STRICTNESS) kept[name] = options[name] === true;
  for (const name of OTHERS) {
    const value = options[name];
    if (typeof value === 'boolean' || typeof value === 'string') kept[name] = value;
  }
  if (options.jsx !== undefined) kept['jsx'] = options.jsx === ts.JsxEmit.React ? 'react' : 'react-jsx';
  if (files.some(({ fileName }) => /\.[mc]?jsx?$/.test(fileName))) kept['allowJs'] = true;
  if (files.some(({ fileName }) => fileName.endsWith('.json'))) kept['resolveJsonModule'] = true;
  // There, modules are loaded in another way than they are written.
  if (files.some((file) => layout.pathOf(file).endsWith('.cts'))) kept['verbatimModuleSyntax'] = false;
  return kept;
}

/** What `npm run build` does with a file; `isCommon`: with one that is a CommonJS module by its name. */
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
    ...(experimentalDecorators === undefined ? {} : { experimentalDecorators }),
    ...(emitDecoratorMetadata === undefined ? {} : { emitDecoratorMetadata }),
    ...(useDefineForClassFields === undefined ? {} : { useDefineForClassFields }),
    ...(jsx === undefined ? {} : { jsx: jsx === ts.JsxEmit.React ? jsx : ts.JsxEmit.ReactJSX }),
    ...(jsxImportSource === undefined ? {} : { jsxImportSource }),
  };
}
