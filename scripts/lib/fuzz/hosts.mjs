import fc from 'fast-check';

import { textOf, words } from './texts.mjs';

/** Spellings of one IPv4 address. @type {((bytes: number[]) => string)[]} */
const spellings = [
  (bytes) => bytes.join('.'),
  (bytes) => `${bytes.join('.')}.`,
  (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
  (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
  (bytes) => String(numberOf(bytes)),
  (bytes) => `0x${numberOf(bytes).toString(16)}`,
  ([first, ...rest]) => `${first}.${numberOf(rest)}`,
  ([first, second, ...rest]) => `${first}.${second}.${numberOf(rest)}`,
  (bytes) => [...bytes.join('.')].map((one) => `%${one.charCodeAt(0).toString(16)}`).join(''),
  (bytes) => `[::ffff:${bytes.join('.')}]`,
  (bytes) => `[0:0:0:0:0:ffff:${halves(bytes)}]`,
  (bytes) => `[64:ff9b::${bytes.join('.')}]`,
  (bytes) => `[2002:${halves(bytes)}::]`,
  (bytes) => `[2002:${halves(bytes)}:1:2:3:4:5]`,
];

const numberOf = (bytes) => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

function halves([a, b, c, d]) {
  return [a * 256 + b, c * 256 + d].map((half) => half.toString(16)).join(':');
}

/** However an address is spelled, a redirect to it reaches no farther than one to its usual spelling: some IPv6 never is public. */
export async function redirectHosts(load) {
  const { isPublicAddress } = await load('templates/runtime/features/redirects');
  const byte = fc.oneof(
    fc.constantFrom(0, 10, 100, 127, 128, 168, 169, 172, 192, 254, 255),
    fc.nat({ max: 255 }),
  );
  const address = fc.tuple(byte, byte, byte, byte);
  return fc.property(address, fc.constantFrom(...spellings), (bytes, spell) => {
    const { hostname } = new URL(`http://${spell(bytes)}/`);
    const [usual, spelled] = [bytes.join('.'), hostname.replace(/^\[(.*)\]$/, '$1')].map(isPublicAddress);
    const isRefused = !spelled && /^\[(?!64:)/.test(hostname);
    if (spelled !== usual && !(usual && isRefused))
      throw new Error(`${spell(bytes)} is public: ${spelled}, and ${bytes.join('.')}: ${usual}`);
  });
}

/** A server's URL is filled in or refused, and its host is the one that variables are named after. */
export async function serverTemplates(load) {
  const { variableSuffixOfHost } = await load('src/model/credential-origins');
  const { hostOf } = await load('templates/runtime/features/operation-servers');
  const { chooseServer } = await load('templates/runtime/request');
  const { ToolError } = await load('templates/runtime/types');
  const value = textOf([...words('a api.example :8080 / ? # @ .. {a} { } % [::1] é'), '$&', '\n', ' '], 4);
  const url = textOf(words('https:// http:// a.example {a} {b} {toString} /v1 : . @ //'));
  const variable = fc.record(
    { default: value, enum: fc.array(value, { maxLength: 2 }) },
    { requiredKeys: [] },
  );
  const variables = fc.dictionary(fc.constantFrom('a', 'b', 'toString', '__proto__'), variable);
  const server = fc.record({ url, variables }, { requiredKeys: ['url'] });
  const env = fc.dictionary(fc.constantFrom('API_SERVER_A', 'API_SERVER_B', 'API_VAR_A'), value);
  return fc.property(server, env, (given, set) => {
    const suffix = variableSuffixOfHost(given);
    if (suffix !== undefined && !/^\w+$/.test(suffix)) throw new Error(`no name of a variable: ${suffix}`);
    for (const each of [set, {}]) filled(given, each);
  });

  function filled(given, set) {
    try {
      const { href, host } = chooseServer({ api: { servers: [given] }, env: set });
      if (Object.keys(set).length > 0) return;
      if (hostOf(given) !== host) throw new Error(`${href} is at ${host}, and is taken for ${hostOf(given)}`);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
    }
  }
}
