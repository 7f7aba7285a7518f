// docs/templates.md, "A feature of your own": it runs, survives the next run, and stays out of the project's golden tests.
import { execFile, spawn } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../architecture/support/source-files.ts';
import { runInProcess } from '../cli/support/fake-host.ts';
import { temporaryFolder } from '../cli/support/temporary-folder.ts';
import { makeHttpClient } from '../runtime/client.ts';
import { blocksOf, fileOf } from './blocks.ts';

const PAGE = 'docs/templates.md';
const MODULE = 'src/handlers/call-count.ts';

test('a feature of your own', async () => {
  const folder = temporaryFolder();
  cpSync(join(repositoryRoot, 'fixtures/petstore.yaml'), join(folder, 'petstore.yaml'));
  await runInProcess(['openapi', 'petstore.yaml', '-o', 'pets'], { cwd: folder });
  const cwd = join(folder, 'pets');
  writeFileSync(join(cwd, MODULE), blocksOf(PAGE).find((block) => fileOf(block) === MODULE)?.text ?? '');
  await runInProcess(['templates', 'eject', 'src/server.ts'], { cwd });
  const template = join(cwd, 'templates/src/server.ts.hbs');
  const [importLine = '', item = ''] =
    /add `([^`]+)` and, to `features`, `([^`]+)`/
      .exec(readFileSync(join(repositoryRoot, PAGE), 'utf8'))
      ?.slice(1) ?? [];
  const edited = readFileSync(template, 'utf8')
    .replace('import { handlers }', `${importLine}\nimport { handlers }`)
    .replace('  features: [\n', `  features: [\n    ${item}\n`);
  writeFileSync(template, edited);
  const config = join(cwd, 'mcpgen.config.json');
  const settings = JSON.parse(readFileSync(config, 'utf8')) as object;
  writeFileSync(config, JSON.stringify({ ...settings, templates: 'templates' }));
  expect(await runInProcess(['generate'], { cwd })).toMatchObject({ exitCode: 0 });

  const server = spawn(process.execPath, ['dist/main.js', '--transport', 'http', '--port', '0'], { cwd });
  onTestFinished(() => void server.kill());
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  await expect.poll(() => /serving (\S+)\/mcp/.exec(log)?.[1], { timeout: 10_000 }).toBeDefined();
  const client = makeHttpClient(/serving (\S+)\/mcp/.exec(log)?.[1] ?? '');
  const session = await client.open();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getPet', arguments: {} } };
  await client.post(call, session);
  expect((await client.send('GET', '/calls', {})).text).toBe('1');

  const { stdout } = await promisify(execFile)(process.execPath, ['--test', 'test/wire.js'], { cwd });
  expect(stdout).toMatch(/^# fail 0$/m);
});
