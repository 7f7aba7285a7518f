/**
 * Packs this package, building it on the way, installs the tarball into an empty folder, compiles a document with it
 * there, lists the tools of what came out, and tests a function. Needs the registry.
 */
import assert from 'node:assert/strict';
import { access, cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { connectNewClient, listAll } from './lib/clients.mjs';
import { inRepository, root } from './lib/repository.mjs';
import { runOrThrow } from './lib/run.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readOptions } from './lib/usage.mjs';

async function check(folder) {
  // `prepack` prints before the JSON, so the folder shows what was packed.
  await runOrThrow('npm', ['pack', '--pack-destination', folder], { cwd: root });
  const [filename] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  assert.ok(filename, 'npm pack made no tarball');
  const { size } = await stat(path.join(folder, filename));
  console.log(`packed    ${filename}: ${(size / 1024).toFixed(0)} KiB`);
  const home = path.join(folder, 'empty');
  await mkdir(home);
  await writeFile(path.join(home, 'package.json'), '{ "private": true }\n');
  const flags = ['--no-audit', '--no-fund', '--omit=dev', '--loglevel', 'error'];
  await runOrThrow('npm', ['install', path.join(folder, filename), ...flags], { cwd: home });
  console.log('installed into an empty folder');
  const { stdout } = await runOrThrow('npx', ['--no', 'mcpgen', '--version'], { cwd: home });
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  const given = ['--yes', `file:${path.join(folder, filename)}`, '--help'];
  const elsewhere = path.join(folder, 'elsewhere');
  await mkdir(elsewhere);
  const { stdout: help } = await runOrThrow('npx', given, { cwd: elsewhere });
  assert.match(help, /^Examples:\n {2}mcpgen openapi/);
  console.log('npx       runs it installed, and from the tarball alone');
  await access(path.join(home, 'node_modules/mcpgen/dist/preview/page.js'));
  await cp(inRepository('fixtures/petstore.yaml'), path.join(home, 'petstore.yaml'));
  const program = path.join(home, 'node_modules/.bin/mcpgen');
  await runOrThrow(program, ['openapi', 'petstore.yaml', '-o', 'petstore-mcp'], { cwd: home });
  const { client, close } = await connectNewClient(path.join(home, 'petstore-mcp'));
  const { tools, prompts } = await listAll(client).finally(close);
  console.log(`compiled  petstore.yaml: ${tools.length} tools, ${prompts.length} prompts`);
  assert.equal(tools.length, 13);
  assert.equal(prompts.length, 2);
  await writeFile(path.join(home, 'tools.ts'), FUNCTION);
  await writeFile(path.join(home, 'test.mjs'), TEST);
  await runOrThrow(process.execPath, ['test.mjs'], { cwd: home });
  console.log('tested    a function with mcpgen/testing');
}

const FUNCTION = `import type { Context } from 'mcpgen/runtime';

/** @tool */
export const add = (a: number, b: number, context: Context): number => (context.signal.aborted ? 0 : a + b);
`;

const TEST = `import assert from 'node:assert/strict';
import { connect } from 'mcpgen/testing';

const client = await connect('tools.ts');
const { structuredContent } = await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
assert.deepEqual(structuredContent, { result: 3 });
await client.close();
`;

readOptions('node scripts/package-check.mjs');
await withTempFolder('package', check);
