/** Documents of strangers: none makes the compiler ask an address, read a file outside, or run out of anything. */
import { createServer } from 'node:http';

export const family = 'documents';

const compiled = new URL('../../../../dist/src/compile.js', import.meta.url);

/** Counts the requests that reach this machine while documents are compiled. */
export async function open() {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked++;
    response.end('{"type":"string"}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { compile } = await import(compiled.href);
  return {
    port: server.address().port,
    compile,
    witness: async () => ({ upstream: asked }),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

function withSchema(schema) {
  const content = { 'application/json': { schema } };
  const paths = { '/a': { get: { operationId: 'a', responses: { 200: { description: 'd', content } } } } };
  return {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    servers: [{ url: 'https://a.example' }],
    paths,
  };
}

const hosts = [
  '127.0.0.1',
  'localhost',
  '2130706433',
  '0x7f.1',
  '0177.0.0.1',
  '[::ffff:127.0.0.1]',
  '[::1]',
  '0.0.0.0',
];
const nested = (levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const text = (schema) => JSON.stringify(withSchema(schema));

/** @type {[name: string, document: (port: number) => string, want: string][]} */
const table = [
  ...hosts.map((host) => [
    `a reference to ${host}`,
    (port) => text({ $ref: `http://${host}:${port}/x` }),
    'MCPG115',
  ]),
  ['a reference to metadata', () => text({ $ref: 'http://169.254.169.254/latest/' }), 'MCPG115'],
  ['a reference to a file', () => text({ $ref: 'file:///etc/passwd' }), 'MCPG116'],
  ['a reference upward', () => text({ $ref: '../../../../../../../../etc/passwd' }), 'MCPG116'],
  ['a reference that is code', () => text({ $ref: 'javascript:alert(1)' }), 'MCPG120'],
  [
    'JSON of a hundred thousand levels',
    () => text({ default: 1 }).replace('"default":1', `"default":${nested(100_000)}`),
    'MCPG121',
  ],
  ['YAML of a hundred thousand levels', () => `openapi: 3.1.0\nx: ${nested(100_000)}`, 'MCPG121'],
  ['code in a tag', () => 'openapi: !!js/function "function () {}"', 'MCPG108'],
  ['a pattern that runs away', () => text({ pattern: '^(a+)+$', example: 'a'.repeat(60) + '!' }), 'MCPG319'],
  ['a pattern that looks back', () => text({ pattern: '^(.)\\1$' }), 'MCPG320'],
];

export const rows = table.map(([name, document, want]) => ({
  name,
  want,
  attack: async ({ compile, port }) => {
    const stdin = () => Promise.resolve(Buffer.from(document(port)));
    const { diagnostics } = await compile({ source: '-', stdin });
    return [...new Set(diagnostics.map(({ code }) => code))].join(' ');
  },
}));
