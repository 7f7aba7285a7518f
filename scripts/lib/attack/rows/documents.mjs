/** Documents of strangers: none makes the compiler ask an address or read a file outside. `test/hostile` has those that exhaust it. */
import { createServer } from 'node:http';

import { inRepository } from '../../repository.mjs';

export const family = 'documents';

/**
 * A server on this machine, which answers whatever it is asked: `/to?<url>` sends on to another place. Of its requests
 * `upstream` counts those that came, but for the first of a row that begins here.
 */
export async function open() {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const [, location] = /^\/to\?(.*)/.exec(request.url) ?? [];
    if (location === undefined) response.end(JSON.stringify(withSchema({ type: 'string' })));
    else response.writeHead(302, { location: decodeURIComponent(location) }).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { compile } = await import(inRepository('dist/src/api/compile.js'));
  return {
    port: server.address().port,
    compile,
    witness: async () => ({ upstream: asked.length }),
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

/** This machine, once for each way to judge it: URLs write every other spelling as one of these. @type {((port: number) => string)[]} */
const places = [
  ...['127.0.0.1', 'localhost', 'localhost.', '127.255.255.254', '0.0.0.0', '0x7f.1', '①②⑦.0.0.1'],
  ...['[::]', '[::1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]'],
  ...['schemas.example@127.0.0.1', 'schemas.example:80@localhost'],
].map((host) => (port) => `http://${host}:${port}/x`);

/** Not by a name of the server that sends on, nor in letters that a field can't hold. */
function isUnnamed(place) {
  return !/^localhost\.?$/.test(new URL(place(1)).hostname) && /^[ -~]*$/.test(place(1));
}

const clouds = [
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'http://10.0.0.1/',
].map((url) => () => url);

/** Operations at two hosts, whose credentials are read from one variable. */
const clashing = {
  ...withSchema({}),
  paths: Object.fromEntries(
    ['files.corp.example', 'files-corp.example'].map((host, at) => [
      `/${at}`,
      {
        get: {
          operationId: `o${at}`,
          servers: [{ url: `https://${host}` }],
          security: [{ key: [] }],
          responses: { 200: { description: 'd' } },
        },
      },
    ]),
  ),
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
};

const text = (schema) => JSON.stringify(withSchema(schema));

/** @type {[name: string, document: string, want: string][]} */
const table = [
  ['a reference to a file', text({ $ref: 'file:///etc/passwd' }), 'MCPG116'],
  ['a reference upward', text({ $ref: '../../../../../../../../etc/passwd' }), 'MCPG116'],
  ['two hosts that would share a variable', JSON.stringify(clashing), 'MCPG428'],
];

async function codesOf({ compile }, text, options = {}) {
  const stdin = () => Promise.resolve(Buffer.from(text));
  const { diagnostics } = await compile({ source: '-', stdin, ...options });
  return [...new Set(diagnostics.map(({ code }) => code))].join(' ');
}

export const rows = [
  ...[...places, ...clouds].map((place) => ({
    name: `a reference to ${place('<port>')}`,
    want: 'MCPG115',
    attack: (target) => codesOf(target, text({ $ref: place(target.port) })),
  })),
  {
    name: 'a reference to another host behind the name of one that is allowed',
    want: 'MCPG115',
    attack: (target) =>
      codesOf(target, text({ $ref: `http://schemas.example@127.0.0.1:${target.port}/x` }), {
        allowRemoteRefs: ['schemas.example'],
      }),
  },
  ...[...places, ...clouds].filter(isUnnamed).map((place) => ({
    name: `a document that is sent on to ${place('<port>')}`,
    want: 'not public',
    reaches: { upstream: 1 },
    attack: async ({ compile, port }) => {
      const to = encodeURIComponent(place(port));
      // The person who compiles may name this machine; an answer may not.
      const { diagnostics } = await compile({ source: `http://localhost:${port}/to?${to}` });
      const { message = 'nothing' } = diagnostics[0] ?? {};
      return /not public/.test(message) ? 'not public' : message;
    },
  })),
  ...table.map(([name, document, want]) => ({
    name,
    want,
    attack: (target) => codesOf(target, document),
  })),
];
