/** Web pages that should not reach a server on this machine: foreign origins, and names made to point here. */
import { ANY_HOST, never, removal } from '../prove/check.mjs';
import { initialize } from '../session.mjs';
import { requestOf, sendRaw, refusalsIn, UPGRADE } from '../wire.mjs';

export const family = 'origins';

/** How each transport is entered. */
const doors = [
  { door: 'POST', method: 'POST', path: '/mcp', message: initialize },
  { door: 'HTTP+SSE', method: 'GET', path: '/sse', isStream: true },
  {
    door: 'WebSocket',
    method: 'GET',
    path: '/ws',
    isStream: true,
    headers: Object.fromEntries(UPGRADE.slice(2).map((field) => field.split(': '))),
  },
];

const [post] = doors;

export const rows = [
  ...doors.flatMap((door) => [
    rowOf(door, 'a page elsewhere', { origin: 'https://evil.example' }),
    rowOf(door, 'a name that leads here', { host: 'evil.example' }),
  ]),
  rowOf(post, 'an image of another site', { site: 'cross-site' }),
  rowOf(post, 'an origin that no browser writes', { origin: 'http://127.1' }),
  rowOf(post, 'a host behind a sign', { host: 'evil.example@localhost' }),
  rowOf(post, 'a name that ends as this machine', { host: 'notlocalhost' }),
];

function rowOf({ door, method, path, message, headers, isStream }, name, { host, origin, site }) {
  return {
    name: `${door}: ${name}`,
    want: `403 ${host === undefined ? 'Origin' : 'Host'}`,
    attack: async ({ url }) => {
      const body = message === undefined ? '' : JSON.stringify(message);
      const fields = {
        connection: 'close',
        accept: 'application/json, text/event-stream',
        ...(origin === undefined ? {} : { origin }),
        ...(site === undefined ? {} : { 'sec-fetch-site': site }),
        ...(message === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...headers,
      };
      const lines = Object.entries({ host: host ?? url.host, ...fields }).map(
        ([key, value]) => `${key}: ${value}`,
      );
      const request = requestOf([`${method} ${path} HTTP/1.1`, ...lines], body);
      const text = await sendRaw(url, request, { isStream });
      const [, field] = /`(Host|Origin)`/.exec(text) ?? [];
      return refusalsIn(text).replace(/ -32600$/, ` ${field}`);
    },
  };
}

export const checks = [
  removal(/: a page elsewhere/, never('!isLocal && !options.allowedOrigins.includes(origin.toLowerCase())')),
  removal(/: a name that leads here/, ANY_HOST),
  removal(/an image/, ['/cross-site/i', '/no-site/i']),
  removal(/no browser/, ['LOOPBACK.test(nameOf(host))', 'LOOPBACK.test(new URL(origin).hostname)']),
  removal(/behind a sign/, [
    'const name = nameOf(header);',
    'const name = new URL(`http://${header}`).hostname;',
  ]),
  removal(/ends as this machine/, ['const LOOPBACK = /^(?:localhost', 'const LOOPBACK = /(?:localhost']),
];
