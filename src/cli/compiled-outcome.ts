import type { Flags } from '../config/options/option-types.ts';
import { join } from 'node:path';
import { readProject } from '../project/existing-project.ts';
import { checkOrigins } from '../project/check-origins.ts';
import { compile } from '../api/compile.ts';
import type { CompileOptions } from '../api/options.ts';
import { type Diagnostic, DiagnosticCollector } from '../diagnostics/collector.ts';
import { listApis } from '../../templates/runtime/contract/bindings.ts';
import type { ToolRules } from '../config/options/argument-rules.ts';
import { isDocument } from '../config/options/sources.ts';
import { formatConsentOption, type Permissions } from '../config/options/permissions.ts';
import type { ServerModel } from '../model/server-model.ts';
import { readPermissions } from './compile-options.ts';
import type { Host } from './host.ts';
import { type Outcome, outcomeOfDiagnostics } from './outcome.ts';
import type { ServedModel } from '../serve/serve-model.ts';

export interface Compiled {
  outcome: Outcome;
  served?: ServedModel;
}

/** Compiles a server that runs without a project. */
export async function compileForServing(
  options: CompileOptions,
  flags: Flags,
  host: Host,
): Promise<Compiled> {
  const { model, app, texts, diagnostics: found } = await compile(options);
  const origins = model === undefined ? [] : await checkLockedOrigins(model, options, flags, host);
  const outcome = await outcomeOfDiagnostics([...found, ...origins], texts);
  if (model === undefined || origins.some(({ severity }) => severity === 'error')) return { outcome };
  return { outcome, served: { model, app: app?.({ maps: true, inPlace: true }) } };
}

/** Checks origins against the lock of the project, if there is one. A base URL on the command line is accepted. */
async function checkLockedOrigins(
  model: ServerModel,
  options: CompileOptions,
  flags: Flags,
  host: Host,
): Promise<Diagnostic[]> {
  const { dir, beside } = options;
  const { baseUrl } = flags;
  const diagnostics = new DiagnosticCollector();
  const folder = dir ?? (beside === undefined ? undefined : join(beside, model.name));
  const project = folder === undefined ? undefined : await readProject(folder, options.cwd);
  if (project?.lock === undefined)
    reportUnreviewedVariables(model, options, readPermissions(flags, host), diagnostics);
  const consent = baseUrl === undefined ? {} : { acceptOrigins: [new URL(baseUrl).origin] };
  if (project !== undefined) checkOrigins(model, project, { ...options, ...consent }, diagnostics);
  return diagnostics.found.filter(({ severity }) => severity !== 'info');
}

/** Without a lock nobody has reviewed which variables the document sends as arguments. */
function reportUnreviewedVariables(
  model: ServerModel,
  { tools = {}, sources = [] }: CompileOptions,
  { allowEnv = [], command }: Permissions,
  diagnostics: DiagnosticCollector,
): void {
  const ruled = [tools, ...sources.filter(isDocument).map((source) => source.tools ?? {})];
  const rules = ruled
    .flatMap(Object.values<ToolRules>)
    .flatMap((tool) => Object.values(tool.arguments ?? {}));
  const allowed = new Set([...allowEnv, ...rules.map(({ env }) => env)]);
  const sent = listApis(model).flatMap(({ argumentVariables = {} }) => Object.keys(argumentVariables));
  const asked = sent.filter((name) => !allowed.has(name));
  if (asked.length === 0) return;
  const names = asked.join(' and ');
  const consent = formatConsentOption('--allow-env', asked, command);
  diagnostics.report('variable-as-argument', { names, list: asked.join(','), consent });
}
