/** Asks each node of Redis, with its user and password. */
import { type Socket, connect } from 'node:net';
import { addAbortSignal } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { BuiltProject } from '../project/built-project.ts';
import { type Check, makeFailedCheck, makePassedCheck, makeSkippedCheck } from './check.ts';
import { explainFailure } from './failure-reason.ts';

const TIMEOUT = 10_000;
const NEXT = 'check MCP_REDIS_URL and that Redis runs';

/** `addresses`: MCP_REDIS_URL, one URL or several by commas. Servers without the feature `redis` do not read it. */
export async function checkRedis(
  { usesRedis }: Pick<BuiltProject, 'usesRedis'>,
  addresses: string | undefined,
  offline: boolean,
): Promise<Check[]> {
  if (!usesRedis) return [];
  if (addresses === undefined || addresses === '')
    return [makeSkippedCheck('Redis', 'MCP_REDIS_URL is not set')];
  return [offline ? makeSkippedCheck('Redis', 'not asked (--offline)') : await checkNodes(addresses)];
}

async function checkNodes(addresses: string): Promise<Check> {
  const texts = addresses.split(',').map((text) => text.trim());
  if (!texts.every((text) => /^rediss?:/i.test(text) && URL.canParse(text)))
    return makeFailedCheck('Redis', 'MCP_REDIS_URL is not a URL such as redis://host:6379', NEXT);
  const checks = await Promise.all(texts.map((text) => checkNode(new URL(text))));
  const problem = checks.find(({ state }) => state === 'failed');
  return problem ?? makePassedCheck('Redis', checks.map(({ says }) => says).join(', '));
}

async function checkNode(url: URL): Promise<Check> {
  const port = Number(url.port === '' ? 6379 : url.port);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const shown = `${url.hostname}:${String(port)}`;
  const socket = url.protocol === 'rediss:' ? connectTls({ host, port }) : connect({ host, port });
  try {
    const answer = await sendCommands(socket, [...authCommand(url), ['PING']]);
    if (/^-(?:NOAUTH|WRONGPASS|ERR AUTH)/m.test(answer))
      return makeFailedCheck('Redis', `${shown} refuses the user or password`, 'check them in MCP_REDIS_URL');
    return /^\+PONG/m.test(answer)
      ? makePassedCheck('Redis', `${shown} answers`)
      : makeFailedCheck('Redis', `${shown} does not speak as Redis does`, NEXT);
  } catch (error) {
    return makeFailedCheck('Redis', `${shown}: ${explainFailure(error)}`, NEXT);
  } finally {
    socket.destroy();
  }
}

function authCommand({ username, password }: URL): string[][] {
  if (password === '') return [];
  const words = [username, password].filter((word) => word !== '').map(decodeURIComponent);
  return [['AUTH', ...words]];
}

/** Sends the commands and returns the replies, up to the first error or the reply to PING. */
async function sendCommands(socket: Socket, commands: readonly string[][]): Promise<string> {
  socket.setEncoding('utf8').write(commands.map(encodeCommand).join(''));
  let text = '';
  for await (const piece of addAbortSignal(AbortSignal.timeout(TIMEOUT), socket)) {
    text += String(piece);
    if (/(?:^|\n)[^+].*\r\n|\+PONG\r\n/.test(text) || text.length > 1000) break;
  }
  return text;
}

/** Encodes a command with the length of each word, so that no word can end it: https://redis.io/docs/latest/develop/reference/protocol-spec. */
function encodeCommand(words: readonly string[]): string {
  const each = words.map((word) => `$${String(Buffer.byteLength(word))}\r\n${word}\r\n`);
  return `*${String(words.length)}\r\n${each.join('')}`;
}
