/**
 * The one check before a command sends requests of a server: they go to origins that its lock accepts, and carry no variable as an
 * argument that nobody has accepted. A document by somebody else could send any variable of the environment anywhere.
 */
import { join } from 'node:path';
import { type Bindings, listApis } from '../../templates/runtime/contract/bindings.ts';
import type { ToolRules } from '../config/options/argument-rules.ts';
import { type Permissions, formatConsentOption } from '../config/options/permissions.ts';
import { type SourceInput, isDocument } from '../config/options/sources.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type CredentialOrigins, originsOfBindings, originsOfModel } from '../model/credential-origins.ts';
import type { ServerModel } from '../model/server-model.ts';
import { type OriginOptions, checkOrigins, readAcceptedOrigins } from './check-origins.ts';
import { type ExistingProject, readProject } from './existing-project.ts';

/** Consent of the person who runs the command. */
export type SendingConsent = Pick<Permissions, 'allowEnv' | 'command'> & {
  /** The base URL on the command line. */
  baseUrl?: string | undefined;
};

interface SendingOptions extends OriginOptions {
  dir?: string | undefined;
  beside?: string | undefined;
  cwd?: string | undefined;
  tools?: Record<string, ToolRules> | undefined;
  sources?: SourceInput[] | undefined;
}

/** Checks a server that was just compiled. Its project may not exist; then no origin has been accepted or refused yet. */
export async function checkSendingOfModel(
  model: ServerModel,
  options: SendingOptions,
  consent: SendingConsent,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  const { dir, beside, cwd, tools = {}, sources = [] } = options;
  const folder = dir ?? (beside && join(beside, model.name.split('/').at(-1) ?? model.name));
  const project = folder === undefined ? undefined : await readProject(folder, cwd);
  const ruled = [tools, ...sources.filter(isDocument).map((source) => source.tools ?? {})];
  const rules = ruled
    .flatMap(Object.values<ToolRules>)
    .flatMap((tool) => Object.values(tool.arguments ?? {}));
  const ownVariables = rules.flatMap(({ env }) => env ?? []);
  checkRequests(
    { origins: originsOfModel(model), argumentVariables: listArgumentVariables(model), ownVariables },
    project,
    options,
    consent,
    diagnostics,
  );
}

/** Checks a project as it was generated. */
export async function checkSendingOfBindings(
  bindings: Bindings,
  root: string,
  consent: SendingConsent,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  const requests = {
    origins: originsOfBindings(bindings),
    argumentVariables: listArgumentVariables(bindings),
  };
  checkRequests(requests, await readProject(root), {}, consent, diagnostics);
}

interface Requests {
  origins: CredentialOrigins;
  argumentVariables: string[];
  /** Variables that rules of the person's own configuration make arguments. */
  ownVariables?: string[];
}

function checkRequests(
  { origins, argumentVariables, ownVariables = [] }: Requests,
  project: ExistingProject | undefined,
  options: OriginOptions,
  { allowEnv = [], command, baseUrl }: SendingConsent,
  diagnostics: DiagnosticCollector,
): void {
  const acceptOrigins = baseUrl === undefined ? [] : [new URL(baseUrl).origin];
  const acceptedOrigins = project?.lock && readAcceptedOrigins(project)?.origins;
  const pairs = new Map(Object.entries(acceptedOrigins ?? {}));
  const isInLock = (name: string): boolean =>
    acceptedOrigins !== undefined &&
    (new Map(Object.entries(origins)).get(name) ?? []).every((origin) => pairs.get(name)?.includes(origin));
  const refused = argumentVariables.filter(
    (name) => !allowEnv.includes(name) && !ownVariables.includes(name) && !isInLock(name),
  );
  if (refused.length > 0)
    diagnostics.report('variable-in-request', {
      receiver: 'API',
      names: refused.join(' and '),
      list: refused.join(','),
      consent: formatConsentOption('--allow-env', refused, command),
    });
  if (project !== undefined) checkOrigins(origins, project, { ...options, acceptOrigins }, diagnostics);
}

function listArgumentVariables(server: Parameters<typeof listApis>[0]): string[] {
  return listApis(server).flatMap(({ argumentVariables = {} }) => Object.keys(argumentVariables));
}
