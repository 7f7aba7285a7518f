/** All kinds of problems, by their permanent names. Codes are grouped by stages of the pipeline. */

import { configurationDiagnostics } from './registry/configuration.ts';
import { deriveDiagnostics } from './registry/derive.ts';
import { functionDiagnostics } from './registry/functions.ts';
import { installDiagnostics } from './registry/install.ts';
import { lintDiagnostics } from './registry/lint.ts';
import { loadDiagnostics } from './registry/load.ts';
import { openapiDiagnostics } from './registry/openapi.ts';
import { publishingDiagnostics } from './registry/publishing.ts';
import { schemaDiagnostics } from './registry/schema.ts';
import { librarySchemaDiagnostics } from './registry/library-schemas.ts';
import { typescriptDiagnostics } from './registry/typescript.ts';
import { usageDiagnostics } from './registry/usage.ts';
import { writeDiagnostics } from './registry/write.ts';

export const registry = {
  ...loadDiagnostics,
  ...openapiDiagnostics,
  ...schemaDiagnostics,
  ...functionDiagnostics,
  ...deriveDiagnostics,
  ...writeDiagnostics,
  ...usageDiagnostics,
  ...configurationDiagnostics,
  ...typescriptDiagnostics,
  ...librarySchemaDiagnostics,
  ...lintDiagnostics,
  ...installDiagnostics,
  ...publishingDiagnostics,
};

export type DiagnosticName = keyof typeof registry;

/** `infer` would intersect the parameters of several names, which takes the type check minutes. */
export type ParametersOf<N extends DiagnosticName> = Parameters<(typeof registry)[N]['message']>[0];
