// A proof counts for one request with one token, by the key that the token is bound to (RFC 9449, section 4.3).
import { createHmac, hash } from 'node:crypto';
import { exportJWK } from 'jose';
import { expect, test } from 'vitest';
import {
  createTargetFinder,
  normalizeUrl,
  PROOF_ALGORITHMS,
  verifyProof,
} from '../../../../templates/runtime/features/dpop/proof.ts';
import { AUDIENCE, seconds } from '../issuer.ts';
import { type Prover, newProver } from './prover.ts';

const TOKEN = 'a.token.of-it';
const own = await newProver();
const other = await newProver();
const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

async function judge(proof: unknown, { jkt }: Pick<Prover, 'jkt'> = own): Promise<string> {
  const request = { proof, token: TOKEN, jkt, method: 'POST', url: AUDIENCE, nowSeconds: Date.now() / 1000 };
  try {
    await verifyProof({ ...request, checkNonce: () => undefined });
    return 'good';
  } catch (thrown) {
    const { error, message } = thrown as { error: string; message: string };
    return `${error}: ${message}`;
  }
}

test.each(PROOF_ALGORITHMS)('%s counts', async (alg) => {
  const prover = await newProver(alg);
  expect(await judge(await prover.prove(TOKEN), prover)).toBe('good');
});

const MISSED: [what: string, claims: object, words: string][] = [
  ['another method', { htm: 'GET' }, 'another method (htm)'],
  ['another path', { htu: 'https://mcp.test/other' }, 'another URL (htu)'],
  ['another host', { htu: 'https://evil.test/mcp' }, 'another URL (htu)'],
  ['a user', { htu: 'https://user@mcp.test/mcp' }, 'another URL (htu)'],
  ['another token', { ath: hash('sha256', 'another', 'base64url') }, 'another token (ath)'],
  ['a time long ago', { iat: seconds(-400) }, 'at most 300 seconds old'],
  ['a time to come', { iat: seconds(400) }, 'at most 300 seconds old'],
  ['no time', { iat: undefined }, 'at most 300 seconds old'],
  ['no identifier', { jti: undefined }, 'no identifier (jti)'],
  ['a number as identifier', { jti: 7 }, 'no identifier (jti)'],
];

test.each(MISSED)('%s', async (_, claims, words) => {
  expect(await judge(await own.prove(TOKEN, claims))).toMatch(/^invalid_dpop_proof: The proof /);
  expect(await judge(await own.prove(TOKEN, claims))).toContain(words);
});

const HEADERS: [what: string, header: object, words: string][] = [
  ['the type JWT', { typ: 'JWT' }, 'type of the proof must be dpop+jwt'],
  ['no key', { jwk: undefined }, 'must hold its public key'],
  ['a shared key', { jwk: { kty: 'oct', k: 'AAAA' } }, 'must hold its public key'],
  ['its private key', { jwk: { ...own.jwk, ...(await exportJWK(own.privateKey)) } }, 'holds a private key'],
  ['a key without a kind', { jwk: { x: 'a', y: 'b' } }, 'key of the proof is malformed'],
];

test.each(HEADERS)('%s', async (_, header, words) => {
  const verdict = await judge(await own.prove(TOKEN, {}, header));
  expect(verdict).toMatch(/^invalid_dpop_proof: /);
  expect(verdict).toContain(words);
});

test('the key of the token alone counts', async () => {
  const verdict = 'invalid_token: The token is bound to another key than that of the proof.';
  expect(await judge(await other.prove(TOKEN))).toBe(verdict);
  // The key of the token in the header, and a signature by another.
  const wrong = 'invalid_dpop_proof: The signature of the proof is wrong.';
  expect(await judge(await other.prove(TOKEN, {}, { jwk: own.jwk }))).toBe(wrong);
});

const signed = await own.prove(TOKEN);
const [, payload = ''] = signed.split('.');

