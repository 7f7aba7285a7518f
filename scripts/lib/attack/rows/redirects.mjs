/**
 * An API in the internet that sends on to names and addresses of the network that the server stands in: none of them
 * is asked, though each would answer. Names resolve as an attacker's name server has it. And what another host gets
 * of the first one's.
 */
import { OUTSIDE } from '../network.mjs';
import { inModule, never, removal } from '../prove/check.mjs';
import { openServer } from '../server.mjs';
import { callOf, outcomeOf } from '../session.mjs';
import { jsonAnswer, openWitness } from '../witness.mjs';

export const family = 'redirects';

/**
 * The answers of an attacker's name server, one for each lookup. @type {[name: string, what: string, ...answers:
 * string[][]][]}
 */
const names = [
  ['loopback.example', 'this machine', ['127.0.0.1']],
  ['ten.example', 'a private network', ['10.0.0.1']],
  ['azure.example', 'the wire server of Azure', ['168.63.129.16']],
  ['last.example', 'a public address, and this machine', [OUTSIDE, '127.0.0.1']],
];

/** Public when it is looked up first, and inward then. */
const rebinding = 'rebinding.example';

export async function open(folder) {
  const api = await openWitness(answerOf);
  const { port } = new URL(api.url);
  const answers = {
    'api.example': [[OUTSIDE]],
    'outside.example': [[OUTSIDE]],
    'foreign.example': [[OUTSIDE]],
  };
  for (const [name, , ...each] of names) answers[name] = each;
  answers[rebinding] = [[OUTSIDE], ['127.0.0.1']];
  const server = await openServer(folder, {
    network: true,
    env: {
      API_BASE_URL: `http://api.example:${port}/v1`,
      API_BASE_URL_FOREIGN_EXAMPLE: `http://foreign.example:${port}`,
      BEARER_TOKEN_USER: 'of-the-first',
      API_HEADERS: 'User-Agent: of-the-operator',
      ATTACK_NAMES: JSON.stringify(answers),
      ATTACK_OUTSIDE: port,
    },
  });
  return {
    ...server,
    api,
    witness: async () => ({ ...(await server.witness()), api: api.requests.length }),
    close: async () => {
      await server.close();
      await api.close();
    },
  };
}

/** A redirect to what a field names, once or as often as the target says; else fine. */
function answerOf(head) {
  const location = /^x-trace: redirect (\S+)/im.exec(head)?.[1] ?? /\?next=(\S+)/.exec(head)?.[1];
  if (location === undefined) return jsonAnswer('{"ok":true}');
  return jsonAnswer('{}', '302 Found', `Location: ${decodeURIComponent(location)}\r\nConnection: close\r\n`);
}

/** Each by an id of its own: one that is let in may wait for an answer for long. */
let calls = 0;

const asked = async ({ session }, location) =>
  outcomeOf(
    await session().send({ ...callOf('traced', { 'X-Trace': `redirect ${location}` }), id: ++calls }),
  );

const sentTo = (target, host, scheme = 'http') =>
  asked(target, `${scheme}://${host}:${new URL(target.stranger.url).port}/`);

/** From `host`, which is outside, once more. */
const sentOn = (target, host, to) => {
  const { port } = new URL(target.api.url);
  return asked(target, `http://${host}:${port}/?next=${encodeURIComponent(to)}`);
};

export const rows = [
  ...names.map(([name, what]) => ({
    name: `to a name of ${what}`,
    want: 'tool error',
    reaches: { api: 1 },
    attack: (target) => sentTo(target, name),
  })),
  ...['127.0.0.1', '169.254.169.254', '[64:ff9b::7f00:1]'].map((host) => ({
    name: `to the address ${host}`,
    want: 'tool error',
    reaches: { api: 1 },
    attack: (target) => sentTo(target, host),
  })),
  {
    name: 'by FTP to the address of this machine',
    want: 'tool error',
    reaches: { api: 1 },
    attack: (target) => sentTo(target, '127.0.0.1', 'ftp'),
  },
  {
    name: 'by TLS to a name of this machine',
    want: 'tool error',
    reaches: { api: 1 },
    attack: (target) => sentTo(target, 'loopback.example', 'https'),
  },
  {
    name: 'to another name outside, which is asked',
    want: '200',
    isControl: true,
    reaches: { api: 2 },
    attack: (target) => asked(target, `http://outside.example:${new URL(target.api.url).port}/`),
  },
  {
    name: 'to a name outside, which sends on to a name of this machine',
    want: 'tool error',
    reaches: { api: 2 },
    attack: (target) =>
      sentOn(target, 'outside.example', `http://ten.example:${new URL(target.stranger.url).port}/`),
  },
  {
    name: 'to a name outside, which sends back to itself, and is inside by then',
    want: 'tool error',
    reaches: { api: 2 },
    attack: (target) => sentOn(target, rebinding, '/again'),
  },
  {
    name: 'to a name of this machine at the port of the API',
    want: 'tool error',
    reaches: { api: 1 },
    attack: (target) => asked(target, `http://loopback.example:${new URL(target.api.url).port}/`),
  },
  ...[
    [
      'traced',
      'another host outside',
      (port) => ({ 'X-Trace': `redirect http://outside.example:${port}/` }),
      2,
    ],
    ['foreign', 'a host that the lock does not name for the scheme', () => ({}), 1],
  ].map(([tool, host, argsOf, requests]) => ({
    name: `${host} gets nothing that was for the first`,
    want: 'nothing',
    reaches: { api: requests },
    attack: async ({ session, api }) => {
      await session().send(callOf(tool, argsOf(new URL(api.url).port)));
      const [, ...fields] = api.requests.at(-1).split('\r\n');
      return fields.find((field) => /^(?:authorization|x-trace):|of-the-/i.test(field)) ?? 'nothing';
    },
  })),
];

const ANY_ADDRESS = never('isIP(host) !== 0 && !allows(host)');
const REFUSED = '!addresses.every(({ address }) => allows(address))';

export const checks = [
  removal(/a name (?!of a public)/, [REFUSED, 'false']),
  removal(/^to a name of a public/, [REFUSED, '!allows(first.address)']),
  removal(/^to the address \d/, ANY_ADDRESS),
  removal(/\[64/, ["list.addSubnet(`64:ff9b::${address}`, 96 + Number(bits), 'ipv6');", ';']),
  removal(
    /by FTP/,
    [' || !/^https?:$/.test(target.protocol)', ''],
    ANY_ADDRESS,
    // Node's client refuses other protocols itself.
    ['open(url, {', "open(new URL(url.href.replace('ftp:', 'http:')), {"],
  ),
  {
    ...removal(/^another host outside/, ['HARMLESS.includes(name)', 'true']),
    admits: /wanted nothing, got /,
  },
  {
    ...inModule(
      'bin/chunks/compiler',
      /^a host that the lock/,
      [
        'general !== void 0 || source.capabilities.some((one) => one.kind === "operation" && one.security !== void 0) || operations.length === 0',
        'operations.length === 0',
      ],
      ['isElsewhere(operation) ? [] : ifSet', 'ifSet'],
    ),
    admits: /got Authorization: Bearer/i,
  },
];
