// mcpgen.surface.json: what it may say, and its place between the configuration and the flags.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSurfaceFile } from '../../../src/config/load/read-surface-file.ts';
import { mergeSettingsForServer, addSurfaceSettings } from '../../../src/config/options/surface-file.ts';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { temporaryFolder } from '../../cli/support/temporary-folder.ts';

async function read(text: string, servers: string[] = []) {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'mcpgen.surface.json'), text);
  const diagnostics = new DiagnosticCollector();
  const file = await readSurfaceFile('.', { cwd, diagnostics }, servers);
  return { file, found: diagnostics.found };
}

test('all members', async () => {
  const whole = {
    ...{
      $schema: 'x',
      include: ['tag:a'],
      exclude: ['op:b'],
      surface: 'auto',
      features: ['stdio'],
      overlays: ['a.yaml'],
    },
    tools: {
      a: {
        name: 'b',
        title: 't',
        description: 'd',
        annotations: { readOnlyHint: true },
        pin: false,
        hide: true,
      },
    },
  };
  expect(await read(JSON.stringify(whole))).toEqual({ file: whole, found: [] });
});

test.each([
  ['{"inclde":[]}', 'it has an unknown member "inclde" (did you mean "include"?)'],
  ['{"include":["pets"]}', 'a selector starts with tag:, path:, op: or method:'],
  ['{"surface":"all"}', '"surface" must be one of tools, search, both, auto'],
  ['{"features":["nothing"]}', 'the features are'],
  ...[
    '-',
    'https://a.example/o.yaml',
    '../o.yaml',
    'a/../../o.yaml',
    '/etc/o.yaml',
    '..\\\\o.yaml',
    'C:o.yaml',
  ].map((path) => [`{"overlays":["${path}"]}`, 'it must be a file in this folder or below it']),
  [
    '{"tools":{"a":{"discription":"x"}}}',
    '"tools.a" has an unknown member "discription" (did you mean "description"?)',
  ],
  [
    '{"tools":{"a":{"annotations":{"readOnly":true}}}}',
    '"tools.a.annotations" has an unknown member "readOnly"',
  ],
  [
    '{"tools":{"a":{"arguments":{"b":{"default":1}}}}}',
    '"tools.a.arguments.b" has an unknown member "default"',
  ],
  ['{"servers":{"none":{}}}', '"servers" has an unknown member "none"'],
  ['[]', 'it is not an object'],
  ['{"include":[],"include":[]}', 'twice'],
  ['{', ''],
])('%s is an error', async (text = '', problem = '') => {
  const { file, found } = await read(text);
  expect(file).toBeUndefined();
  expect(found).toMatchObject([
    { code: 'MCPG604', severity: 'error', origin: { file: 'mcpgen.surface.json' } },
  ]);
  expect(found[0]?.message).toContain(problem);
});

describe('what it changes', () => {
  test('lists are replaced, overlays come after, and words are joined', () => {
    const config = {
      ...{ source: 'a.yaml', include: ['tag:a'], overlays: ['one.yaml'] },
      toolWords: { a: { title: 'A', description: 'Old', arguments: { x: { hide: true } } } },
    };
    const settings = {
      ...{ include: ['tag:b'], overlays: ['one.yaml', 'two.yaml'] },
      tools: { a: { description: 'New', arguments: { x: { description: 'X' } } } },
    };
    expect(addSurfaceSettings(config, settings)).toEqual({
      ...{ source: 'a.yaml', include: ['tag:b'], overlays: ['one.yaml', 'two.yaml'] },
      toolWords: {
        a: { title: 'A', description: 'New', arguments: { x: { hide: true, description: 'X' } } },
      },
    });
  });

  test('the selection holds for each document, an overlay for the only one', () => {
    const functions = { typescript: 'a.ts' };
    const settings = { exclude: ['tag:x'], overlays: ['o.yaml'] };
    expect(addSurfaceSettings({ sources: [{ openapi: 'a.yaml' }, functions] }, settings).sources).toEqual([
      { openapi: 'a.yaml', exclude: ['tag:x'], overlays: ['o.yaml'] },
      functions,
    ]);
    expect(
      addSurfaceSettings({ sources: [{ openapi: 'a.yaml' }, { openapi: 'b.yaml' }] }, settings).sources,
    ).toEqual([
      { openapi: 'a.yaml', exclude: ['tag:x'] },
      { openapi: 'b.yaml', exclude: ['tag:x'] },
    ]);
  });

  test('a server has the shared settings and its own', () => {
    const file = {
      ...{ surface: 'both' as const, overlays: ['a.yaml'], tools: { a: { title: 'A' } } },
      servers: { one: { surface: 'search' as const, overlays: ['b.yaml'], tools: { a: { pin: true } } } },
    };
    expect(mergeSettingsForServer(file, 'one')).toEqual({
      ...{ surface: 'search', overlays: ['a.yaml', 'b.yaml'], tools: { a: { title: 'A', pin: true } } },
    });
    expect(mergeSettingsForServer(file, 'two')).toEqual({
      surface: 'both',
      overlays: ['a.yaml'],
      tools: { a: { title: 'A' } },
    });
    expect(mergeSettingsForServer(file, '__proto__').surface).toBe('both');
  });
});
