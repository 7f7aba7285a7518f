/**
 * An API elsewhere that sends on to what only this machine and its network can reach, or to what is no HTTP: it is not asked,
 * though it would answer. The API is elsewhere by its name, and a proxy on this machine stands for it.
 */
import { openServer } from '../server.mjs';
import { callOf, outcomeOf, textOf } from '../session.mjs';
import { jsonAnswer, openWitness } from '../witness.mjs';

/** @import { Server } from '../server.mjs' */

export const family = 'redirects';

export async function open(folder) {
  const proxy = await openWitness(answerOf);
  const env = {
    API_BASE_URL: 'http://api.example/v1',
    API_BASE_URL_FOREIGN_EXAMPLE: 'http://foreign.example',
    BEARER_TOKEN_USER: 'of-the-first',
    BEARER_TOKEN_USER_ABROAD_EXAMPLE: 'of-abroad',
    OAUTH_CLIENT_ID_MACHINE: 'machine',
    OAUTH_CLIENT_SECRET_MACHINE: 'of-the-machine',
    API_HEADERS: `X-Operator: ${OPERATOR}\nUser-Agent: ${OPERATOR}`,
    HTTP_PROXY: proxy.url,
  };
  const server = await openServer(folder, { env, features: ['proxy'] });
  return {
    ...server,
    proxy,
    witness: async () => ({ ...(await server.witness()), proxy: proxy.requests.length }),
    close: async () => {
      await server.close();
      await proxy.close();
    },
  };
}

/** Headers of the operator, for the API alone. */
const OPERATOR = 'of-the-operator';

/** A redirect to what a field names, or to itself; a token; else fine. */
function answerOf(head) {
  if (head.startsWith('POST http://id.example/'))
    return jsonAnswer('{"access_token":"issued","token_type":"Bearer"}');
  const location = /^x-trace: redirect (\S+)/im.exec(head)?.[1];
  if (location === undefined) return jsonAnswer('{"ok":true}');
  return jsonAnswer('{}', '302 Found', `Location: ${location}\r\n`);
}

/** URLs by the port of a server on this machine, which would answer. @type {((port: string) => string)[]} */
const inward = [
  (port) => `http://127.0.0.1:${port}/`,
  (port) => `http://localhost:${port}/`,
  (port) => `http://localhost.:${port}/`,
  (port) => `http://LOCALHOST:${port}/`,
  (port) => `http://x.localhost:${port}/`,
  (port) => `http://127.1:${port}/`,
  (port) => `http://127.255.255.254:${port}/`,
  (port) => `http://2130706433:${port}/`,
  (port) => `http://0x7f000001:${port}/`,
  (port) => `http://0x7f.1:${port}/`,
  (port) => `http://0177.0.0.1:${port}/`,
  (port) => `http://017700000001:${port}/`,
  (port) => `http://%31%32%37.0.0.1:${port}/`,
  (port) => `http://0:${port}/`,
  (port) => `http://0.0.0.0:${port}/`,
  (port) => `http://[::]:${port}/`,
  (port) => `http://[::1]:${port}/`,
  (port) => `http://[0:0:0:0:0:0:0:1]:${port}/`,
  (port) => `http://[::ffff:127.0.0.1]:${port}/`,
  (port) => `http://[::ffff:7f00:1]:${port}/`,
  (port) => `http://api.example@127.0.0.1:${port}/`,
  (port) => `http://api.example:80@localhost:${port}/`,
  (port) => `//127.0.0.1:${port}/`,
  (port) => `\\\\127.0.0.1:${port}\\`,
  (port) => `http:127.0.0.1:${port}/../..//127.0.0.1:${port}`.replace('http:127', 'http://127'),
];

/** Nothing here answers at these: that nobody asked is seen by the refusal, and by the proxy. */
const elsewhere = [
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://[::ffff:169.254.169.254]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://100.64.0.1/',
];

/** URLs of another kind. @type {((port: string) => string)[]} */
const strange = [
  () => 'file:///etc/passwd',
  (port) => `gopher://127.0.0.1:${port}/`,
  (port) => `ftp://127.0.0.1:${port}/`,
  (port) => `ws://127.0.0.1:${port}/`,
  () => 'data:application/json,{}',
  () => 'javascript:1',
];

