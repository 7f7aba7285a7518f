// A configuration that names files which are not there: each is told in one run, with its member and its place.
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

interface Case {
  given: string;
  /** By default `mcpgen.config.json`. */
  file?: string;
  args?: string[];
  /** Place, and what is said there. */
  want: [place: string, words: string][];
}

const isNoFile = 'but no such file exists (paths are relative to .)';
const isNoFolder = 'but no such folder exists (paths are relative to .)';

test.each<[string, Case]>([
  [
    'a source',
    { given: '{ "source": "gone.yaml" }', want: [['1:13', `"source" names "gone.yaml", ${isNoFile}`]] },
  ],
  [
    'all that one document may have',
    {
      given:
        '{ "source": "petstore.yaml",\n  "overlays": [\n    "gone.yaml"],\n  "templates": "own",\n  "hooks": "./hooks.ts",\n  "routeMap": "routes.yaml" }',
      want: [
        ['3:5', `"overlays[0]" names "gone.yaml", ${isNoFile}`],
        ['4:16', `"templates" names "own", ${isNoFolder}`],
        ['5:12', `"hooks" names "./hooks.ts", ${isNoFile}`],
        ['6:15', `"routeMap" names "routes.yaml", ${isNoFile}`],
      ],
    },
  ],
  [
    'a file for a folder',
    {
      given: '{ "source": "petstore.yaml",\n  "templates": "petstore.yaml" }',
      want: [['2:16', `"templates" names "petstore.yaml", ${isNoFolder}`]],
    },
  ],
  [
    'each source of several',
    {
      given:
        '{ "sources": [\n  { "openapi": "gone.yaml", "overlays": ["lost.yaml"] },\n  { "openapi": "petstore.yaml", "routeMap": "routes.yaml" }] }',
      want: [
        ['2:16', `"sources[0].openapi" names "gone.yaml", ${isNoFile}`],
        ['2:42', `"sources[0].overlays[0]" names "lost.yaml", ${isNoFile}`],
        ['3:45', `"sources[1].routeMap" names "routes.yaml", ${isNoFile}`],
      ],
    },
  ],
  [
    'the server that is meant, and what is for all',
    {
      given:
        '{ "source": "petstore.yaml",\n  "templates": "own",\n  "servers": {\n    "a": { "overlays": ["gone.yaml"] },\n    "b": { "overlays": ["lost.yaml"] } } }',
      args: ['--server', 'b'],
      want: [
        ['2:16', `"templates" names "own", ${isNoFolder}`],
        ['5:25', `"servers.b.overlays[0]" names "lost.yaml", ${isNoFile}`],
      ],
    },
  ],
  [
    'beside members that are wrong',
    {
      given: '{ "source": "gone.yaml",\n  "templates": "own",\n  "nmae": "x" }',
      want: [
        ['1:13', `"source" names "gone.yaml", ${isNoFile}`],
        ['2:16', `"templates" names "own", ${isNoFolder}`],
        ['3:3', 'it has an unknown member "nmae" (did you mean "name"?)'],
      ],
    },
  ],
  [
    'beside wrong members of several servers, once',
    {
      given:
        '{ "templates": "own",\n  "servers": {\n    "a": { "source": "gone.yaml" },\n    "b": { "source": "petstore.yaml", "strict": "no" } } }',
      want: [
        ['1:16', `"templates" names "own", ${isNoFolder}`],
        ['3:22', `"servers.a.source" names "gone.yaml", ${isNoFile}`],
        ['4:49', '"servers.b.strict" must be true or false'],
      ],
    },
  ],
  [
    'in a text whose variable is set',
    {
      given:
        '{ "source": "petstore.yaml",\n  "overlays": ["${NAME:-gone}.yaml", "${UNSET}.yaml"],\n  "nmae": "x" }',
      want: [
        ['2:16', `"overlays[0]" names "gone.yaml", ${isNoFile}`],
        ['3:3', 'it has an unknown member "nmae" (did you mean "name"?)'],
      ],
    },
  ],
  [
    'in a configuration that is code',
    {
      file: 'mcpgen.config.ts',
      given: "export default {\n  source: 'petstore.yaml',\n  overlays: ['gone.yaml'],\n};\n",
      want: [['', `"overlays[0]" names "gone.yaml", ${isNoFile}`]],
    },
  ],
])('%s', async (_, { given, file = 'mcpgen.config.json', args = [], want }) => {
  const cwd = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(cwd, 'petstore.yaml'));
  writeFileSync(join(cwd, file), given);
  for (const command of ['generate', 'check']) {
    const { exitCode, stdout } = await runInProcess([command, ...args, '--json'], { cwd });
    expect(exitCode).toBe(2);
    expect(toldOf(stdout)).toEqual(
      // A fault of code has no line.
      want.map(([place, words]) => [
        place === '' ? 'undefined:undefined:undefined' : `${file}:${place}`,
        `${file} cannot be used: ${words}.`,
      ]),
    );
  }
  expect(readdirSync(cwd).sort()).toEqual([file, 'petstore.yaml'].sort());
});

interface Printed {
  diagnostics: { code: string; message: string; file?: string; line?: number; column?: number }[];
}

function toldOf(stdout: string): [place: string, words: string][] {
  const { diagnostics } = JSON.parse(stdout) as Printed;
  return diagnostics
    .filter(({ code }) => code === 'MCPG604')
    .map(({ message, file, line, column }) => [`${file}:${line}:${column}`, message]);
}
