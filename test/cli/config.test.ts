import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DiagnosticCollector } from '../../src/diagnostics/collector.ts';
import { readRouteMap } from '../../src/config/load/read-route-map.ts';
import { runInProcess } from './support/fake-host.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const cwd = temporaryFolder();

test.each(['generate', 'check', 'inspect'])(
  '%s of a folder without a config: missing-config',
  async (command) => {
    mkdirSync(join(cwd, 'empty'), { recursive: true });
    const { exitCode, stdout, stderr } = await runInProcess([command, 'empty'], { cwd });
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('error MCPG603 missing-config: empty/mcpgen.config.json does not exist');
  },
);

test.each(['generate', 'check'])('%s below a configuration names it, and its forms', async (command) => {
  mkdirSync(join(cwd, 'above/sub/deep'), { recursive: true });
  writeFileSync(join(cwd, 'above/mcpgen.config.json'), '{ "source": "a.yaml" }');
  const { exitCode, stderr } = await runInProcess([command], { cwd: join(cwd, 'above/sub/deep') });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('mcpgen.config.json does not exist (nor with the endings ');
  for (const form of ['.ts', '.js']) expect(stderr).toContain(form);
  expect(stderr).toContain('A folder above has ../../mcpgen.config.json: name it');
  expect(stderr).toContain('`mcpgen init`');
});

test.each(['generate', 'check', 'inspect'])('%s with a wrong config: invalid-config', async (command) => {
  mkdirSync(join(cwd, 'wrong'), { recursive: true });
  writeFileSync(join(cwd, 'wrong/mcpgen.config.json'), '{ "source": "a.yaml", "nmae": "x" }');
  const { exitCode, stderr } = await runInProcess([command, 'wrong'], { cwd });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    'invalid-config: wrong/mcpgen.config.json cannot be used: it has an unknown member "nmae"',
  );
  expect(stderr).toContain('hint: Correct the file.');
});

test.each(['generate', 'check', 'inspect'])(
  '%s of a project made from standard input: no-source-kept, and nothing is waited for',
  async (command) => {
    mkdirSync(join(cwd, 'piped'), { recursive: true });
    writeFileSync(join(cwd, 'piped/mcpgen.config.json'), '{ "source": "-" }');
    const readStdin = () => Promise.reject(new Error('read'));
    const { exitCode, stderr } = await runInProcess([command, 'piped'], { cwd, readStdin });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('no-source-kept');
    expect(stderr).toContain('mcpgen openapi <file> -o piped');
  },
);

const RULES = [{ methods: ['GET'], path: '/pets/**', as: 'resource' }, { as: 'tool' }];

test.each([
  { file: 'routes.json', text: JSON.stringify(RULES) },
  { file: 'routes.yaml', text: '- { methods: [GET], path: /pets/**, as: resource }\n- as: tool\n' },
])('$file is a route map', async ({ file, text }) => {
  writeFileSync(join(cwd, file), text);
  const diagnostics = new DiagnosticCollector();
  expect(await readRouteMap(file, cwd, diagnostics)).toEqual(RULES);
  expect(diagnostics.found).toEqual([]);
});

test.each([
  { text: 'as: tool', problem: 'it must be a list of rules' },
  { text: '- 3', problem: 'rule 1 must be an object' },
  {
    text: '- as: tool\n- as: tol',
    problem: 'rule 2 "as" must be one of tool, resource, template, exclude',
  },
  {
    text: '- { as: tool, method: GET }',
    problem: 'rule 1 has an unknown member "method" (did you mean "methods"?)',
  },
  { text: '- [', problem: 'it is not valid YAML' },
])('a route map saying $text is an invalid-config', async ({ text, problem }) => {
  writeFileSync(join(cwd, 'bad.yaml'), text);
  const diagnostics = new DiagnosticCollector();
  expect(await readRouteMap('bad.yaml', cwd, diagnostics)).toBeUndefined();
  expect(diagnostics.found).toMatchObject([{ name: 'invalid-config', severity: 'error' }]);
  expect(diagnostics.found[0]?.message).toContain(problem);
});
