/**
 * `npm run e2e:publish [-- --schema <file>] [--only <project>]`: projects of each kind, installed and built as in a
 * fresh clone, judged by publint, attw, mcpb and dockerfilelint, packed, installed elsewhere, and started by `npx`
 * and from their bundle. Packages come from npm. `--schema` is the MCP registry's JSON Schema of server.json
 * (2025-12-11). Ends with 1 on a complaint.
 */
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { judgeProject } from './lib/publish/judge-project.mjs';
import { inRepository } from './lib/repository.mjs';
import { mcpgenOrThrow, runOrThrow } from './lib/run.mjs';
import { paint, seconds } from './lib/table.mjs';
import { withTempFolder } from './lib/temp.mjs';
import { misused, readOptions } from './lib/usage.mjs';

const LOOSE = {
  'package.json': '{ "name": "loose", "version": "0.3.0", "type": "module" }\n',
  'tsconfig.json':
    '{ "compilerOptions": { "module": "nodenext", "target": "es2022", "strict": false, "noImplicitAny": false } }\n',
  'tools.ts':
    '/** Greets. @tool */\nexport function hi(): string { const all = []; all.push("hi"); const none: string = null; return none ?? all[0]; }\n',
};

const TARGET_NAMES = ['npm', 'docker', 'registry', 'mcpb', 'github'];
/** Calls go without the API. */
const TARGETS = [...TARGET_NAMES.flatMap((target) => ['--publish', target]), '--feature', 'mock'];

/** By what is special about them: what `mcpgen` is told, in a folder with the fixtures. */
const projects = {
  api: ['openapi', 'fixtures/petstore.yaml', ...TARGETS],
  functions: [
    'ts',
    'fixtures/typescript/weather/src/forecast.ts',
    'fixtures/typescript/weather/src/notes.ts',
    ...TARGETS,
  ],
  mixed: ['generate', 'fixtures/mixed/trip'],
  oauth: ['openapi', 'fixtures/petstore.yaml', '--auth', 'oauth', ...TARGETS],
  'kept-options': ['ts', 'loose/tools.ts', ...TARGETS],
};

const usage = `npm run e2e:publish [-- --schema <file>] [--only <project>]\nProjects: ${Object.keys(projects).join(', ')}. --only may be repeated.`;
const { values } = readOptions(usage, {
  options: { schema: { type: 'string' }, only: { type: 'string', multiple: true } },
});
const chosen = values.only ?? Object.keys(projects);
for (const name of chosen) if (!Object.hasOwn(projects, name)) misused(usage, `There is no project ${name}.`);
const schema = values.schema === undefined ? undefined : JSON.parse(await readFile(values.schema, 'utf8'));

await withTempFolder('e2e-publish', async (folder) => {
  await cp(inRepository('fixtures'), path.join(folder, 'fixtures'), { recursive: true });
  await mkdir(path.join(folder, 'loose'));
  for (const [file, text] of Object.entries(LOOSE)) await writeFile(path.join(folder, 'loose', file), text);
  const config = path.join(folder, 'fixtures/mixed/trip/mcpgen.config.ts');
  const text = await readFile(config, 'utf8');
  await writeFile(config, text.replace("output: 'server',", `$& publish: ${JSON.stringify(TARGET_NAMES)},`));
  for (const name of chosen) await judge(name, folder);
});

async function judge(name, folder) {
  const began = performance.now();
  const project = path.join(folder, name);
  const complaints = await made(name, folder, project).then(
    () => judgeProject(project, path.join(folder, `${name}-made`), { schema }),
    (error) => [error.message],
  );
  const mark = complaints.length === 0 ? paint('green', '✓') : paint('red', '✗');
  console.log(`${mark} ${name}, in ${seconds(performance.now() - began)}`);
  for (const complaint of complaints) console.log(`  ${complaint.replaceAll('\n', '\n  ')}`);
  if (complaints.length > 0) process.exitCode = 1;
}

/** As a clone of it is made ready: without what mcpgen has built. */
async function made(name, folder, project) {
  await mcpgenOrThrow([...projects[name], '-o', name], { cwd: folder });
  await rm(path.join(project, 'dist'), { recursive: true, force: true });
  await runOrThrow('npm', ['install', '--no-audit', '--no-fund'], { cwd: project });
  await runOrThrow('npm', ['run', 'build'], { cwd: project });
  await runOrThrow('npm', ['test'], { cwd: project });
  await runOrThrow('npm', ['publish', '--dry-run'], { cwd: project });
}
