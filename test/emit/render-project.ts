/** Emits a model into memory, and onto disk as a project that can be built. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { linkPackages } from '../../scripts/lib/link-packages.mjs';
import { emitProject, type EmitOptions, type GeneratedFile } from '../../src/emit/index.ts';
import { FEATURE_NAMES } from '../../src/model/features.ts';
import { publishTargets } from '../../src/model/published.ts';
import type { ServerModel } from '../../src/model/server-model.ts';

export function emit(model: ServerModel, options: Partial<EmitOptions> = {}): Promise<GeneratedFile[]> {
  return emitProject(model, {
    source: '/somewhere/petstore.yaml',
    compilerVersion: '9.9.9',
    config: '{ "source": "../petstore.yaml" }\n',
    // Redis, which Kubernetes brings, has a dependency: test/emit/deployment.test.ts.
    publish: publishTargets.filter((target) => target !== 'kubernetes'),
    features: FEATURE_NAMES.filter((name) => name !== 'redis'),
    ...options,
  });
}

export function contentsOf(files: GeneratedFile[], path: string): string {
  const file = files.find((candidate) => candidate.path === path);
  if (file === undefined) throw new Error(`no ${path}`);
  return file.contents;
}

/** Puts files into a new temporary folder, with this repository's packages in reach. */
export function placeProject(files: GeneratedFile[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcpgen-emit-'));
  for (const { path, contents } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
  linkPackages(folder);
  return folder;
}

export function removeProject(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
