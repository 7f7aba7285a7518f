/** Checks of files: Node.js, the project, its lock, its build. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonObject } from '../util/read-file.ts';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { type BuiltProject, listProjectsBelow } from '../project/built-project.ts';
import { readProject } from '../project/existing-project.ts';
import { pathOfBuild } from '../emit/index.ts';
import { listHandlers, nodeFileSystem } from '../write/index.ts';
import { type Check, makeFailedCheck, makePassedCheck } from './check.ts';

export function checkNodeVersion(version: string, project: BuiltProject | undefined): Check {
  const engines = project && readEnginesNode(project.root);
  if (engines === undefined || isAtLeast(version, engines)) return makePassedCheck('Node.js', version);
  return makeFailedCheck(
    'Node.js',
    `${version} is older than ${engines}, which the server needs`,
    `install Node.js ${engines} or later, and run \`mcpgen install\` again: clients start the server with the Node.js it names`,
  );
}

/** Reads `engines.node` of the project; undefined if it has another form than `>=20.19`. */
function readEnginesNode(root: string): string | undefined {
  const engines = readJsonObject(join(root, 'package.json'))?.['engines'];
  const range = isRecord(engines) ? engines['node'] : undefined;
  return typeof range === 'string' ? /^>=\s*([\d.]+)$/.exec(range)?.[1] : undefined;
}

function isAtLeast(version: string, range: string): boolean {
  const [have, want] = [version, range].map((text) => text.split('.').map(Number));
  const at = want?.findIndex((part, index) => part !== (have?.[index] ?? 0)) ?? -1;
  return at === -1 || (have?.[at] ?? 0) > (want?.[at] ?? 0);
}

export function checkProject(project: BuiltProject | undefined, dir: string, cwd: string): Check {
  if (project === undefined) {
    const [below = '<folder>'] = listProjectsBelow(dir, cwd);
    return makeFailedCheck(
      'project',
      `${dir} has no mcpgen.lock, so it is not the folder of a project`,
      `name the folder that mcpgen wrote: \`mcpgen doctor ${below}\``,
    );
  }
  const files = ['package.json', 'src/generated/catalog.json', 'src/generated/bindings.json'];
  const missing = files.filter((file) => !existsSync(join(project.root, file)));
  const broken = files.filter(
    (file) => !missing.includes(file) && readJsonObject(join(project.root, file)) === undefined,
  );
  if (missing.length > 0 || broken.length > 0) {
    const says = [
      ...missing.map((file) => `${file} is missing`),
      ...broken.map((file) => `${file} is no object of JSON`),
    ].join(', ');
    return makeFailedCheck(
      'project',
      says,
      `\`mcpgen generate ${dir}\` writes what is missing; \`git status\` shows what changed`,
    );
  }
  return makePassedCheck('project', `${project.name}, ${String(project.tools.length)} tools`);
}

export async function checkLock({ root }: BuiltProject, dir: string): Promise<Check> {
  const { lock, problems } = await readProject(root);
  const [problem] = problems.found;
  if (problem !== undefined)
    return makeFailedCheck('lock', problem.message, problem.hint ?? `mcpgen explain ${problem.code}`);
  if (lock === undefined)
    return makeFailedCheck('lock', 'mcpgen.lock cannot be read', `\`mcpgen generate ${dir} --rebuild-lock\``);
  return makePassedCheck('lock', `mcpgen.lock, written by ${lock.compiler}`);
}

export async function checkBuild({ root, isBuilt }: BuiltProject, dir: string): Promise<Check> {
  const next = `\`mcpgen generate ${dir}\`, or \`npm install && npm run build\` in the folder`;
  if (!isBuilt)
    return makeFailedCheck('build', 'dist/main.js does not exist, so clients cannot start the server', next);
  const modified = (path: string) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs;
  const stale = (await listHandlers(root, nodeFileSystem)).find(
    (path) => (modified(path) ?? 0) > (modified(pathOfBuild(path)) ?? 0),
  );
  return stale === undefined
    ? makePassedCheck('build', 'dist/main.js exists')
    : makeFailedCheck('build', `${stale} has changed since dist/ was built`, next);
}
