/** Checks of what the server reaches: its API, the clock beside it, Redis, and its own port. */
import { once } from 'node:events';
import { type Socket, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { parseEnv } from 'node:util';
import {
  type Bindings as ServerBindings,
  type ServerBinding,
  type UpstreamBinding,
  findApi,
  listApis,
} from '../../templates/runtime/contract/bindings.ts';
import { isRecord, parsePooled } from '../../templates/runtime/contract/json-value.ts';
import { upstreamVariables } from '../../templates/runtime/main/api-settings.ts';
import { shownUrl } from '../model/without-credentials.ts';
import { readFileIfAny } from '../project/existing-project.ts';
import { type Check, failed, passed, skipped } from './check.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** As the server reads it: `.env` beside its package.json, over which the real environment wins. */
export function serverEnvironment(root: string, env: Environment): Environment {
  const own = readFileIfAny(join(root, '.env'));
  return own === undefined ? env : { ...parseEnv(own), ...env };
}

export interface ReadBindings {
  apis: UpstreamBinding[];
  /** Tools that call an API, first those that demand credentials. */
  tools: string[];
}

/** mcpgen wrote them; `checkProject` says whether they can be read. */
export function readBindings(root: string): ReadBindings {
  const bindings = parsedBindings(readFileIfAny(join(root, 'src/generated/bindings.json')) ?? '');
  if (bindings === undefined) return { apis: [], tools: [] };
  const rated = Object.entries(bindings.tools).flatMap(([name, { do: binding }]) => {
    if (binding.kind !== 'http') return [];
    const { security = findApi(bindings, binding).security ?? [] } = binding;
    const isDemanded = security.length > 0 && security.every((each) => Object.keys(each).length > 0);
    return [{ name, rank: isDemanded ? 0 : 1 }];
  });
  const tools = rated.sort((one, other) => one.rank - other.rank).map(({ name }) => name);
  return { apis: listApis(bindings), tools };
}

function parsedBindings(text: string): ServerBindings | undefined {
  try {
    const value = parsePooled(text);
    return isRecord(value) && isRecord(value['tools']) ? (value as unknown as ServerBindings) : undefined;
  } catch {
    return undefined;
  }
}

export interface ApiAnswer {
  check: Check;
  /** This clock less the API's, in milliseconds. */
  apart?: number;
}

const TIMEOUT = 10_000;

/** One GET of the base URL. Any answer will do: the credentials are checked by a tool. */
export async function checkBaseUrl(
  api: UpstreamBinding,
  env: Environment,
  now: () => number,
): Promise<ApiAnswer> {
  const name = api.name === undefined ? 'base URL' : `base URL of ${api.name}`;
  const [variable] = upstreamVariables(api);
  const variableName = variable?.name ?? 'API_BASE_URL';
  const url = given(env[variableName]) ?? withDefaults(api.servers[0]);
  if (url === undefined || !URL.canParse(url)) {
    const says =
      url === undefined
        ? 'the document names no server by a full URL, and there is none in the environment'
        : `${variableName} is not a URL`;
    return {
      check: failed(
        name,
        says,
        `set ${variableName} in .env of the project, or give --base-url to the server`,
      ),
    };
  }
  const shown = shownUrl(url);
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });
    const apart = now() - Date.parse(answer.headers.get('date') ?? '');
    await answer.body?.cancel();
    const check = passed(name, `${shown} answers`);
    return Number.isNaN(apart) ? { check } : { check, apart };
  } catch (error) {
    return {
      check: failed(
        name,
        `${shown}: ${reasonOf(error)}`,
        `check the address (${variableName}), the network and the proxy`,
      ),
    };
  }
}

function given(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text;
}

/** `undefined` for an address that is not a full URL. */
function withDefaults({ url, variables = {} }: ServerBinding = { url: '' }): string | undefined {
  const filled = url.replace(/\{([^}]*)\}/g, (whole, name: string) => variables[name]?.default ?? whole);
  return /^https?:\/\/[^{}]+$/i.test(filled) ? filled : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be resolved now',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'it does not answer in time',
  TimeoutError: 'it does not answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS can name it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate cannot be verified; NODE_EXTRA_CA_CERTS can name its authority',
};

function reasonOf(error: unknown): string {
  const all = [error, error instanceof Error ? error.cause : undefined];
  const codes = all.flatMap((each) =>
    each instanceof Error ? [each.name, 'code' in each ? String(each.code) : ''] : [],
  );
  const known = codes.map((code) => REASONS[code]).find((words) => words !== undefined);
  return known ?? `it cannot be used (${codes.filter((code) => code !== '').at(-1) ?? 'unknown'})`;
}

/** Tokens are judged by their times, with a minute of grace as a rule. */
const MOST_APART = 60_000;

export function checkClock(apart: number | undefined): Check {
  if (apart === undefined) return skipped('clock', 'no answer of the API to compare with');
  const seconds = Math.round(Math.abs(apart) / 1000);
  if (Math.abs(apart) <= MOST_APART)
    return passed('clock', `within ${String(MOST_APART / 1000)} s of the API's`);
  return failed(
    'clock',
    `${String(seconds)} s ${apart > 0 ? 'ahead of' : 'behind'} the API's, so tokens may count as expired or not valid yet`,
    'set the clock of this machine by NTP',
  );
}

/** Without a port that was asked for, the usual one: it matters for HTTP alone. */
export async function checkPort(asked: number | undefined): Promise<Check> {
  const port = asked ?? 3000;
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return passed('port', `${String(port)} is free`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const says =
      code === 'EACCES'
        ? `${String(port)} may only be used by an administrator`
        : `${String(port)} is taken by another program`;
    const next = 'start the server with another --port, or set PORT';
    return asked === undefined
      ? skipped('port', `${says}; only --transport http uses it`, next)
      : failed('port', says, next);
  } finally {
    server.close();
  }
}

/** Speaks one PING; an answer that asks for a password is one. */
export async function checkRedis(address: string | undefined): Promise<Check> {
  if (given(address) === undefined) return skipped('Redis', 'MCP_REDIS_URL is not set');
  const next = 'check MCP_REDIS_URL and that Redis runs';
  const url = URL.canParse(address ?? '') ? new URL(address ?? '') : undefined;
  if (url === undefined || !/^rediss?:$/.test(url.protocol))
    return failed('Redis', 'MCP_REDIS_URL is not a URL such as redis://host:6379', next);
  const [host, port] = [url.hostname, Number(url.port === '' ? 6379 : url.port)];
  const shown = `${host}:${String(port)}`;
  const socket =
    url.protocol === 'rediss:' ? connectTls({ host, port, servername: host }) : connect({ host, port });
  try {
    const answer = await ping(socket);
    return /^(?:\+PONG|-NOAUTH|-WRONGPASS)/.test(answer)
      ? passed('Redis', `${shown} answers`)
      : failed('Redis', `${shown} does not speak as Redis does`, next);
  } catch (error) {
    return failed('Redis', `${shown}: ${reasonOf(error)}`, next);
  } finally {
    socket.destroy();
  }
}

async function ping(socket: Socket): Promise<string> {
  socket.setEncoding('utf8').write('PING\r\n');
  const [answer] = (await once(socket, 'data', { signal: AbortSignal.timeout(TIMEOUT) })) as [string];
  return answer;
}
