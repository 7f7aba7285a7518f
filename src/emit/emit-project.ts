/**
 * Emits a project: the same input gives the same bytes in the same order, the lock last. Throws `DiagnosticError` for faults of
 * the user's templates.
 */
import type { ServerModel } from '../model/server-model.ts';
import { emitCoreProject } from './core-project.ts';
import type { EmitOptions } from './emit-options.ts';
import { type GeneratedFile, assertPathsUnique } from './generated-file.ts';
import { emitLock } from './lock.ts';
import { openTemplates } from './templates/open-templates.ts';

export async function emitProject(model: ServerModel, options: EmitOptions): Promise<GeneratedFile[]> {
  const templates = await openTemplates(options.templates);
  const version = options.published?.version;
  const server = version === undefined ? model : { ...model, version };
  const files = await emitCoreProject(server, options, templates);
  return assertPathsUnique([...files, emitLock(model, options, files)]);
}
