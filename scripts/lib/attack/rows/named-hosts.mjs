/**
 * An API in the internet that sends on to names and addresses of the network that the server stands in: none of them is asked,
 * though each would answer. Names resolve as an attacker's name server has it.
 */
import { OUTSIDE } from '../network.mjs';
import { openServer } from '../server.mjs';
import { callOf, outcomeOf } from '../session.mjs';
import { jsonAnswer, openWitness } from '../witness.mjs';

/** @import { Server } from '../server.mjs' */

export const family = 'hosts by name';

/** The answers of an attacker's name server, one for each lookup. @type {[name: string, what: string, ...answers: string[][]][]} */
const names = [
  ['loopback.example', 'this machine', ['127.0.0.1']],
  ['loopback2.example', 'another address of this machine', ['127.8.8.8']],
  ['loopback6.example', 'this machine in IPv6', ['::1']],
  ['mapped.example', 'this machine, mapped to IPv6', ['::ffff:127.0.0.1']],
  ['compatible.example', 'this machine, in IPv6 that is compatible', ['::7f00:1']],
  ['any.example', 'no address', ['0.0.0.0']],
  ['ten.example', 'a private network', ['10.0.0.1']],
  ['office.example', 'another private network', ['192.168.1.1']],
  ['shared.example', 'addresses that providers share', ['100.64.0.1']],
  ['unique.example', 'a local network of IPv6', ['fd12:3456::1']],
  ['nat64.example', 'this machine behind NAT64', ['64:ff9b::7f00:1']],
  ['sixtofour.example', 'this machine by 6to4', ['2002:7f00:1::1']],
  ['aws.example', 'metadata of AWS', ['169.254.169.254']],
  ['aws6.example', 'metadata of AWS in IPv6', ['fd00:ec2::254']],
  ['azure.example', 'the wire server of Azure', ['168.63.129.16']],
  ['alibaba.example', 'metadata of Alibaba', ['100.100.100.200']],
  ['oracle.example', 'metadata of Oracle', ['192.0.0.192']],
  ['google6.example', 'metadata of Google in IPv6', ['fd20:ce::254']],
  ['last.example', 'a public address, and this machine', [OUTSIDE, '127.0.0.1']],
  ['first.example', 'this machine, and a public address', ['127.0.0.1', OUTSIDE]],
  ['both.example', 'a public address, and this machine in IPv6', [OUTSIDE, '::1']],
  ['benchmark.example', 'addresses for benchmarks', ['198.18.0.1']],
  ['multicast.example', 'many at one time', ['224.0.0.1']],
  ['reserved.example', 'a reserved address', ['240.0.0.1']],
];

/** Public when it is looked up first, and inward then. */
const rebinding = 'rebinding.example';

/** Names and IPv4 addresses that were taken for public. @type {[name: string, host: string][]} */
const addresses = [
  ['the wire server of Azure', '168.63.129.16'],
  ['the wire server of Azure as a number', '2822734096'],
  ['the wire server of Azure, mapped to IPv6', '[::ffff:168.63.129.16]'],
  ['metadata of Oracle', '192.0.0.192'],
  ['addresses for benchmarks', '198.18.0.1'],
  ['addresses for documentation', '203.0.113.1'],
  ['many at one time', '224.0.0.1'],
  ['a reserved address', '240.0.0.1'],
  ['all of the network', '255.255.255.255'],
  ['many at one time in IPv6', '[ff02::1]'],
  ['NAT64 of the own network', '[64:ff9b:1::a00:1]'],
];

export async function open(folder) {
  const api = await openWitness(answerOf);
  const { port } = new URL(api.url);
  const answers = { 'api.example': [[OUTSIDE]], 'outside.example': [[OUTSIDE]] };
  for (const [name, , ...each] of names) answers[name] = each;
  answers[rebinding] = [[OUTSIDE], ['127.0.0.1']];
  const server = await openServer(folder, {
    network: true,
    env: {
      API_BASE_URL: `http://api.example:${port}/v1`,
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

/** @param {Server} target @param {string} host @param {string} [scheme] */
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
  ...['loopback.example', 'azure.example', 'last.example'].map((name) => ({
    name: `by TLS to ${name}`,
    want: 'tool error',
    reaches: { api: 1 },
    attack: (target) => sentTo(target, name, 'https'),
  })),
  ...addresses.map(([what, host]) => ({
    name: `to the address of ${what}, ${host}`,
    want: 'tool error',
    reaches: { api: 1 },
    attack: (target) => sentTo(target, host),
  })),
  {
    name: 'to another name outside, which is asked',
    want: '200',
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
];
