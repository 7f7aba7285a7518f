// Settings for tokens in the environment, and the words of refusals.
import { expect, test } from 'vitest';
import { parseAuthSettings } from '../../../templates/runtime/oauth/settings.ts';
import { AUTH_VARIABLES } from '../../../templates/runtime/contract/auth-variables.ts';

const LEAST = { MCP_AUTH_ISSUER: 'https://id.test', MCP_AUTH_AUDIENCE: 'https://mcp.test/mcp' };

test('the least', () => {
  const { resource, ...settings } = parseAuthSettings(LEAST);
  expect(resource.href).toBe('https://mcp.test/mcp');
  expect(settings).toEqual({
    issuers: ['https://id.test'],
    audiences: ['https://mcp.test/mcp'],
    algorithms: expect.arrayContaining(['RS256', 'ES256', 'EdDSA']),
    plainJwt: false,
    trailingSlash: false,
    toleranceSeconds: 5,
    pointer: false,
  });
  expect(settings.algorithms.filter((each) => /^HS|none/i.test(each))).toEqual([]);
});

test.each<[Record<string, string | undefined>, string]>([
  [{ MCP_AUTH_ISSUER: '' }, 'MCP_AUTH_ISSUER is not set. Over HTTP this server asks for tokens'],
  [{ MCP_AUTH_AUDIENCE: ' , ' }, 'MCP_AUTH_AUDIENCE is not set'],
  [{ MCP_AUTH_ISSUER: 'http://id.test' }, 'MCP_AUTH_ISSUER must be an https URL'],
  [{ MCP_AUTH_ISSUER: 'http://127.0.0.1.evil.test' }, 'MCP_AUTH_ISSUER must be an https URL'],
  [{ MCP_AUTH_ISSUER: 'https://u:secret@id.test' }, 'not https://…@id.test'],
  [{ MCP_AUTH_ISSUER: 'https://id.test?tenant=1' }, 'MCP_AUTH_ISSUER must be an https URL'],
  [{ MCP_AUTH_ISSUER: 'id.test' }, 'MCP_AUTH_ISSUER must be an https URL'],
  [{ MCP_AUTH_AUDIENCE: 'api://mcp' }, 'MCP_AUTH_RESOURCE is not set'],
  [{ MCP_AUTH_RESOURCE: 'http://mcp.test' }, 'MCP_AUTH_RESOURCE must be an https URL'],
  [{ MCP_AUTH_JWKS_URI: 'http://id.test/jwks' }, 'MCP_AUTH_JWKS_URI must be an https URL'],
  [
    { MCP_AUTH_JWKS_URI: 'https://a.test/jwks', MCP_AUTH_ISSUER: 'https://a.test,https://b.test' },
    'MCP_AUTH_JWKS_URI goes with one issuer',
  ],
  [{ MCP_AUTH_ALGORITHMS: 'RS256,HS256' }, "MCP_AUTH_ALGORITHMS can't hold HS256"],
  [{ MCP_AUTH_ALGORITHMS: 'none' }, "MCP_AUTH_ALGORITHMS can't hold none"],
  [{ MCP_AUTH_PLAIN_JWT: 'yes' }, 'MCP_AUTH_PLAIN_JWT must be 1 or 0, not yes'],
  [{ MCP_AUTH_TOLERANCE_SECONDS: '301' }, 'MCP_AUTH_TOLERANCE_SECONDS must be a whole number, 0 to 300'],
  [{ MCP_AUTH_TOLERANCE_SECONDS: '-1' }, 'MCP_AUTH_TOLERANCE_SECONDS must be a whole number, 0 to 300'],
  [
    { MCP_AUTH_INTROSPECTION_URI: 'https://id.test/i' },
    'needs MCP_AUTH_CLIENT_ID and MCP_AUTH_CLIENT_SECRET',
  ],
  [{ MCP_AUTH_CLIENT_ID: 'c' }, 'MCP_AUTH_CLIENT_ID goes with MCP_AUTH_INTROSPECTION_URI'],
  [{ MCP_AUTH_CLIENT_SECRET: 's' }, 'MCP_AUTH_CLIENT_SECRET goes with MCP_AUTH_INTROSPECTION_URI'],
])('%j', (env, words) => {
  expect(() => parseAuthSettings({ ...LEAST, ...env })).toThrow(words);
});

test.each(['http://127.0.0.1:9', 'http://localhost:9', 'http://[::1]:9'])('%s is of this machine', (url) => {
  expect(parseAuthSettings({ ...LEAST, MCP_AUTH_ISSUER: url }).issuers).toEqual([url]);
});

test('each variable that is read is told of', () => {
  const told = new Set(AUTH_VARIABLES.map(({ name }) => name));
  const read = new Set<string>();
  const env = new Proxy<Record<string, string>>(
    { ...LEAST, MCP_AUTH_INTROSPECTION_URI: 'https://id.test/i' },
    {
      get: (target, name) => {
        read.add(String(name));
        return Reflect.get(target, name) ?? (String(name).includes('CLIENT') ? 'x' : undefined);
      },
    },
  );
  parseAuthSettings(env);
  expect([...read].sort()).toEqual([...told].sort());
});
