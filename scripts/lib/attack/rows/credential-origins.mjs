/**
 * A document that changes its host, to take the credentials along. A project is compiled once; then something is changed, and
 * `generate` must refuse to write. The witness counts projects that were written with another origin than before.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';

import { inRepository } from '../../repository.mjs';

export const family = 'credential origins';

const EVIL = 'https://evil.example';

/** Two operations for the API's own servers, one at a server of its own, and one below a path that has one. */
const original = () => {
  const responses = { 200: { description: 'd' } };
  return {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    servers: [{ url: 'https://api.example.com/v1' }, { url: 'https://sandbox.example.com' }],
    security: [{ key: [] }],
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        files: { type: 'http', scheme: 'bearer' },
        oauth: {
          type: 'oauth2',
          flows: { clientCredentials: { tokenUrl: 'https://id.example.com/token', scopes: {} } },
        },
        oidc: {
          type: 'openIdConnect',
          openIdConnectUrl: 'https://id.example.com/.well-known/openid-configuration',
        },
      },
    },
    paths: {
      '/a': {
        get: { operationId: 'a', responses },
        post: { operationId: 'b', security: [{ oauth: [] }, { oidc: [] }], responses },
      },
      '/files': {
        get: {
          operationId: 'c',
          servers: [{ url: 'https://files.example.com' }],
          security: [{ files: [] }],
          responses,
        },
      },
      '/beside': { servers: [{ url: '/v2' }], get: { operationId: 'd', responses } },
      '/region': {
        servers: [
          {
            url: 'https://{region}.example.com',
            variables: { region: { default: 'eu', enum: ['eu', 'us'] } },
          },
        ],
        get: { operationId: 'e', responses },
      },
      '/free': {
        servers: [
          {
            url: 'https://{tenant}.example.com/{v}',
            variables: { tenant: { default: 'a' }, v: { default: '1' } },
          },
        ],
        get: { operationId: 'f', responses },
      },
    },
  };
};

const CONFIG = { source: '../api.json' };

export async function open(folder) {
  const { generate, regenerate } = await import(inRepository('dist/src/index.js'));
  const start = path.join(folder, 'start');
  await mkdir(start);
  await writeFile(path.join(start, 'api.json'), JSON.stringify(original()));
  const first = await generate({ source: 'api.json', dir: 'out', cwd: start });
  if (!first.ok) throw new Error(`the project was not written: ${JSON.stringify(first.diagnostics)}`);
  let moved = 0;
  return {
    witness: async () => ({ moved }),
    close: async () => undefined,
    /** @param {(cwd: string) => Promise<object | void>} change resolves with options of the second run */
    async try(change) {
      const cwd = await mkdtemp(path.join(folder, 'row-'));
      await cp(start, cwd, { recursive: true });
      const before = await bindingsIn(cwd);
      const options = (await change(cwd)) ?? {};
      const { ok, diagnostics } = await regenerate('out', { cwd, ...options });
      const isWritten = ok && (await bindingsIn(cwd)) !== before;
      if (isWritten) moved += 1;
      await rm(cwd, { recursive: true });
      const errors = diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code);
      return isWritten ? `written ${errors.join(' ')}` : [...new Set(errors)].join(' ') || 'nothing';
    },
  };
}

const bindingsIn = (cwd) => readFile(path.join(cwd, 'out/src/generated/bindings.json'), 'utf8');

/** @param {string} cwd @param {string} file @param {(value: any) => any} change of its JSON, in place or by another value */
async function edit(cwd, file, change) {
  const name = path.join(cwd, file);
  const value = JSON.parse(await readFile(name, 'utf8'));
  await writeFile(name, JSON.stringify(change(value) ?? value, undefined, 2));
}

/** @type {(change: (document: any) => void) => (cwd: string) => Promise<void>} */
const inDocument = (change) => (cwd) => edit(cwd, 'api.json', (document) => void change(document));
const server = (url) =>
  inDocument((document) => {
    document.servers[0].url = url;
  });
const pathServer = (place, url) =>
  inDocument((document) => {
    (document.paths[place].servers ?? document.paths[place].get.servers)[0].url = url;
  });
const moved = server(`${EVIL}/v1`);
const lock = (cwd, change) => edit(cwd, 'out/mcpgen.lock', (value) => void change(value));

