import { expect, test } from 'vitest';
import { configToJson, makeConfig, resolveConfigPath } from '../../../src/config/options/make-config.ts';

test.each([
  { source: 'petstore.yaml', dir: 'petstore-mcp', want: '../petstore.yaml' },
  { source: 'specs/petstore.yaml', dir: 'out/petstore-mcp', want: '../../specs/petstore.yaml' },
  { source: '/elsewhere/petstore.yaml', dir: '/home/ada/out', want: '../../../elsewhere/petstore.yaml' },
  { source: 'petstore.yaml', dir: '.', want: 'petstore.yaml' },
  { source: '-', dir: 'out', want: '-' },
  {
    source: 'https://api.example.com/openapi.json?v=2',
    dir: 'out',
    want: 'https://api.example.com/openapi.json?v=2',
  },
  {
    source: 'https://me:secret@api.example.com/openapi.json',
    dir: 'out',
    want: 'https://api.example.com/openapi.json',
  },
])('$source, written to $dir, is $want', ({ source, dir, want }) => {
  const config = makeConfig({ source, cwd: '/home/ada/project' }, dir);
  expect(config).toEqual({ source: want });
});

test('what was asked for is kept, what was not is left out', () => {
  const options = {
    cwd: '/home/ada',
    source: 'a.yaml',
    overlays: ['b.yaml', 'https://example.com/c.yaml'],
    name: 'mine',
    include: ['tag:pets'],
    exclude: [],
    routeMap: [{ as: 'tool' as const }],
    routeMapFile: 'routes.yaml',
    strict: false,
    auth: { scopes: ['a'], exchange: { api: { audience: ['b'] } } },
    refRoot: '.',
  };
  expect(makeConfig(options, 'out')).toEqual({
    source: '../a.yaml',
    overlays: ['../b.yaml', 'https://example.com/c.yaml'],
    name: 'mine',
    auth: { scopes: ['a'], exchange: { api: { audience: ['b'] } } },
    include: ['tag:pets'],
    routeMap: '../routes.yaml',
    refRoot: '..',
  });
});

test('rules of tools are kept whole, functions are not', () => {
  const tools = {
    list: { fields: true, output: { select: ['/id'] }, arguments: { limit: { default: 10 } } },
  };
  const config = makeConfig(
    { source: 'a', cwd: '/home/ada', tools, hooks: { onModel: () => undefined } },
    'out',
  );
  expect(configToJson(config)).toEqual({ source: '../a', tools });
});

test('rules without a file are kept themselves', () => {
  const config = makeConfig(
    { source: 'a', cwd: '/home/ada', routeMap: [{ tags: ['x'], as: 'exclude' }] },
    'out',
  );
  expect(configToJson(config)).toEqual({ source: '../a', routeMap: [{ tags: ['x'], as: 'exclude' }] });
});

test.each([
  { path: '../petstore.yaml', want: 'petstore.yaml' },
  { path: '..', want: '.' },
  { path: '-', want: '-' },
  { path: 'https://api.example.com/openapi.json', want: 'https://api.example.com/openapi.json' },
])('$path comes back as $want', ({ path, want }) => {
  expect(resolveConfigPath(path, 'petstore-mcp', '/home/ada')).toBe(want);
});
