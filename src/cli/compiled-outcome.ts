import type { Flags } from '../config/options/option-types.ts';
import { join } from 'node:path';
import { readProject } from '../project/existing-project.ts';
import { checkOrigins } from '../project/check-origins.ts';
import { compile } from '../api/compile.ts';
import type { CompileOptions } from '../api/options.ts';
import { type Diagnostic, DiagnosticCollector } from '../diagnostics/collector.ts';
import type { ServerModel } from '../model/server-model.ts';
import { type Outcome, outcomeFrom } from './outcome.ts';
import type { ServedModel } from '../serve/serve-model.ts';

export interface Compiled {
  outcome: Outcome;
  served?: ServedModel;
}

/** Compiles a server that runs without a project. */
export async function compiledOutcome(options: CompileOptions, flags: Flags): Promise<Compiled> {
  const { model, app, texts, diagnostics: found } = await compile(options);
  const origins = model === undefined ? [] : await originProblems(model, options, flags);
  const outcome = await outcomeFrom([...found, ...origins], texts);
  if (model === undefined || origins.some(({ severity }) => severity === 'error')) return { outcome };
  return { outcome, served: { model, app: app?.({ maps: true, inPlace: true }) } };
}

/** Checks origins against the lock of the project. A base URL on the command line is accepted. */
async function originProblems(
  model: ServerModel,
  options: CompileOptions,
  { baseUrl }: Flags,
): Promise<Diagnostic[]> {
  const { dir, beside } = options;
  if (dir === undefined && beside === undefined) return [];
  const diagnostics = new DiagnosticCollector();
  const consent = baseUrl === undefined ? {} : { acceptOrigins: [new URL(baseUrl).origin] };
  const project = await readProject(dir ?? join(beside ?? '', model.name), options.cwd);
  checkOrigins(model, project, { ...options, ...consent }, diagnostics);
  return diagnostics.found.filter(({ severity }) => severity !== 'info');
}
