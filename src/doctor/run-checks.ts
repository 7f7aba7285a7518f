/** All checks of `mcpgen doctor`, in the order in which one depends on another. */
import type { BuiltProject } from '../project/built-project.ts';
import { checkServer } from './call-server.ts';
import { type Check, skipped } from './check.ts';
import { type ClientConfigs, checkClients } from './check-clients.ts';
import {
  type ApiAnswer,
  type Environment,
  checkBaseUrl,
  checkClock,
  checkPort,
  checkRedis,
  readBindings,
  serverEnvironment,
} from './check-network.ts';
import { checkBuild, checkLock, checkNode, checkProject } from './check-project.ts';

export interface Examined {
  /** As given. */
  dir: string;
  cwd: string;
  env: Environment;
  project: BuiltProject | undefined;
  node: { program: string; version: string };
  /** Port of HTTP. Default: `PORT`. */
  port?: number | undefined;
  /** Nothing is sent. */
  offline: boolean;
  /** The code of the project is not run. */
  noCode: boolean;
  now: () => number;
  drift: () => Promise<Check>;
  clients: (project: BuiltProject) => ClientConfigs;
}

export async function runChecks(examined: Examined): Promise<Check[]> {
  const { dir, project, node, cwd } = examined;
  const first = [checkNode(node.version, project), checkProject(project, dir, cwd)];
  if (project === undefined) return first;
  const lock = await checkLock(project, dir);
  const build = await checkBuild(project, dir);
  const isLockSound = lock.state === 'ok';
  const drift = isLockSound ? await examined.drift() : skipped('drift', 'not judged without the lock');
  const reached = await checkReached(project, examined);
  return [...first, lock, drift, build, ...reached, ...checkClients(examined.clients(project), dir)];
}

async function checkReached(project: BuiltProject, examined: Examined): Promise<Check[]> {
  const { offline, now, cwd, noCode, node } = examined;
  const env = serverEnvironment(project.root, examined.env);
  const { apis, tools } = readBindings(project.root);
  const answers = offline ? [] : await Promise.all(apis.map((api) => checkBaseUrl(api, env, now)));
  const apart = answers.find((answer) => answer.apart !== undefined)?.apart;
  const isReached = answers.every(({ check }) => check.state === 'ok');
  const server = noCode
    ? notStarted('not started (--no-code)')
    : project.isBuilt
      ? await checkServer(project, examined.env, {
          node: node.program,
          cwd,
          tools,
          calls: callsApi(apis.length, offline, isReached),
        })
      : notStarted('not built');
  const port = await checkPort(examined.port ?? (Number(env['PORT']) || undefined));
  const redis = offline ? skipped('Redis', 'not asked (--offline)') : await checkRedis(env['MCP_REDIS_URL']);
  return [...baseUrls(answers, offline), checkClock(apart), ...server, port, redis];
}

function notStarted(why: string): Check[] {
  return [skipped('start', why), skipped('credentials', why)];
}

function callsApi(apis: number, offline: boolean, isReached: boolean): string | undefined {
  if (apis === 0) return 'the server calls no API';
  if (offline) return 'not asked (--offline)';
  return isReached ? undefined : 'the API cannot be reached';
}

function baseUrls(answers: readonly ApiAnswer[], offline: boolean): Check[] {
  if (answers.length > 0) return answers.map(({ check }) => check);
  return [skipped('base URL', offline ? 'not asked (--offline)' : 'the server calls no API')];
}
