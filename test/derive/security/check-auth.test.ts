// Faults of scopes and authentication are reported when compiling.
import { expect, test } from 'vitest';
import { reportAuthProblems } from '../../../src/derive/security/auth-rules.ts';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import type { ServerModel } from '../../../src/model/server-model.ts';
import type { SecuritySchemeBinding } from '../../../src/model/bindings.ts';
import { getPet, petstore } from '../../emit/models.ts';

function found(model: ServerModel, rules: Parameters<typeof reportAuthProblems>[1] = {}) {
  const diagnostics = new DiagnosticCollector();
  reportAuthProblems(model, rules, diagnostics);
  return diagnostics.found;
}

const SCOPES: [scope: string, isGood: boolean][] = [
  ['pets:read', true],
  ["https://api.example.com/.default!#$%&'()*+,-./:;<=>?@[]^_`{|}~", true],
  ['', false],
  ['read all', false],
  ['say "hi"', false],
  ['back\\slash', false],
  ['a\r\nX-Evil: 1', false],
  ['tab\there', false],
  ['nul\0', false],
  ['del\x7f', false],
  ['größe', false],
  ['\u{1f436}', false],
];

test.each(SCOPES)('the scope %j of a tool can be asked for: %s', (scope, isGood) => {
  const model = {
    ...petstore,
    tools: [
      { ...getPet, scopes: ['fine', scope] },
      { ...getPet, scopes: [scope] },
    ],
  };
  const told = found(model);
  expect(told.map(({ name, severity, origin }) => [name, severity, origin])).toEqual(
    isGood ? [] : [['impossible-scope', 'warning', getPet.origin]],
  );
  for (const { message } of told) expect(message).toContain(JSON.stringify(scope));
});

test('one of a resource, a template or a prompt is told too', () => {
  const binding = { do: { kind: 'tool' as const, name: 'getPet' }, scopes: ['read all'] };
  const { origin } = getPet;
  const model: ServerModel = {
    ...petstore,
    tools: [],
    resources: [{ uri: 'api://pet', name: 'pet', binding, origin }],
  };
  expect(found(model)).toHaveLength(1);
});

const bearer: SecuritySchemeBinding = { type: 'bearer', env: { token: 'T' } };
const key: SecuritySchemeBinding = { type: 'apiKey', in: 'query', name: 'k', env: { key: 'K' } };
const api = { servers: [], securitySchemes: { user: bearer, key } };
const one: ServerModel = { ...petstore, upstream: api };
const { upstream, ...rest } = petstore;
void upstream;
const two: ServerModel = {
  ...rest,
  upstreams: [
    { ...api, name: 'A' },
    { ...api, name: 'B' },
  ],
};

test.each<[string, ServerModel, Record<string, object>, string[]]>([
  ['a scheme', one, { user: {} }, []],
  ['one of an API', two, { 'B/user': {}, user: {} }, []],
  [
    'a slip',
    one,
    { usr: {} },
    ['`usr`, but the server uses no security scheme with this name that sends a token. Did you mean `user`?'],
  ],
  ['a scheme without a token', one, { key: {} }, ['`key`, but the server']],
  ['another API', two, { 'C/user': {} }, ['`C/user`, but the server']],
  ['what is in every object', one, { constructor: {} }, ['`constructor`, but the server']],
])('an exchange for %s', (_, model, exchange, want) => {
  const told = found(model, { exchange });
  expect(told).toHaveLength(want.length);
  for (const [index, words] of want.entries())
    expect(told[index]).toMatchObject({
      code: 'MCPG427',
      name: 'exchange-for-no-scheme',
      severity: 'error',
      message: expect.stringContaining(words),
    });
});