test.each<[what: string, proof: unknown, words: string]>([
  ['none', undefined, 'The header DPoP is missing.'],
  ['two in one field', `${signed}, ${signed}`, 'must hold one proof'],
  ['no JWT', 'a.b.c', 'is no JWT'],
  ['claims in a list', `${base64url({ alg: 'ES256' })}.${base64url([])}.c`, 'is no JWT'],
  ['more than fits', await own.prove(TOKEN, { more: 'x'.repeat(4_000) }), 'must hold one proof'],
  [
    'no signature (none)',
    `${base64url({ typ: 'dpop+jwt', alg: 'none', jwk: own.jwk })}.${payload}.x`,
    'an algorithm that does not count',
  ],
  ['a shared secret (HS256)', byKeyAsSecret(), 'an algorithm that does not count'],
  [
    'critical headers',
    `${base64url({ typ: 'dpop+jwt', alg: 'ES256', jwk: own.jwk, crit: ['x'], x: 1 })}.${payload}.x`,
    'critical headers',
  ],
  ['a signature of zeros', `${signed.slice(0, signed.lastIndexOf('.'))}.${'A'.repeat(86)}`, 'signature'],
])('%s', async (_, proof, words) => {
  const verdict = await judge(proof);
  expect(verdict).toMatch(/^invalid_dpop_proof: /);
  expect(verdict).toContain(words);
});

/** The public key as the secret of an HMAC. */
function byKeyAsSecret(): string {
  const text = `${base64url({ typ: 'dpop+jwt', alg: 'HS256', jwk: own.jwk })}.${payload}`;
  const signature = createHmac('sha256', JSON.stringify(own.jwk)).update(text).digest('base64url');
  return `${text}.${signature}`;
}

test.each<[given: unknown, normal: string | undefined]>([
  ['https://mcp.test/mcp', 'https://mcp.test/mcp'],
  ['HTTPS://MCP.Test:443/mcp', 'https://mcp.test/mcp'],
  ['https://mcp.test/a/../mcp', 'https://mcp.test/mcp'],
  ['https://mcp.test/%6dcp', 'https://mcp.test/mcp'],
  ['https://mcp.test/a%2fb', 'https://mcp.test/a%2Fb'],
  ['wss://mcp.test/ws', 'https://mcp.test/ws'],
  ['ws://127.0.0.1:80/ws', 'http://127.0.0.1/ws'],
  ['https:\\\\mcp.test\\mcp', undefined],
  [' https://mcp.test/mcp', undefined],
  ['https://mcp.test/é', undefined],
  [7, undefined],
])('%j is normally %j', (given, normal) => {
  expect(normalizeUrl(given)).toBe(normal);
});

test.each<[resource: string, paths: string[], targets: Record<string, string>]>([
  ['https://h/mcp', ['/mcp'], { '/mcp': 'https://h/mcp' }],
  [
    'https://h',
    ['/mcp', '/sse', '/ws'],
    { '/mcp': 'https://h/mcp', '/messages': 'https://h/messages', '/ws': 'https://h/ws' },
  ],
  ['https://h/mcp', ['/mcp', '/sse'], { '/mcp': 'https://h/mcp', '/sse': 'https://h/sse' }],
  // A proxy puts a folder before each path, or strips the resource's own.
  ['https://h/eu/mcp', ['/mcp', '/ws'], { '/mcp': 'https://h/eu/mcp', '/ws': 'https://h/eu/ws' }],
  ['https://h/pets', ['/mcp', '/ws'], { '/mcp': 'https://h/pets', '/ws': 'https://h/pets/ws' }],
  ['https://h:8443/mcp/', ['/mcp'], { '/mcp': 'https://h:8443/mcp' }],
])('the URLs of %s that is served at %j', (resource, paths, targets) => {
  const targetFor = createTargetFinder(new URL(resource), paths);
  expect(Object.fromEntries(Object.keys(targets).map((path) => [path, targetFor(path)]))).toEqual(targets);
});
