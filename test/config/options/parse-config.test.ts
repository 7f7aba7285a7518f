import { expect, test } from 'vitest';
import { describeFault } from '../../../src/config/options/shape.ts';
import { isFaulty, parseConfig } from '../../../src/config/options/parse-config.ts';

test.each([
  { given: '{ "source": "../a.yaml" }', want: { source: '../a.yaml' } },
  { given: '\ufeff{ "source": "-", "strict": true }', want: { source: '-', strict: true } },
  {
    given: '{ "source": "a", "routeMap": [{ "methods": ["GET"], "as": "tool" }], "include": ["tag:pets"] }',
    want: { source: 'a', routeMap: [{ methods: ['GET'], as: 'tool' }], include: ['tag:pets'] },
  },
  {
    given:
      '{ "source": "a", "auth": { "scopes": ["a:b"], "implies": { "a": ["b"] }, "scopeMap": { "x": [] } } }',
    want: { source: 'a', auth: { scopes: ['a:b'], implies: { a: ['b'] }, scopeMap: { x: [] } } },
  },
  {
    given:
      '{ "source": "a", "auth": { "onBehalf": "optional", "exchange": { "s": { "audience": ["x"], "resource": ["urn:a"] } } } }',
    want: {
      source: 'a',
      auth: { onBehalf: 'optional', exchange: { s: { audience: ['x'], resource: ['urn:a'] } } },
    },
  },
  {
    given:
      '{ "sources": [{ "openapi": "a", "prefix": "a_" }, { "typescript": "b.ts" }], "baseUrl": "https://a.test" }',
    want: {
      sources: [{ openapi: 'a', prefix: 'a_' }, { typescript: 'b.ts' }],
      baseUrl: 'https://a.test',
    },
  },
  {
    given: '{ "source": "a", "headers": { "X-A": "a $${b}", "Authorization": "Bearer ${TOKEN}" } }',
    want: { source: 'a', headers: { 'X-A': 'a $${b}', Authorization: 'Bearer ${TOKEN}' } },
  },
])('reads $given', ({ given, want }) => {
  expect(parseConfig(given)).toEqual(want);
});

