// What `mcpgen init` writes in code: it says the sources and the folder alone, and with every comment taken away all there is, which is fine too.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { printFirstConfig } from '../../../src/config/options/commented-config.ts';
import type { ConfigSource } from '../../../src/config/options/sources.ts';
import { DiagnosticCollector } from '../../../src/diagnostics/collector.ts';
import { readConfig } from '../../../src/config/load/read-config.ts';
import { repositoryRoot } from '../../architecture/support/source-files.ts';
import { temporaryFolder } from '../../cli/support/temporary-folder.ts';

const schema = JSON.parse(readFileSync(join(repositoryRoot, 'schema/config.json'), 'utf8')) as {
  properties: object;
};
const validate = new Ajv2020({ strict: false }).compile(schema);

const SOURCES: ConfigSource[] = [
  { openapi: "it's an api.yaml" },
  { typescript: ['src/**/*.ts', 'tools.js'] },
];

async function readAs(text: string, format: string): Promise<object | undefined> {
  const dir = temporaryFolder();
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, `mcpgen.config.${format}`), text);
  const diagnostics = new DiagnosticCollector();
  const read = await readConfig(dir, { cwd: dir, diagnostics });
  expect(diagnostics.found.map(({ message }) => message)).toEqual([]);
  return read?.config;
}

describe.each(['ts', 'js'])('as %s', (format) => {
  test('it has the sources and the folder alone', async () => {
    const config = await readAs(printFirstConfig(SOURCES, 'pets-mcp'), format);
    expect(config).toMatchObject({ sources: SOURCES, output: 'pets-mcp' });
    expect(Object.keys(config ?? {}).filter((key) => key !== '$schema')).toEqual(['sources', 'output']);
    expect(validate(config)).toBe(true);
  });

  const setting = /^( *)\/\/ (\w+: (?:['"[{\d]|true).*)$/gm;

  test('each comment is a member that can be set, and none is missing', async () => {
    const text = printFirstConfig(SOURCES, 'pets-mcp').replace(setting, '$1$2');
    const config = await readAs(text, format);
    expect(validate(config), JSON.stringify(validate.errors)).toBe(true);
    const [document = {}, functions = {}] = (config as { sources: object[] }).sources;
    const set = new Set([config ?? {}, document, functions].flatMap(Object.keys));
    const others = ['openapi', 'prefix', '$schema'];
    const known = [...Object.keys(schema.properties), ...others].filter(
      (key) => key !== 'source' && key !== 'servers',
    );
    expect([...set, '$schema'].sort()).toEqual(known.filter((key, at) => known.indexOf(key) === at).sort());
  });
});

test.each<[string, unknown, boolean]>([
  ['a document', { source: 'a.yaml' }, true],
  ['with a schema', { $schema: './x.json', source: 'a.yaml' }, true],
  ['a misspelt member', { sourc: 'a.yaml' }, false],
  ['a text for a list', { source: 'a', include: 'tag:a' }, false],
  ['rules', { source: 'a', routeMap: [{ as: 'tool' }] }, true],
  ['rules that say nothing', { source: 'a', routeMap: [{}] }, false],
  ['several servers', { strict: true, servers: { a: { source: 'a', output: 'x' }, b: {} } }, true],
  ['a misspelt member of a server', { servers: { a: { sourc: 'a' } } }, false],
  ['a source of both kinds', { sources: [{ openapi: 'a', typescript: 'b' }] }, false],
])('the schema judges %s', (_, config, want) => {
  expect(validate(config)).toBe(want);
});
