/**
 * `npm run e2e:upgrade`: four projects as mcpgen 0.1.0 wrote them (an API, functions, OAuth, templates of the user) are generated
 * again. No file beside the runtime and `test/tsconfig.json`, no flag and no edit may be lost, and the server starts, lists and calls. Ends with 1 on
 * any loss. The projects, without `dist/`, and the flags of their servers are in fixtures/projects-of-0.1.json.br.
 */
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

import { tryServer } from './lib/publish/try-server.mjs';
import { inRepository } from './lib/repository.mjs';
import { mcpgen, run } from './lib/run.mjs';
import { paint } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { readOptions } from './lib/usage.mjs';

/** Texts that a person has put into a project, by file. */
const EDITS = {
  openapi: { 'src/handlers/index.ts': "name: 'sure'", 'package.json': 'echo mine' },
  functions: {},
  oauth: {},
  'templates-own': { 'README.md': 'A line of our own.', 'src/server.ts': '// A line of our own.' },
};

/** Its settings are in `tsconfig.json` now. */
const RETIRED = 'test/tsconfig.json';

readOptions('npm run e2e:upgrade');
const packed = await readFile(inRepository('fixtures/projects-of-0.1.json.br'));
/** @type {{ flags: Record<string, string[]>, files: Record<string, string> }} */
const { flags, files } = JSON.parse(brotliDecompressSync(packed).toString('utf8'));
const complaints = await withTempFolder('e2e-upgrade', async (folder) => {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  }
  const all = [];
  for (const name of Object.keys(flags)) {
    const found = await upgrade(name, path.join(folder, name));
    console.log(`${found.length === 0 ? paint('green', '✓') : paint('red', '✗')} ${name}`);
    all.push(...found.map((each) => `${name}: ${each}`));
  }
  return all;
});
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;

async function upgrade(name, project) {
  await symlink(inRepository('node_modules'), path.join(project, 'node_modules'));
  const stale = await mcpgen(['check'], { cwd: project });
  const first = await mcpgen(['generate'], { cwd: project });
  if (first.code !== 0) return [`generate ended with ${first.code}:\n${first.stderr}`];
  const again = await mcpgen(['check'], { cwd: project });
  const there = new Set(await readdir(project, { recursive: true }));
  const old = Object.keys(files)
    .filter((file) => file.startsWith(`${name}/`))
    .map((file) => file.slice(name.length + 1));
  const main = path.join(project, 'dist/main.js');
  const help = await run(process.execPath, [main, '--help'], { cwd: project });
  return [
    ...(stale.code === 1 && stale.stderr.includes('made by mcpgen 0.1.0')
      ? []
      : [`check of the old project ended with ${stale.code}:\n${stale.stderr}`]),
    ...(first.stderr.includes('MCPG592') ? [] : ['generate does not say how to make the project smaller']),
    ...(again.code === 0 ? [] : [`check ended with ${again.code}:\n${again.stdout}${again.stderr}`]),
    ...old
      .filter((file) => !file.startsWith('src/runtime/') && file !== RETIRED && !there.has(file))
      .map((file) => `${file} is gone`),
    ...flags[name].filter((flag) => !help.stdout.includes(`${flag} `)).map((flag) => `${flag} is gone`),
    ...(await lostEdits(name, project)),
    ...(await tryServer(process.execPath, [main], project)),
  ];
}

async function lostEdits(name, project) {
  const lost = [];
  for (const [file, text] of Object.entries(EDITS[name]))
    if (!(await readFile(path.join(project, file), 'utf8')).includes(text))
      lost.push(`the edit of ${file} is lost`);
  return lost;
}
