// Credentials that the environment gives without a demand of the document, and what a run says about them.
import { expect, test } from 'vitest';
import type { Operation, SecurityScheme, SourceModel } from '../../../src/model/source-model.ts';
import type { HttpBinding } from '../../../src/model/bindings.ts';
import { derive, operation, origin, parameter, source } from '../support.ts';

const schemes: Record<string, SecurityScheme> = {
  Auth: { origin, type: 'http', scheme: 'bearer' },
  Key: { origin, type: 'apiKey', in: 'query', name: 'key' },
};
const silent = operation('GET /a');
const demanding = operation('GET /b', { security: [{ Auth: [] }] });
const open = operation('GET /c', { security: [] });
const elsewhere = operation('GET /d', { servers: [{ url: 'https://cdn.example' }] });

function outcome(operations: Operation[], rest: Partial<SourceModel> = {}) {
  const given = source(operations, { securitySchemes: schemes, ...rest });
  const { model, messages, problems } = derive(given);
  const own = model.tools.map(({ binding }) => (binding as HttpBinding).ifSet);
  const { ifSet, securitySchemes = {} } = model.upstream ?? {};
  return { ifSet, own, bound: Object.keys(securitySchemes), messages, problems };
}

test('where nothing says `security`, operations get every declared scheme', () => {
  const { ifSet, own, bound, messages } = outcome([silent, operation('GET /b')]);
  expect([ifSet, own, bound]).toEqual([
    ['Auth', 'Key'],
    [undefined, undefined],
    ['Auth', 'Key'],
  ]);
  expect(messages).toEqual([
    expect.stringContaining(
      'The document has no `security`, so each call sends the credentials of `Auth`, `Key` that are set.',
    ),
  ]);
});

test.each<[string, ReturnType<typeof outcome>]>([
  ['the root', outcome([silent, open], { security: [] })],
  ['another operation, which is public', outcome([silent, open])],
  ['another operation, which demands some', outcome([silent, demanding])],
])('nothing is sent undemanded if %s says so', (_who, { ifSet, own, problems }) => {
  expect([ifSet, own, problems]).toEqual([undefined, [undefined, undefined], []]);
});

test('an operation at another origin gets none', () => {
  const { own, messages } = outcome([silent, elsewhere]);
  expect(own).toEqual([undefined, []]);
  expect(messages[1]).toContain(
    '1 operation has a server of its own (https://cdn.example): credentials are not sent there.',
  );
});

test.each<[what: string, Partial<Operation>, Partial<SourceModel>, own: string[] | undefined]>([
  ['demanded', { security: [{ Key: [] }] }, {}, undefined],
  ['demanded by one way of two', { security: [{ Key: [] }, { Auth: [] }] }, {}, ['Key']],
  ['demanded nowhere', { security: [{ Auth: [] }] }, {}, ['Key']],
  ['nothing is said', {}, {}, undefined],
])('a parameter that is a key of a scheme is no argument: %s', (_what, rest, root, own) => {
  const given = operation('GET /a', { ...rest, parameters: [parameter('query', 'key')] });
  const found = outcome([given], root);
  expect(found.own).toEqual([own]);
  expect(found.messages.at(-1)).toContain(
    'The query parameter key of 1 operation is the key of the security scheme "Key"',
  );
});

test('a header parameter that holds a credential has a variable, one for all spellings', () => {
  const given = ['X-Api-Key', 'x-api-key'].map((name, index) =>
    operation(`GET /${index}`, { parameters: [parameter('header', name), parameter('header', 'X-Tenant')] }),
  );
  const { model, messages } = derive(source(given));
  expect(model.upstream?.securitySchemes).toEqual({
    'X-Api-Key': { type: 'apiKey', in: 'header', name: 'X-Api-Key', env: { key: 'HEADER_X_API_KEY' } },
  });
  expect(model.tools.map(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))).toEqual([
    ['X-Tenant'],
    ['X-Tenant'],
  ]);
  expect(messages).toEqual([
    expect.stringContaining('The header parameter X-Api-Key of 2 operations holds a credential'),
  ]);
});

test.each([
  ['another name', parameter('header', 'X-Key')],
  ['another place', parameter('query', 'X-Api-Key')],
  ['x-mcp', parameter('header', 'X-Api-Key', { type: 'string' }, { isArgument: true })],
])('%s keeps the argument', (_what, given) => {
  const { model, problems } = derive(source([operation('GET /a', { parameters: [given] })]));
  expect([Object.keys(model.tools[0]?.inputSchema.properties ?? {}), problems]).toEqual([[given.name], []]);
  expect(model.upstream?.securitySchemes).toEqual({});
});

test('two documents with the same header have different variables', async () => {
  const { DiagnosticCollector } = await import('../../../src/diagnostics/collector.ts');
  const { deriveServer } = await import('../../../src/derive/index.ts');
  const of = (title: string): SourceModel =>
    source([operation(`GET /${title}`, { parameters: [parameter('header', 'X-Api-Key')] })], {
      info: { title, version: '1' },
    });
  const diagnostics = new DiagnosticCollector();
  const { upstreams = [] } = deriveServer([{ source: of('cats') }, { source: of('dogs') }], {}, diagnostics);
  expect(upstreams.flatMap(({ securitySchemes }) => Object.values(securitySchemes))).toMatchObject([
    { env: { key: 'HEADER_CATS_X_API_KEY' } },
    { env: { key: 'HEADER_DOGS_X_API_KEY' } },
  ]);
  expect(diagnostics.hasErrors).toBe(false);
});
