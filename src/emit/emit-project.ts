/**
 * Emits a project: the same input gives the same bytes in the same order, the lock last. Throws `DiagnosticError` for faults of
 * the user's templates.
 */
import { posix, relative } from 'node:path';

import { awaitAllDiagnostics } from '../diagnostics/collector.ts';
import type { ServerModel } from '../model/server-model.ts';
import { appendInlineMap } from '../util/inline-map.ts';
import { emitCode } from './code-files.ts';
import { emitCoreProject } from './core-project.ts';
import { emitDataFiles } from './data-files.ts';
import type { EmitOptions } from './emit-options.ts';
import { chooseFeatureEntries } from './features.ts';
import { type GeneratedFile, assertPathsUnique } from './generated-file.ts';
import { emitLock } from './lock.ts';
import { emitProjectFiles } from './project-files.ts';
import { emitRuntime, addManifest } from './runtime-files.ts';
import { openTemplates } from './templates/open-templates.ts';

export async function emitProject(model: ServerModel, options: EmitOptions): Promise<GeneratedFile[]> {
  const templates = await openTemplates(options.templates, options.helpers);
  const version = options.published?.version;
  const server = version === undefined ? model : { ...model, version };
  const emitted = (await emitCoreProject(server, options)) ?? [
    ...(
      await awaitAllDiagnostics([
        emitProjectFiles(server, options, templates),
        emitCode(server, options, templates),
      ])
    ).flat(),
    ...(await emitDataFiles(server, options)),
    ...emitApp(options),
    ...emitRuntime(chooseFeatureEntries(model, options)),
  ];
  const files = (await options.change?.(emitted)) ?? emitted;
  const all = addManifest(files);
  return assertPathsUnique([...all, emitLock(model, options, all)]);
}

/** Emits the user's code, and its build; of linked code only the build. */
function emitApp({ app, link = false, root }: Pick<EmitOptions, 'app' | 'link' | 'root'>): GeneratedFile[] {
  if (app === undefined) return [];
  return app.files.flatMap(({ path, origin, contents, built }): GeneratedFile[] => {
    const copied: GeneratedFile[] = link ? [] : [{ path, contents, ownership: 'generated' }];
    if (built === undefined) return copied;
    const way = link && root !== undefined ? relative(root, origin) : path;
    const source = posix.relative(posix.dirname(built.path), way.replaceAll('\\', '/'));
    const code = appendInlineMap(built.contents, built.map, source);
    return [...copied, { path: built.path, contents: code, ownership: 'built' }];
  });
}
