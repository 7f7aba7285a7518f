/** All checks of `mcpgen doctor`, in the order in which one depends on another. */
import type { Bindings } from '../model/bindings.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { BuiltProject } from '../project/built-project.ts';
import { type SendingConsent, checkSendingOfBindings } from '../project/check-sending.ts';
import { checkServer } from './call-server.ts';
import { type Check, makeFailedCheck, makeSkippedCheck } from './check.ts';
import { type ClientConfigs, checkClients } from './check-clients.ts';
import { checkLogin } from './check-login.ts';
import {
  type Environment,
  checkBaseUrl,
  readBindings,
  readServerEnvironment,
  listUnsetCredentials,
} from './check-network.ts';
import { checkBuild, checkLock, checkNodeVersion, checkProject } from './check-project.ts';

export interface Examined {
  /** The folder as the user gave it. */
  dir: string;
  cwd: string;
  env: Environment;
  project: BuiltProject | undefined;
  node: { program: string; version: string };
  consent: SendingConsent;
  /** The code of the project is not run. */
  noCode: boolean;
  clients: (project: BuiltProject) => ClientConfigs;
}

export async function runChecks(examined: Examined): Promise<Check[]> {
  const { dir, project, node, cwd } = examined;
  const first = [checkNodeVersion(node.version, project), checkProject(project, dir, cwd)];
  if (project === undefined) return first;
  const files = [await checkLock(project, dir), await checkBuild(project, dir)];
  const clients = examined.clients(project);
  const reached = await checkServerAndApis(project, clients, examined);
  return [...first, ...files, ...reached, ...checkClients(clients, dir)];
}

async function checkServerAndApis(
  project: BuiltProject,
  { entries }: ClientConfigs,
  examined: Examined,
): Promise<Check[]> {
  const { cwd, noCode, node } = examined;
  const env = readServerEnvironment(project.root, examined.env);
  const { bindings, apis, tools } = readBindings(project.root);
  const refusal = bindings && (await findSendingRefusal(bindings, project.root, examined));
  if (refusal !== undefined) return [refusal];
  // With --no-code, the project may be a stranger's, so only addresses of the caller's own environment are asked.
  const variables = noCode ? examined.env : env;
  const isMock = env['MCP_MOCK'] === '1' || (entries.length > 0 && entries.every((entry) => entry.isMock));
  const silence = findReasonNotToAskApi(apis.length, isMock);
  const baseUrls =
    silence === undefined
      ? await Promise.all(apis.map((api) => checkBaseUrl(api, variables, noCode)))
      : [makeSkippedCheck('base URL', silence)];
  const isReached = baseUrls.every(({ state }) => state !== 'failed');
  const start = { node: node.program, cwd };
  const isAsked = project.isBuilt && !noCode && !isMock;
  const login = isAsked ? await checkLogin(project, apis, env, { ...start, env: examined.env }) : undefined;
  const isOut = login?.state === 'failed' ? 'nobody has signed in' : undefined;
  const calls = silence ?? (isReached ? isOut : 'the API cannot be reached');
  const server = noCode
    ? makeSkippedStartChecks('not started (--no-code)')
    : project.isBuilt
      ? await checkServer(project, examined.env, { ...start, tools, calls, isMock })
      : makeSkippedStartChecks('not built');
  const unset = isMock ? [] : listUnsetCredentials(apis, env);
  return [...baseUrls, ...(login ? [login] : []), ...server.map((check) => addUnsetNote(check, unset))];
}

/** Nothing is sent, and no server started, if an address is none that the lock accepts. */
async function findSendingRefusal(
  bindings: Bindings,
  root: string,
  { consent }: Examined,
): Promise<Check | undefined> {
  const diagnostics = new DiagnosticCollector();
  await checkSendingOfBindings(bindings, root, consent, diagnostics);
  const error = diagnostics.found.find(({ severity }) => severity === 'error');
  return error && makeFailedCheck('requests', error.message, error.hint ?? `mcpgen explain ${error.code}`);
}

/** A tool that is answered without credentials says nothing about those that need them. */
function addUnsetNote(check: Check, unset: readonly string[]): Check {
  if (check.name !== 'credentials' || check.state === 'failed' || unset.length === 0) return check;
  return { ...check, says: `${check.says}; not set: ${unset.join(', ')}` };
}

function makeSkippedStartChecks(why: string): Check[] {
  return [makeSkippedCheck('start', why), makeSkippedCheck('credentials', why)];
}

/** Returns the reason why the doctor sends the API no request; undefined if it may. */
function findReasonNotToAskApi(apis: number, isMock: boolean): string | undefined {
  if (apis === 0) return 'the server calls no API';
  return isMock ? 'not checked: the server starts with --mock, and needs no API' : undefined;
}
