// Files and settings that a project has only with OAuth.
import { expect, test } from 'vitest';
import { petstore } from './models.ts';
import { contentsOf, emit } from './render-project.ts';

test('with OAuth: its part of the runtime, one dependency, variables, and rules as data', async () => {
  const implies = { "it's": ['${x}'] };
  const exchange = { '</script>`${x}`': { audience: ["it's"] } };
  const files = await emit(petstore, { auth: { scopes: ['base'], implies, onBehalf: 'optional', exchange } });
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'src/runtime/features/oauth/index.ts',
      'dist/runtime/features/oauth/index.js',
      'dist/runtime/run.js',
    ]),
  );
  expect(JSON.parse(contentsOf(files, 'package.json')).dependencies).toEqual({ jose: '^6.2.17' });
  expect(contentsOf(files, '.env.example')).toContain('MCP_AUTH_ISSUER=');
  expect(contentsOf(files, 'README.md')).toContain('`MCP_AUTH_AUDIENCE`');
  expect(contentsOf(files, 'Dockerfile')).toContain('then npm ci --omit=dev; else');
  expect(contentsOf(files, 'Dockerfile')).toContain('COPY package.json package-lock.json* ./');
  expect(contentsOf(files, '.dockerignore')).toContain('!package-lock.json');
  const server = contentsOf(files, 'src/server.ts');
  expect(server).toContain("from './runtime/features/oauth/index.ts'");
  expect(server).toContain('"scopes": ["base"]');
  expect(server).toContain('"it\'s": ["${x}"]');
  expect(server).toContain('"onBehalf": "optional"');
  expect(server).toMatch(/"<\/script>`\$\{x\}`": \{\s*"audience": \["it's"\]\s*\}/);
  expect(contentsOf(files, '.env.example')).toContain('MCP_AUTH_EXCHANGE_URI=');
});

test.each([
  [['http', 'dpop'], true],
  [['http'], false],
])('with the features %j, the code that verifies proofs of keys: %s', async (features, has) => {
  const files = await emit(petstore, { auth: {}, features });
  const isOfBinding = ({ path }: { path: string }): boolean => /^src\/runtime\/features\/dpop\//.test(path);
  expect(files.some(isOfBinding)).toBe(has);
  expect(contentsOf(files, '.env.example').includes('MCP_AUTH_DPOP=')).toBe(has);
  // Without the feature the server refuses its variables.
  const { refuses } = JSON.parse(contentsOf(files, 'src/generated/bindings.json')) as {
    refuses?: Record<string, string>;
  };
  if (!has) expect(refuses).toMatchObject({ MCP_AUTH_DPOP: 'dpop' });
});
