/** Compiles fixtures into temporary folders. */
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { onTestFinished } from 'vitest';

import { linkPackages } from '../../../scripts/lib/link-packages.mjs';
import { generate, type GenerateOptions } from '../../../src/index.ts';
import { FEATURE_NAMES } from '../../../src/model/features.ts';
import { publishTargets } from '../../../src/model/published.ts';
import { fixtures } from './command.ts';

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

/**
 * Compiles `fixtures/<fixture>` to `<folder>/<name>`, with all features and the files of all publish targets that need no package
 * (Kubernetes brings Redis, and Redis a dependency), and gives that folder. Throws with what the compiler said.
 */
export async function compileFixture(
  fixture: string,
  folder: string,
  name = 'project',
  options: Partial<GenerateOptions> = {},
): Promise<string> {
  const { ok, diagnostics } = await generate({
    source: path.join(fixtures, fixture),
    dir: name,
    cwd: folder,
    publish: publishTargets.filter((target) => target !== 'kubernetes'),
    addFeatures: FEATURE_NAMES.filter((feature) => feature !== 'redis'),
    ...options,
  });
  if (!ok) throw new Error(`${fixture}: ${diagnostics.map(({ message }) => message).join('\n')}`);
  return path.join(folder, name);
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
