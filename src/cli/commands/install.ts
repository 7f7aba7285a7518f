/** `mcpgen install` and `mcpgen uninstall`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readFileIfAny } from '../../util/read-file.ts';
import {
  INSTALL_CLIENT_NAMES,
  type InstallClientName,
  findEntryNameProblem,
} from '../../config/options/install-options.ts';
import type { Flags } from '../../config/options/option-types.ts';
import { DiagnosticCollector, DiagnosticError } from '../../diagnostics/collector.ts';
import {
  type PlannedChange,
  configPath,
  applyPlannedChange,
  planInstall,
  planRemoval,
  printEntry,
} from '../../install/change-config.ts';
import { readBindings, listUnsetBaseUrls } from '../../doctor/check-network.ts';
import { INSTALL_CLIENTS } from '../../install/clients.ts';
import { type BuiltProject, readBuiltProject } from '../../project/built-project.ts';
import { omitUndefined } from '../../util/collections.ts';
import type { Host } from '../host.ts';
import { findProject, reportNoProject } from '../configured-project.ts';
import { readMachine, shortenPath } from '../machine.ts';
import { type Outcome, outcomeWithoutSource } from '../outcome.ts';
import { printCommandLine } from '../compile-options.ts';
import { baseUrlHint, quoteShellWord, printablePath } from '../words.ts';

export async function installServer(
  dir: string,
  options: readonly string[],
  flags: Flags,
  host: Host,
): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const { url, entryVariables = [], dryRun: isDryRun = false } = flags;
  const project = await findProject(dir, 'mcpgen install', flags, host, diagnostics);
  if (project === undefined) {
    reportNoProject(dir, 'mcpgen install', host.cwd, diagnostics);
    return outcomeWithoutSource(diagnostics);
  }
  if (url === undefined && !project.isBuilt) {
    const file = printablePath(join(project.dir, 'dist/main.js'));
    diagnostics.report('project-not-built', { file, dir: quoteShellWord(printablePath(project.dir)) });
  }
  const clients = chooseClients('install', flags, host, diagnostics);
  const name = flags.name ?? project.name;
  reportUnfitName(name, diagnostics);
  if (diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  const wish = { options, url, variables: entryVariables };
  const plans = planChanges(clients, diagnostics, (client) =>
    planInstall(project, makeEntryOptions(client, name, flags, host), wish, diagnostics),
  );
  if (plans === undefined) return outcomeWithoutSource(diagnostics);
  if (isDryRun) return makeEntriesOutcome(plans, diagnostics, host);
  const outcome = await applyChanges(plans, diagnostics, host);
  const restarts = plans
    .filter(({ action }) => action !== 'unchanged')
    .map(({ client }) => `  Next, ${INSTALL_CLIENTS[client].title}: ${INSTALL_CLIENTS[client].next}\n`);
  return {
    ...outcome,
    next:
      describeMissingSettings(project, options, flags) + describeProgram(project, flags) + restarts.join(''),
  };
}

export async function uninstallServer(dir: string, flags: Flags, host: Host): Promise<Outcome> {
  const diagnostics = new DiagnosticCollector();
  const command = 'mcpgen uninstall';
  // The name alone is enough, so no project is looked for elsewhere.
  const project =
    flags.name === undefined
      ? await findProject(dir, command, flags, host, diagnostics)
      : await readBuiltProject(dir, host.cwd);
  const name = flags.name ?? project?.name;
  if (name === undefined) reportNoProject(dir, command, host.cwd, diagnostics);
  else reportUnfitName(name, diagnostics);
  const clients = chooseClients('uninstall', flags, host, diagnostics);
  if (name === undefined || diagnostics.hasErrors) return outcomeWithoutSource(diagnostics);
  const plans = planChanges(clients, diagnostics, (client) =>
    planRemoval(project, makeEntryOptions(client, name, flags, host), flags.url),
  );
  return plans === undefined ? outcomeWithoutSource(diagnostics) : applyChanges(plans, diagnostics, host);
}

function makeEntryOptions(client: InstallClientName, name: string, flags: Flags, host: Host) {
  const { scope = 'user', force = false } = flags;
  const command = printCommandLine(host);
  return { client, scope, name, replaces: force, cwd: host.cwd, machine: readMachine(host), command };
}

/** Plans all changes, or none if one of them cannot be made. */
function planChanges(
  clients: readonly InstallClientName[],
  diagnostics: DiagnosticCollector,
  one: (client: InstallClientName) => PlannedChange,
): PlannedChange[] | undefined {
  const plans: PlannedChange[] = [];
  for (const client of clients)
    try {
      plans.push(one(client));
    } catch (error) {
      addProblems(error, diagnostics);
    }
  return diagnostics.hasErrors ? undefined : plans;
}

/** Other errors are bugs. */
function addProblems(error: unknown, diagnostics: DiagnosticCollector): void {
  if (!(error instanceof DiagnosticError)) throw error;
  error.diagnostics.forEach((diagnostic) => diagnostics.add(diagnostic));
}

function chooseClients(
  command: 'install' | 'uninstall',
  { installClient = [] }: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
): InstallClientName[] {
  if (installClient.length > 0) return [...new Set(installClient)];
  const machine = readMachine(host);
  const presentClients = INSTALL_CLIENT_NAMES.filter((id) => {
    const path = configPath(INSTALL_CLIENTS[id], 'user', machine, host.cwd);
    return path !== undefined && existsSync(path);
  });
  const clients = presentClients.length === 0 ? 'none' : presentClients.join(', ');
  diagnostics.report('invalid-usage', {
    problem: 'no client is named',
    suggestion: ` Found on this machine: ${clients}. Name one or several: --client claude-code,cursor`,
    command: `mcpgen ${command}`,
  });
  return [];
}

