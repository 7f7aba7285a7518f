/** How the project is compiled by `npm run build`. */
import type { Json } from '../../templates/runtime/contract/json-schema.ts';
import type { AppFiles } from '../model/app-files.ts';

const OPTIONS: Readonly<Record<string, Json>> = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: ['node'],
  rootDir: '.',
  // src/runtime/build.mjs moves it to dist/, which stays as it is where the code has an error.
  outDir: 'dist/.build',
  noEmitOnError: true,
  sourceMap: true,
  strict: true,
  noUnusedLocals: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
  forceConsistentCasingInFileNames: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
};

/** The user's own code keeps the options that it is written for. */
export function compilerOptions(app: AppFiles | undefined): Record<string, Json> {
  if (app === undefined) return OPTIONS;
  const options: Record<string, Json> = { ...OPTIONS, ...app.compilerOptions };
  if (!app.isErasable) delete options['erasableSyntaxOnly'];
  return options;
}
