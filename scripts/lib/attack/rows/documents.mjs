/** Documents of strangers: none makes the compiler ask an address or read a file outside. `test/hostile` has those that exhaust it. */
import { createServer } from 'node:http';

import { inRepository } from '../../repository.mjs';
import { inModule } from '../prove/check.mjs';

export const family = 'documents';

/**
 * A server on this machine, which answers whatever it is asked: `/to?<url>` sends on to another place. Of its
 * requests `upstream` counts those that came, but for the first of a row that begins here.
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

const text = (schema) => JSON.stringify(withSchema(schema));

async function codesOf({ compile }, text, options = {}) {
  const stdin = () => Promise.resolve(Buffer.from(text));
  const { diagnostics } = await compile({ source: '-', stdin, ...options });
  return [...new Set(diagnostics.map(({ code }) => code))].join(' ');
}

export const rows = [
  {
    name: 'a reference to 127.0.0.1',
    want: 'MCPG115',
    attack: (target) => codesOf(target, text({ $ref: `http://127.0.0.1:${target.port}/x` })),
  },
  {
    name: 'a reference to another host behind the name of one that is allowed',
    want: 'MCPG115',
    attack: (target) =>
      codesOf(target, text({ $ref: `http://schemas.example@127.0.0.1:${target.port}/x` }), {
        allowRemoteRefs: ['schemas.example'],
      }),
  },
  ...['127.0.0.1', '[::ffff:7f00:1]'].map((host) => ({
    name: `a document that is sent on to ${host}`,
    want: 'not public',
    reaches: { upstream: 1 },
    attack: async ({ compile, port }) => {
      // The person who compiles may name this machine; an answer may not.
      const { diagnostics } = await compile({
        source: `http://localhost:${port}/to?http://${host}:${port}/x`,
      });
      const { message = 'nothing' } = diagnostics[0] ?? {};
      return /not public/.test(message) ? 'not public' : message;
    },
  })),
];

const ANY_ADDRESS = [
  'export function isPublicAddress(address) {',
  'export function isPublicAddress(address) {\n    if (address) return true;',
];
const ADDRESSES = 'templates/runtime/features/redirects';

export const checks = [
  {
    rows: /^a reference/,
    edits: [['allowsHost: createHostMatcher(options.hosts)', 'allowsHost: () => true'], ANY_ADDRESS],
    files: ['dist/src/util/ref-policy.js', `dist/${ADDRESSES}.js`],
  },
  inModule(ADDRESSES, /sent on to/, ANY_ADDRESS),
];
