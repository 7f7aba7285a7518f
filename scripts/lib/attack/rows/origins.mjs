/** Web pages that should not reach a server on this machine: foreign origins, and names made to point here. */
import { callOf, initialize, modern, Session } from '../session.mjs';
import { requestOf, sendRaw, refusalsIn } from '../wire.mjs';

export const family = 'origins';

const foreign = [
  'null',
  'https://evil.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://evil.example:80',
  'http://localhost@evil.example',
  'http://[::2]',
  'http://2130706433.example',
  'file://',
  'http://127.0.0.1, http://evil.example',
  '',
];

/** Spellings of this machine that no browser sends: the first three at each door. */
const misspelt = [
  'http://x@localhost',
  'http://x:y@127.0.0.1:3000',
  'http://localhost/, http://evil.example',
  'http://evil.example%2f@localhost',
  'http://@localhost',
  'http://localhost/evil',
  'http://localhost?evil',
  'http://localhost#evil',
  'http:localhost',
  'http:\\\\localhost',
  'http://127.0.0.1.',
  'http://127.1',
  'http://0x7f.1',
  'http://2130706433',
  'http://%6cocalhost',
  'ftp://localhost',
];

const rebound = [
  'evil.example',
  'evil.example:3000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  'evil.example#localhost',
  'evil.example@localhost',
  'localhost\\evil.example',
  'localhost?evil.example',
  'notlocalhost',
  'evil.localhost',
  '127.0.0.1/../evil.example',
  '0.0.0.0',
  '169.254.169.254',
  '[::2]',
  '',
];

/** How each transport is entered. */
const doors = [
  { door: 'POST', method: 'POST', path: '/mcp', message: initialize },
  { door: 'POST of 2026-07-28', method: 'POST', path: '/mcp', ...modern(callOf('touch', {})) },
  { door: 'GET of events', method: 'GET', path: '/mcp', isStream: true, inSession: true },
  { door: 'HTTP+SSE', method: 'GET', path: '/sse', isStream: true },
  { door: 'DELETE', method: 'DELETE', path: '/mcp', inSession: true },
  { door: 'preflight', method: 'OPTIONS', path: '/mcp' },
  {
    door: 'WebSocket',
    method: 'GET',
    path: '/ws',
    isStream: true,
    headers: {
      upgrade: 'websocket',
      connection: 'upgrade',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    },
  },
];

export const rows = doors.flatMap((door, index) => [
  ...some(foreign, index).map((origin) => rowOf(door, `Origin ${origin}`, { origin })),
  ...some(misspelt, index).map((origin) => rowOf(door, `Origin ${origin}`, { origin })),
  rowOf(door, 'an image of another site', { site: 'cross-site' }),
  ...some(rebound, index).map((host) => rowOf(door, `Host ${host}`, { host })),
]);

/** Every value at the first door; at the others those that differ most. */
function some(values, index) {
  return index === 0 ? values : values.slice(0, 3);
}

function rowOf({ door, method, path, message, headers, isStream, inSession }, name, { host, origin, site }) {
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
        ...(inSession ? { 'mcp-session-id': (await Session.open(url)).id } : {}),
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
