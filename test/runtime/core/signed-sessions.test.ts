// Ids of sessions that are signed: what they hold, and which texts are none.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkStateSecrets } from '../../../templates/runtime/contract/feature.ts';
import type { JsonObject } from '../../../templates/runtime/contract/json-schema.ts';
import {
  LocalRevocations,
  type SignedSession,
  SessionIds,
} from '../../../templates/runtime/core/signed-sessions.ts';
import { deriveSharedKeys } from '../../../templates/runtime/core/state-keys.ts';
import { LEGACY_REVISIONS, featuresOf } from '../../../templates/runtime/protocol/revisions.ts';

const SECRET = 'a secret of the nodes, long enough';
const OTHER = 'another secret, long enough as well';
const HOUR = 3_600_000;

interface Node {
  secret?: string;
  previous?: string;
  server?: string;
  lifetimeMs?: number;
  now?: () => number;
}

function node({ secret = SECRET, previous, server = 'test', lifetimeMs = HOUR, now }: Node = {}): SessionIds {
  const keys = deriveSharedKeys(
    { MCP_STATE_SECRET: secret, MCP_STATE_SECRET_PREVIOUS: previous },
    server,
    'session-id',
    64,
  );
  if (keys === undefined) throw new Error('There is no secret.');
  return new SessionIds(keys, lifetimeMs, now);
}

function signed(changes: Partial<SignedSession['agreement']> = {}, surface?: 'search'): SignedSession {
  const revision = changes.revision ?? '2025-11-25';
  const clientInfo = { name: 'client', version: '1' };
  return {
    agreement: { revision, features: featuresOf(revision), clientInfo, clientCapabilities: {}, ...changes },
    surface,
  };
}

const capabilities = fc.record<JsonObject>(
  {
    roots: fc.constantFrom({}, { listChanged: true }),
    sampling: fc.constantFrom({}, { tools: {} }, { context: {} }, { tools: {}, context: {} }),
    elicitation: fc.constantFrom({}, { form: {} }, { url: {} }, { form: {}, url: {} }),
    tasks: fc.constantFrom(
      {},
      { list: {}, cancel: {} },
      { requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
    ),
  },
  { requiredKeys: [] },
);

test('another node reads the agreement of any session', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...LEGACY_REVISIONS),
      capabilities,
      fc.option(fc.string(), { nil: undefined }),
      fc.constantFrom(undefined, 'search' as const),
      fc.string(),
      (revision, clientCapabilities, subject, surface, name) => {
        const given = signed({ revision, clientCapabilities, clientInfo: { name, version: '1' } }, surface);
        const id = node().issueId(given, subject);
        expect(id).toMatch(/^[!-~]{1,300}$/);
        const { agreement, surface: found } = node().verifyId(id, subject) ?? {};
        expect(agreement).toEqual({ ...given.agreement, clientInfo: undefined });
        expect(found).toBe(surface);
      },
    ),
  );
});

test('capabilities that have no bit are absent, and a false one is no capability', () => {
  const clientCapabilities = {
    roots: { listChanged: false },
    experimental: { x: {} },
    sampling: null,
    elicitation: [],
  };
  const id = node().issueId(signed({ clientCapabilities }));
  expect(node().verifyId(id)?.agreement.clientCapabilities).toEqual({ roots: {} });
});

test('a node that has met the client knows what it says about itself, to the letter', () => {
  const own = node();
  const info = { name: 'client', version: '1' };
  own.issueId(signed({ clientInfo: info }));
  const elsewhere = (clientInfo: typeof info) => node().issueId(signed({ clientInfo }));
  expect(own.verifyId(elsewhere(info))?.agreement.clientInfo).toEqual(info);
  expect(own.verifyId(elsewhere({ ...info, version: '2' }))?.agreement.clientInfo).toBeUndefined();
  const long = { name: 'x'.repeat(2_000), version: '1' };
  own.issueId(signed({ clientInfo: long }));
  expect(own.verifyId(elsewhere(long))?.agreement.clientInfo).toBeUndefined();
});

test('no two ids are the same, and none shows name, subject or server', () => {
  const ids = Array.from({ length: 100 }, () =>
    node({ server: 'pet-server' }).issueId(
      signed({ clientInfo: { name: 'named-client', version: '1' } }),
      'https://issuer.example alice',
    ),
  );
  expect(new Set(ids).size).toBe(100);
  const bytes = Buffer.from(ids[0] ?? '', 'base64url');
  for (const encoding of ['latin1', 'utf16le', 'base64', 'hex'] as const)
    for (const word of ['named-client', 'alice', 'issuer', 'pet-server'])
      expect(bytes.toString(encoding)).not.toContain(Buffer.from(word).toString(encoding));
});