/** @type {[what: string, change: (cwd: string) => Promise<object | void>][]} */
const table = [
  ['another host', moved],
  ['another port', server('https://api.example.com:8443/v1')],
  ['http in place of https', server('http://api.example.com/v1')],
  ['a host behind userinfo', server('https://api.example.com@evil.example/v1')],
  ['a host behind a password', server('https://api.example.com:443@evil.example/v1')],
  ['a backslash before the old host', server('https://evil.example\\@api.example.com/v1')],
  ['a tab in the host', server('https://ev\til.example/v1')],
  ['a dot behind the host', server('https://api.example.com./v1')],
  ['a Cyrillic letter in the host', server('https://аpi.example.com/v1')],
  ['the old host as the start of another', server('https://api.example.com.evil.example/v1')],
  ['capitals of another host', server('HTTPS://EVIL.EXAMPLE/v1')],
  ['the address of a host', server('https://2130706433/v1')],
  [
    'another second server',
    inDocument((document) => {
      document.servers[1].url = EVIL;
    }),
  ],
  [
    'a third server',
    inDocument((document) => {
      document.servers.push({ url: EVIL });
    }),
  ],
  ['another server of an operation', pathServer('/files', EVIL)],
  [
    'an operation gets a server',
    inDocument((document) => {
      document.paths['/a'].get.servers = [{ url: EVIL }];
    }),
  ],
  ['another server of a path', pathServer('/beside', `${EVIL}/v2`)],
  ['a server of a path without scheme', pathServer('/beside', '//evil.example/v2')],
  ['a server of a path with backslashes', pathServer('/beside', '\\\\evil.example\\v2')],
  [
    'another default of a variable',
    inDocument((document) => {
      document.paths['/free'].servers[0].variables.tenant.default = 'evil.example/';
    }),
  ],
  [
    'another template about a variable',
    inDocument((document) => {
      document.paths['/free'].servers[0].url = 'https://{tenant}.evil.example';
    }),
  ],
  [
    'another template about a variable, which gives the same by default',
    inDocument((document) => {
      const variables = { tenant: { default: 'a.example.com' } };
      document.paths['/free'].servers[0] = { url: 'https://{tenant}', variables };
    }),
  ],
  [
    'userinfo in a variable',
    inDocument((document) => {
      document.paths['/free'].servers[0] = {
        url: 'https://a.example.com{v}',
        variables: { v: { default: '@evil.example', enum: ['@evil.example'] } },
      };
    }),
  ],
  [
    'another value of an enum',
    inDocument((document) => {
      document.paths['/region'].servers[0].variables.region.enum.push('evil.example/');
    }),
  ],
  [
    'another token endpoint',
    inDocument((document) => {
      document.components.securitySchemes.oauth.flows.clientCredentials.tokenUrl = `${EVIL}/token`;
    }),
  ],
  [
    'another metadata document',
    inDocument((document) => {
      document.components.securitySchemes.oidc.openIdConnectUrl = `${EVIL}/.well-known/openid-configuration`;
    }),
  ],
  [
    'a credential for a known host of another',
    inDocument((document) => {
      document.paths['/files'].get.security = [{ key: [] }];
    }),
  ],
  [
    'schemes that change names',
    inDocument((document) => {
      document.security = [{ files: [] }];
      document.paths['/files'].get.security = [{ key: [] }];
    }),
  ],
  [
    'an overlay',
    async (cwd) => {
      const actions = [{ target: '$.servers[0]', update: { url: EVIL } }];
      await writeFile(
        path.join(cwd, 'overlay.json'),
        JSON.stringify({ overlay: '1.0.0', info: { title: 'O', version: '1' }, actions }),
      );
      await edit(cwd, 'out/mcpgen.config.json', (config) => ({ ...config, overlays: ['../overlay.json'] }));
    },
  ],
  [
    'a baseUrl in the configuration',
    (cwd) => edit(cwd, 'out/mcpgen.config.json', (config) => ({ ...config, baseUrl: EVIL })),
  ],
  [
    'a baseUrl that the environment is filled into',
    async (cwd) => {
      await edit(cwd, 'out/mcpgen.config.json', (config) => ({ ...config, baseUrl: `${EVIL}/\${SECRET}` }));
      return { env: { SECRET: 'word' } };
    },
  ],
  [
    'a baseUrl without credentials, that the environment is filled into',
    async (cwd) => {
      await inDocument((document) => {
        for (const operations of [document, ...Object.values(document.paths).flatMap(Object.values)])
          operations.security = [];
      })(cwd);
      await edit(cwd, 'out/mcpgen.config.json', (config) => ({ ...config, baseUrl: `${EVIL}/\${SECRET}` }));
      return { env: { SECRET: 'word' } };
    },
  ],
  [
    'a second API',
    async (cwd) => {
      const second = original();
      second.info.title = 'Second';
      second.servers = [{ url: EVIL }];
      await writeFile(path.join(cwd, 'second.json'), JSON.stringify(second));
      await edit(cwd, 'out/mcpgen.config.json', () => ({
        name: 't-mcp',
        sources: [{ openapi: '../api.json' }, { openapi: '../second.json', prefix: 'two_' }],
      }));
    },
  ],
  [
    'a relative server of a document that is elsewhere',
    async (cwd) => {
      const document = { ...original(), servers: [{ url: '/v1' }] };
      const http = createServer((_, response) => response.end(JSON.stringify(document)));
      await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve));
      http.unref();
      const source = `http://127.0.0.1:${http.address().port}/api.json`;
      await edit(cwd, 'out/mcpgen.config.json', () => ({ ...CONFIG, source }));
      setTimeout(() => http.close(), 10_000).unref();
    },
  ],
  [
    'a lock without origins',
    async (cwd) => {
      await moved(cwd);
      await lock(cwd, (value) => {
        delete value.origins;
      });
    },
  ],
  [
    'a lock with another origin',
    async (cwd) => {
      await moved(cwd);
      await lock(cwd, (value) => {
        value.origins ??= { sentTo: { API_KEY_KEY: [] }, hash: 'sha256-0' };
        for (const origins of Object.values(value.origins.sentTo)) origins.push(EVIL);
      });
    },
  ],
  [
    'a lock with other origins, and bindings that fit',
    async (cwd) => {
      await moved(cwd);
      await lock(cwd, (value) => {
        value.origins = { sentTo: { API_KEY_KEY: [EVIL] }, hash: 'sha256-0' };
      });
      const file = path.join(cwd, 'out/src/generated/bindings.json');
      await writeFile(file, (await readFile(file, 'utf8')).replaceAll('https://api.example.com', EVIL));
    },
  ],
  [
    'no lock, with force',
    async (cwd) => {
      await moved(cwd);
      await rm(path.join(cwd, 'out/mcpgen.lock'));
      return { force: true };
    },
  ],
  [
    'force',
    async (cwd) => {
      await moved(cwd);
      return { force: true };
    },
  ],
  [
    'consent to another origin',
    async (cwd) => {
      await moved(cwd);
      return { acceptOrigins: ['https://evil.example:8443'] };
    },
  ],
];

export const rows = table.map(([what, change]) => ({
  name: what,
  want: 'MCPG580',
  attack: (target) => target.try(change),
}));
