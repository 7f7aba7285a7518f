/** Compiles fixtures into temporary folders. */
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { onTestFinished } from 'vitest';

import { linkPackages } from '../../../scripts/lib/link-packages.mjs';
import { generate } from '../../../src/index.ts';
import { FEATURE_NAMES } from '../../../src/model/features.ts';
import { publishTargets } from '../../../src/model/published.ts';
import { fixtures, mcpgen } from './command.ts';

/** A fresh folder; the caller removes it. */
export async function temporaryFolder(): Promise<string> {
  return realpath(await mkdtemp(path.join(tmpdir(), 'mcpgen-e2e-')));
}

/** A fresh folder that goes when the test ends. */
export async function folderForTest(): Promise<string> {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Kubernetes brings Redis, and Redis a dependency. */
const targetsWithoutPackages = publishTargets
  .filter((target) => target !== 'kubernetes')
  .flatMap((target) => ['--publish', target]);

const ADDED = [
  ...targetsWithoutPackages,
  ...FEATURE_NAMES.filter((name) => name !== 'redis').flatMap((feature) => ['--feature', feature]),
];

/** Compiles `fixtures/<fixture>` to `<folder>/<name>`, with all features and the files of all publish targets that need no package, and gives that folder. Throws with what the compiler said. */
export async function compileFixture(
  fixture: string,
  folder: string,
  name = 'project',
  options: string[] = [],
): Promise<string> {
  const project = path.join(folder, name);
  const ended = await mcpgen(['openapi', path.join(fixtures, fixture), ...ADDED, ...options, '-o', project]);
  if (ended.code !== 0) throw new Error(`${fixture} ended with ${String(ended.code)}:\n${ended.stderr}`);
  return project;
}

/** The same in this process, for tests that compile many. */
export async function compileHere(fixture: string, folder: string): Promise<string> {
  const { ok, diagnostics } = await generate({
    source: path.join(fixtures, fixture),
    dir: 'project',
    cwd: folder,
    publish: publishTargets.filter((target) => target !== 'kubernetes'),
    addFeatures: FEATURE_NAMES.filter((name) => name !== 'redis'),
  });
  if (!ok) throw new Error(`${fixture}: ${diagnostics.map(({ message }) => message).join('\n')}`);
  return path.join(folder, 'project');
}

/** Gives a project the packages its own build needs. */
export async function linkTypes(project: string): Promise<void> {
  linkPackages(project);
}

/** Every file below a folder, by its `/`-separated path. */
export async function filesOf(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .sort();
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await readFile(path.join(folder, name))] satisfies [string, Buffer]),
    ),
  );
}