/** The name in package.json may be any text, and becomes an argument of a client's command. */
function reportUnfitName(name: string, diagnostics: DiagnosticCollector): void {
  const problem = findEntryNameProblem(name);
  if (problem === undefined) return;
  const expected = `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
  diagnostics.report('invalid-option', { option: '--name', value: name, expected });
}

/** Makes the outcome of `--dry-run`. Each of several entries has a comment that names its file; a single one is printed alone. */
function makeEntriesOutcome(
  plans: readonly PlannedChange[],
  diagnostics: DiagnosticCollector,
  host: Host,
): Outcome {
  const texts = plans.map((plan) => printEntry(plan));
  const labels = plans.map(({ client, file }) => ({
    mark: INSTALL_CLIENTS[client].format === 'toml' ? '#' : '//',
    words: `${shortenPath(file.path, host)} (${INSTALL_CLIENTS[client].title})`,
  }));
  const isOne = plans.length === 1;
  return {
    ...outcomeWithoutSource(diagnostics),
    result: { changes: plans.map((plan, at) => ({ ...changeAsJson(plan), text: texts[at] })) },
    text: isOne
      ? texts.join('')
      : labels.map(({ mark, words }, at) => `${mark} ${words}\n${texts[at] ?? ''}`).join('\n'),
    next: isOne ? labels.map(({ words }) => `  Belongs into ${words}.\n`).join('') : '',
  };
}

const WORDS: Record<PlannedChange['action'], string> = {
  added: 'added to',
  updated: 'updated in',
  unchanged: 'is in',
  removed: 'removed from',
  absent: 'is not in',
};

async function applyChanges(
  plans: readonly PlannedChange[],
  diagnostics: DiagnosticCollector,
  host: Host,
): Promise<Outcome> {
  const lines: string[] = [];
  const changes: object[] = [];
  for (const plan of plans) {
    let backup = '';
    try {
      ({ backup = '' } = await applyPlannedChange(plan));
    } catch (error) {
      addProblems(error, diagnostics);
      continue;
    }
    const { title } = INSTALL_CLIENTS[plan.client];
    const backupNote = backup === '' ? '' : ` (before: ${shortenPath(backup, host)})`;
    const place = shortenPath(plan.file.path, host);
    lines.push(
      `${host.stdout.paint('green', '✓')} ${title}: ${plan.name} ${WORDS[plan.action]} ${place}${backupNote}\n`,
    );
    changes.push({ ...changeAsJson(plan), ...(backup === '' ? {} : { backup }) });
    const isWritten = plan.action !== 'unchanged' && plan.action !== 'absent';
    if (isWritten && plan.client === 'claude-code' && plan.scope === 'user' && plan.program === undefined) {
      const because = plan.hasValues
        ? 'The entry has values that other users of this machine could read in the command line of `claude`'
        : '`claude` was not found in PATH (folders of this repository are not searched)';
      diagnostics.report('client-may-rewrite', { client: title, file: place, because });
    }
  }
  return { ...outcomeWithoutSource(diagnostics), result: { changes }, text: lines.join('') };
}

function changeAsJson({ client, scope, name, action, file, program }: PlannedChange): object {
  return { client, scope, name, action, file: file.path, ...omitUndefined({ by: program && 'claude mcp' }) };
}

/** Names the settings that the server lacks. With mock answers it needs none. */
function describeMissingSettings(project: BuiltProject, options: readonly string[], flags: Flags): string {
  const { entryVariables = [], url } = flags;
  if (url !== undefined || options.includes('--mock')) return '';
  const hasUrl = options.some((option) => /^--base-url\b/.test(option));
  const unset = hasUrl
    ? []
    : listUnsetBaseUrls(project.root).filter((name) => !entryVariables.includes(name));
  return (
    (unset.length === 0 ? '' : baseUrlHint(unset, project.dir)) + describeCredentialsFile(project, flags)
  );
}

const SECRETS = /^#? ?((?:API_KEY|BEARER_TOKEN|BASIC_USERNAME|OAUTH_CLIENT_ID|AUTHORIZATION)_\w+)=/gm;

/** Says where the credentials go, if the project has none yet. */
function describeCredentialsFile({ root, dir }: BuiltProject, { entryVariables = [] }: Flags): string {
  if (entryVariables.length > 0 || existsSync(join(root, '.env'))) return '';
  const names = [...(readFileIfAny(join(root, '.env.example')) ?? '').matchAll(SECRETS)].map(
    ([, name]) => name,
  );
  if (names.length === 0) return '';
  const credentialsNoun = readBindings(root).demandsCredentials
    ? 'Credentials'
    : 'Credentials, which no tool demands';
  return `  ${credentialsNoun}: ${names.join(', ')} in ${printablePath(join(dir, '.env'))}, or by --env NAME\n`;
}

/** Says how colleagues who clone the repository get `dist/`. */
function describeProgram({ dir }: BuiltProject, { scope, url }: Flags): string {
  if (scope !== 'project' || url !== undefined) return '';
  return `  dist/ is not committed: after cloning, npm install makes it in ${printablePath(dir)}\n`;
}
