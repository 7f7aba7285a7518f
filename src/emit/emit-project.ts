import type { ServerModel } from '../model/server-model.ts';
import { emitApp } from './app-files.ts';
import { claimPaths } from './claim-paths.ts';
import { emitCode } from './code-files.ts';
import { emitData } from './data-files.ts';
import type { EmitOptions } from './emit-options.ts';
import { chooseEntries } from './features.ts';
import type { GeneratedFile } from './generated-file.ts';
import { printLock } from './lock.ts';
import { emitProjectFiles } from './project-files.ts';
import { gathered } from './gathered.ts';
import { emitRuntime } from './runtime-files.ts';
import { withManifest } from './runtime-manifest.ts';
import { openTemplates } from './templates/open-templates.ts';

/**
 * Emits a whole project for `model`: same input, same bytes, in the same order; `mcpgen.lock` is the last file.
 *
 * Throws `DiagnosticError` when a template of the user is at fault; every other throw is a bug.
 */
export async function emitProject(model: ServerModel, options: EmitOptions): Promise<GeneratedFile[]> {
  const templates = await openTemplates(options.templates, options.helpers);
  const version = options.published?.version;
  const server = version === undefined ? model : { ...model, version };
  const emitted = [
    ...(
      await gathered([emitProjectFiles(server, options, templates), emitCode(server, options, templates)])
    ).flat(),
    ...(await emitData(server, options)),
    ...emitApp(options),
    ...emitRuntime(chooseEntries(model, options), options.runtime),
  ];
  const files = (await options.change?.(emitted)) ?? emitted;
  const all = withManifest(files);
  return claimPaths([...all, printLock(model, options, all)]);
}