test.each<[string, Node, string | undefined]>([
  ['of another secret', { secret: OTHER }, 'alice'],
  ['of another server', { server: 'other' }, 'alice'],
  ['of another subject', {}, 'bob'],
  ['of nobody', {}, undefined],
  ['of an empty subject', {}, ''],
])('an id is none %s', (_, other, subject) => {
  const id = node().issueId(signed(), 'alice');
  expect(node().verifyId(id, 'alice')).toBeDefined();
  expect(node(other).verifyId(id, subject)).toBeUndefined();
});

test('the previous secret verifies and never signs; dropped, it does neither', () => {
  const old = node().issueId(signed());
  const rotated = node({ secret: OTHER, previous: SECRET });
  expect(rotated.verifyId(old)).toBeDefined();
  expect(node().verifyId(rotated.issueId(signed()))).toBeUndefined();
  expect(node({ secret: OTHER }).verifyId(old)).toBeUndefined();
});

test('an id expires by its time of issue, and is none before it', () => {
  let now = 1_800_000_000_000;
  const own = node({ now: () => now });
  const id = own.issueId(signed());
  expect(own.expiryOf(id)).toBe(now + HOUR);
  now += HOUR - 1;
  expect(own.verifyId(id)).toBeDefined();
  now += 1;
  expect(own.verifyId(id)).toBeUndefined();
  // Clocks of nodes differ a little.
  now = 1_800_000_000_000 - 60_000;
  expect(own.verifyId(id)).toBeDefined();
  now -= HOUR;
  expect(own.verifyId(id)).toBeUndefined();
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('no changed character is accepted', () => {
  const own = node();
  const id = own.issueId(signed());
  for (let at = 0; at < id.length; at++)
    for (const character of ALPHABET)
      if (id[at] !== character)
        expect(own.verifyId(id.slice(0, at) + character + id.slice(at + 1))).toBeUndefined();
});

test('no other length and no other encoding is accepted', () => {
  const own = node();
  const id = own.issueId(signed());
  const bytes = Buffer.from(id, 'base64url');
  const others = [
    ...Array.from({ length: id.length }, (_, length) => id.slice(0, length)),
    ...[`${id}A`, `${id}=`, `${id} `, ` ${id}`, `${id}\n`, `${id}, ${id}`, id.toLowerCase()],
    ...[bytes.toString('hex'), `${bytes.toString('base64')}==`, encodeURIComponent(id).replace(/^./, '%41')],
  ];
  for (const other of others) if (other !== id) expect(own.verifyId(other)).toBeUndefined();
  // Base64 with + and / decodes to the same bytes.
  const withSigns =
    Array.from({ length: 50 }, () => own.issueId(signed())).find((each) => /[-_]/.test(each)) ?? '';
  expect(own.verifyId(withSigns)).toBeDefined();
  expect(own.verifyId(withSigns.replaceAll('-', '+').replaceAll('_', '/'))).toBeUndefined();
});

test('no text is an id by chance', () => {
  const own = node();
  fc.assert(fc.property(fc.string(), (text) => own.verifyId(text) === undefined));
  const form = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 108, maxLength: 108 });
  fc.assert(fc.property(form, (text) => own.verifyId(text) === undefined));
});

test('keys differ by secret, server and purpose', () => {
  const keys = [
    deriveSharedKeys({ MCP_STATE_SECRET: SECRET }, 'test', 'session-id'),
    deriveSharedKeys({ MCP_STATE_SECRET: SECRET }, 'test', 'request-state'),
    deriveSharedKeys({ MCP_STATE_SECRET: SECRET }, 'other', 'session-id'),
    deriveSharedKeys({ MCP_STATE_SECRET: OTHER }, 'test', 'session-id'),
  ].map((each) => each?.[0].toString('hex'));
  expect(new Set(keys).size).toBe(4);
  expect(deriveSharedKeys({}, 'test', 'session-id')).toBeUndefined();
});

test.each<[Record<string, string>, string]>([
  [{ MCP_STATE_SECRET: 'x'.repeat(31) }, 'MCP_STATE_SECRET must have 32 characters or more, and has 31'],
  [
    { MCP_STATE_SECRET: SECRET, MCP_STATE_SECRET_PREVIOUS: 'short' },
    'MCP_STATE_SECRET_PREVIOUS must have 32 characters or more, and has 5',
  ],
  [{ MCP_STATE_SECRET_PREVIOUS: SECRET }, 'MCP_STATE_SECRET_PREVIOUS goes with MCP_STATE_SECRET'],
])('%j is refused', (env, words) => {
  expect(() => checkStateSecrets(env)).toThrow(words);
});

test('ended sessions are remembered until they expire, the oldest forgotten first', () => {
  let now = 0;
  const ended = new LocalRevocations(2, () => now);
  ended.revoke('a', 1_000);
  ended.revoke('b', 9_000);
  ended.revoke('c', 9_000);
  expect(['a', 'b', 'c'].map((each) => ended.isRevoked(each))).toEqual([false, true, true]);
  now = 9_001;
  ended.revoke('d', 1_000);
  expect(ended.count).toBe(1);
});