/** @param {Server} target @param {string} location @param {RegExp} words */
async function refused({ session }, location, words) {
  const answer = await session().send(callOf('traced', { 'X-Trace': `redirect ${location}` }));
  if (outcomeOf(answer) !== 'tool error') return outcomeOf(answer);
  return words.test(textOf(answer)) ? 'refused by its address' : textOf(answer);
}

const INWARD = /is in the network of this MCP server, and was not asked/;
const STRANGE = /redirected to an address that is not HTTP/;

/** @param {((port: string) => string)[]} places @param {RegExp} words */
const to = (places, words) =>
  places.map((place) => ({
    name: `to ${place('<port>')}`,
    want: 'refused by its address',
    reaches: { proxy: 1 },
    attack: (target) => refused(target, place(new URL(target.stranger.url).port), words),
  }));

/** What the last request for a URL had of the operator. @param {string[]} requests @param {string} url */
function fieldsOf(requests, url) {
  const last = requests.filter((head) => head.split(' ')[1] === url).at(-1);
  if (last === undefined) return `nobody asked ${url}`;
  const [, ...fields] = last
    .split('\r\n')
    .filter((field) => field.includes(OPERATOR) || field.includes(' HTTP/'));
  const names = fields.map((field) => field.replace(/^[^:]*/, (name) => name.toLowerCase()));
  return names.sort().reverse().join('; ') || 'nothing of the operator';
}

export const rows = [
  ...to(inward, INWARD),
  ...to(
    elsewhere.map((location) => () => location),
    INWARD,
  ),
  ...to(strange, STRANGE),
  {
    name: 'to another origin, which gets nothing that was for the first',
    want: 'GET http://other.example/ HTTP/1.1',
    reaches: { proxy: 2 },
    attack: async ({ session, proxy }) => {
      await session().send(callOf('traced', { 'X-Trace': 'redirect http://other.example/' }));
      const [line, ...fields] = proxy.requests.at(-1).trimEnd().split('\r\n');
      const odd = fields.filter(
        (field) => !/^(?:host|accept|accept-encoding|user-agent|(?:proxy-)?connection):/i.test(field),
      );
      return [line, ...odd].join('; ');
    },
  },
  {
    name: 'to another origin, which gets no header of the operator, whatever its name',
    want: 'nothing of the operator',
    reaches: { proxy: 2 },
    attack: async ({ session, proxy }) => {
      await session().send(callOf('traced', { 'X-Trace': 'redirect http://other.example/' }));
      return fieldsOf(proxy.requests, 'http://other.example/');
    },
  },
  {
    name: 'no redirect: the token endpoint gets no header of the operator',
    want: 'nothing of the operator',
    reaches: { proxy: 2 },
    attack: async ({ session, proxy }) => {
      await session().send(callOf('issued', {}));
      return fieldsOf(proxy.requests, 'http://id.example/token');
    },
  },
  {
    name: 'no redirect: the API gets the headers of the operator',
    want: `x-operator: ${OPERATOR}; user-agent: ${OPERATOR}`,
    reaches: { proxy: 1 },
    attack: async ({ session, proxy }) => {
      await session().send(callOf('search', {}));
      return fieldsOf(proxy.requests, 'http://api.example/v1/search');
    },
  },
  {
    name: 'no redirect: a host that the lock does not name for the scheme gets no credential',
    want: 'nothing',
    reaches: { proxy: 1 },
    attack: async ({ session, proxy }) => {
      await session().send(callOf('foreign', {}));
      return /^(?:authorization|x-operator): .*$/im.exec(proxy.requests.at(-1))?.[0] ?? 'nothing';
    },
  },
  ...[
    ['mine', 'of-the-first'],
    ['abroad', 'of-abroad'],
  ].map(([tool, token]) => ({
    name: `no redirect: the host of ${tool} gets the token that is for it`,
    want: `Bearer ${token}`,
    reaches: { proxy: 1 },
    attack: async ({ session, proxy }) => {
      await session().send(callOf(tool, {}));
      return /^authorization: (.*)$/im.exec(proxy.requests.at(-1))?.[1] ?? 'nothing';
    },
  })),
  {
    name: 'to itself, without end',
    want: 'tool error',
    reaches: { proxy: 6 },
    attack: async ({ session }) =>
      outcomeOf(
        await session().send(callOf('traced', { 'X-Trace': 'redirect http://api.example/v1/traced' })),
      ),
  },
];