test.each([
  { given: '{ "source": ', problem: /^it is not JSON \(/ },
  { given: '[]', problem: 'it is not an object' },
  { given: '{}', problem: 'it needs "source" (the document to compile), "typescript" or "sources"' },
  {
    given: '{ "source": "a", "typescript": { "files": ["b.ts"] } }',
    problem: 'it has both "source" and "typescript"; keep one',
  },
  { given: '{ "typescript": {} }', problem: '"typescript" needs "files", a list of paths and globs' },
  { given: '{ "source": 3 }', problem: '"source" must be a string' },
  {
    given: '{ "source": "a", "hooks": 5 }',
    problem: '"hooks" must be the path of a module, or an object of functions',
  },
  { given: '{ "source": "a", "hooks": "" }', problem: '"hooks" must not be empty' },
  {
    given: '{ "source": "a", "hooks": { "onModel": "a" } }',
    problem: '"hooks" has "onModel", which is not a function',
  },
  {
    given: '{ "source": "a", "budget": { "description": 5 } }',
    problem: '"budget.description" must be a whole number from 100',
  },
  ...[
    { headers: '[]', problem: /^"headers" must be an object of headers/ },
    { headers: '{ "a b": "x" }', problem: '"headers["a b"]" is no name of a header' },
    { headers: '{ "Host": "x" }', problem: '"headers.Host" is a header that the HTTP client sets alone' },
    { headers: '{ "X-A": 1 }', problem: '"headers.X-A" must be a string' },
    { headers: '{ "X-A": "a\\r" }', problem: /^"headers\.X-A" must not have line breaks/ },
    { headers: '{ "X-A": "${a b}" }', problem: /^"headers\.X-A" has a "\$\{" that names no variable/ },
    {
      headers: '{ "X-Api-Key": "abc" }',
      problem: /^"headers\.X-Api-Key" looks like a secret: write \$\{NAME\}/,
    },
    { headers: '{ "X-A": "Bearer abc" }', problem: /^"headers\.X-A" looks like a secret/ },
    {
      headers: '{ "Authorization": "Bearer $${A}" }',
      problem: /^"headers\.Authorization" looks like a secret/,
    },
  ].map(({ headers, problem }) => ({ given: `{ "source": "a", "headers": ${headers} }`, problem })),
  {
    given: '{ "source": "a", "include": ["pets"] }',
    problem: '"include[0]" is "pets"; a selector starts with tag:, path:, op: or method:',
  },
  {
    given: '{ "source": "a", "auth": "oidc" }',
    problem:
      '"auth" must be oauth, none, or an object with "scopes", "implies", "scopeMap", "onBehalf" or "exchange"',
  },
  {
    given: '{ "source": "a", "auth": { "onBehalf": "always" } }',
    problem: '"auth.onBehalf" must be one of required, optional',
  },
  ...[
    { exchange: '[]', problem: /^"auth\.exchange" must be an object with a rule per/ },
    { exchange: '{ "s": { "audiences": [] } }', problem: /"audiences" \(did you mean "audience"\?\)$/ },
    {
      exchange: '{ "s": { "resource": ["/x"] } }',
      problem: /resource\[0\]" is "\/x"; it must be an absolute/,
    },
    {
      exchange: '{ "s:t": { "scopes": ["a b"] } }',
      problem: /^"auth\.exchange\["s:t"\]\.scopes\[0\]" is "a b"/,
    },
  ].map(({ exchange, problem }) => ({
    given: `{ "source": "a", "auth": { "exchange": ${exchange} } }`,
    problem,
  })),
  { given: '{ "source": "a", "auth": { "scope": [] } }', problem: /^"auth" has an unknown member "scope"/ },
  {
    given: '{ "source": "a", "auth": { "scopes": ["a b"] } }',
    problem: '"auth.scopes[0]" is "a b"; a scope must not contain spaces, quotes or backslashes',
  },
  {
    given: '{ "source": "a", "auth": { "implies": { "a": "b" } } }',
    problem: '"auth.implies.a" must be a list of scopes',
  },
  {
    given: '{ "source": "a", "baseUrl": "foo" }',
    problem: '"baseUrl" is "foo"; it must be an http or https URL, such as https://api.example.com/v1',
  },
  {
    given: '{ "source": "a", "allowRemoteRefs": ["a.test, b.test"] }',
    problem: '"allowRemoteRefs[0]" is "a.test, b.test"; it must be only a host, such as schemas.example.com',
  },
  { given: '{ "source": "a", "name": " " }', problem: '"name" must not be empty' },
  { given: '{ "source": "a", "routeMap": [{}] }', problem: /^"routeMap\[0\]" needs "as"/ },
  {
    given: '{ "source": "a", "maxNameLenght": 40 }',
    problem: 'it has an unknown member "maxNameLenght" (did you mean "maxNameLength"?)',
  },
  {
    given: '{ "sources": [{ "openapi": "a" }], "link": true }',
    problem: '"link" applies to functions, but no source is "typescript"',
  },
  { given: '{ "source": "a", "__proto__": {} }', problem: /unknown member "__proto__"/ },
  {
    given: '{ "source": "a", "sources": [{ "openapi": "b" }] }',
    problem: 'it has both "source" and "sources"; keep one',
  },
  {
    given: '{ "sources": [] }',
    problem: '"sources" must be a list of at least one source: { "openapi": … } or { "typescript": … }',
  },
  {
    given: '{ "sources": ["a.yaml"] }',
    problem: '"sources[0]" must be an object, such as { "openapi": "api.yaml" }',
  },
  {
    given: '{ "sources": [{ "openapi": "a" }, { "prefix": "b_" }] }',
    problem: '"sources[1]" needs "openapi", a document, or "typescript", files of functions',
  },
  {
    given: '{ "sources": [{ "typscript": "a.ts" }] }',
    problem:
      '"sources[0]" needs "openapi", a document, or "typescript", files of functions; it has an unknown member "typscript" (did you mean "typescript"?)',
  },
  {
    given: '{ "sources": [{ "openapi": "a", "typescript": "b.ts" }] }',
    problem: '"sources[0]" has both "openapi" and "typescript"; split it into two sources',
  },
  {
    given: '{ "sources": [{ "typescript": "a.ts", "baseUrl": "https://a.test" }] }',
    problem: '"sources[0]" has an unknown member "baseUrl"',
  },
  {
    given: '{ "sources": [{ "typescript": [] }] }',
    problem: /^"sources\[0\].typescript" must be a path or glob/,
  },
  {
    given: '{ "sources": [{ "openapi": "-" }] }',
    problem: '"sources[0].openapi" is "-"; a later run cannot read standard input again',
  },
  {
    given: '{ "sources": [{ "openapi": "a", "prefix": "my pets/" }] }',
    problem: /^"sources\[0\].prefix" must start with a letter or digit and contain only letters/,
  },
  {
    given: `{ "sources": [{ "openapi": "a", "prefix": "${'p'.repeat(33)}" }] }`,
    problem: '"sources[0].prefix" must have at most 32 characters',
  },
  {
    given: '{ "sources": [{ "openapi": "a", "prefix": "pets_" }], "maxNameLength": 20 }',
    problem:
      '"sources[0].prefix" leaves fewer than 16 of the 20 characters that "maxNameLength" allows for names',
  },
  {
    given: '{ "sources": [{ "typescript": "a.ts" }], "baseUrl": "https://a.test" }',
    problem: '"baseUrl" belongs beside one "openapi", since "sources" has 0 of them',
  },
  {
    given:
      '{ "sources": [{ "typescript": "a.ts", "tsconfig": "a" }, { "typescript": "b.ts", "tsconfig": "b" }] }',
    problem: /^"sources\[1\].tsconfig" differs from that of sources\[0\]/,
  },
])('refuses $given', ({ given, problem }) => {
  const config = parseConfig(given);
  expect(isFaulty(config) ? config.faults.map(describeFault) : config).toEqual([
    typeof problem === 'string' ? problem : expect.stringMatching(problem),
  ]);
});
