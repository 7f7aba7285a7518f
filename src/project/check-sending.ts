/**
 * The one check before a command sends requests of a server: they go to origins that its lock accepts, and carry no variable of the
 * environment that nobody has accepted. A document by somebody else could send any variable anywhere, and with `--no-code` so could
 * a configuration.
 */
import { join } from 'node:path';
import { type Bindings, listApis } from '../model/bindings.ts';
import { listHeaderVariables } from '../util/http-syntax.ts';
import { type Permissions, formatConsentOption } from '../config/options/permissions.ts';
import type { RememberedOptions } from '../config/options/make-config.ts';
import { CONFIG_FILE } from '../config/options/project-config.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import { quoteShellWord } from '../diagnostics/quoting.ts';
import { type CredentialOrigins, originsOfBindings, originsOfModel } from '../model/credential-origins.ts';
import type { ServerModel } from '../model/server-model.ts';
import { type OriginOptions, checkOrigins, readAcceptedOrigins } from './check-origins.ts';
import { type ExistingProject, readProject } from './existing-project.ts';
import { findProjectsOfSources } from './project-sources.ts';

/** Consent of the person who runs the command. */
export type SendingConsent = Pick<Permissions, 'allowEnv' | 'command' | 'noCode'> & {
  /** The base URL on the command line. */
  baseUrl?: string | undefined;
};

interface SendingOptions extends OriginOptions, RememberedOptions {
  dir?: string | undefined;
  beside?: string | undefined;
}

/**
 * Checks a server that was just compiled, by the lock of its project, or by those of the projects beside that have the same source:
 * one that accepts all is enough. Without a project no origin has been accepted or refused yet. Returns the line that says which
 * variables are sent because the configuration alone names them.
 */
export async function checkSendingOfModel(
  model: ServerModel,
  options: SendingOptions,
  consent: SendingConsent,
  diagnostics: DiagnosticCollector,
): Promise<string | undefined> {
  const { dir, beside, cwd, tools = {} } = options;
  const folder = dir ?? (beside && join(beside, model.name.split('/').at(-1) ?? model.name));
  const configuredProject = folder === undefined ? undefined : await readProject(folder, cwd);
  const isLocked = configuredProject?.lock !== undefined;
  const projectsBeside = isLocked ? [] : await findProjectsOfSources(options);
  const rules = Object.values(tools).flatMap((tool) => Object.values(tool.arguments ?? {}));
  const headerVariables = [...listApis(model), ...Object.values(tools)].flatMap(({ headers }) =>
    listHeaderVariables(headers),
  );
  const requests = {
    origins: originsOfModel(model),
    variables: [...new Set([...headerVariables, ...listArgumentVariables(model)])],
    configuredVariables: [...headerVariables, ...rules.flatMap(({ env }) => env ?? [])],
  };
  const projects = projectsBeside.length > 0 ? projectsBeside : [configuredProject];
  const checks = projects.map((project) => {
    const problems = new DiagnosticCollector();
    return { problems, line: checkRequests(requests, project, options, consent, problems) };
  });
  const [check] = [...checks.filter(({ problems }) => !problems.hasErrors), ...checks];
  if (check) diagnostics.include(check.problems);
  return check?.line;
}

/** Checks a project as it was generated. */
export async function checkSendingOfBindings(
  bindings: Bindings,
  root: string,
  consent: SendingConsent,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  const requests = { origins: originsOfBindings(bindings), variables: listArgumentVariables(bindings) };
  checkRequests(requests, await readProject(root), {}, consent, diagnostics);
}

interface Requests {
  origins: CredentialOrigins;
  /** The variables that requests carry as an argument or a header. */
  variables: string[];
  /** The variables among them that the configuration names, not the document. */
  configuredVariables?: string[];
}

function checkRequests(
  { origins, variables, configuredVariables = [] }: Requests,
  project: ExistingProject | undefined,
  options: OriginOptions,
  { allowEnv = [], command, noCode = false, baseUrl }: SendingConsent,
  diagnostics: DiagnosticCollector,
): string | undefined {
  const acceptOrigins = baseUrl === undefined ? [] : [new URL(baseUrl).origin];
  const acceptedOrigins = project?.lock && readAcceptedOrigins(project)?.origins;
  const pairs = new Map(Object.entries(acceptedOrigins ?? {}));
  const originsByVariable = new Map(Object.entries(origins));
  const listOrigins = (name: string): string[] => originsByVariable.get(name) ?? [];
  const isInLock = (name: string): boolean =>
    listOrigins(name).length > 0 && listOrigins(name).every((origin) => pairs.get(name)?.includes(origin));
  const open = variables.filter((name) => !allowEnv.includes(name) && !isInLock(name));
  const configured = open.filter((name) => configuredVariables.includes(name));
  const refuse = (by: 'document' | 'configuration', names: readonly string[]): void => {
    if (names.length === 0) return;
    const consent = formatConsentOption('--allow-env', names, command);
    const list = names.join(',');
    diagnostics.report('variable-in-request', { by, names: names.join(' and '), list, consent });
  };
  refuse(
    'document',
    open.filter((name) => !configured.includes(name)),
  );
  if (noCode) refuse('configuration', configured);
  if (project !== undefined) {
    const { dir, lock } = project;
    const file = join(dir, lock?.configuration ?? CONFIG_FILE);
    const { owner = { file, command: `mcpgen generate ${quoteShellWord(dir)}` } } = options;
    checkOrigins(origins, project, { ...options, owner, acceptOrigins }, diagnostics);
  }
  if (noCode || configured.length === 0) return undefined;
  const receivers = [...new Set(configured.flatMap(listOrigins))];
  return `sends ${configured.join(', ')} to ${receivers.join(', ') || 'the API'}`;
}

function listArgumentVariables(server: Parameters<typeof listApis>[0]): string[] {
  return listApis(server).flatMap(({ argumentVariables = {} }) => Object.keys(argumentVariables));
}
