import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type FileSystem, isSystemError, nodeFileSystem } from './file-system.ts';
import { keepOriginal } from './keep-original.ts';
import { reportFault } from './report-fault.ts';

/**
 * Writes one file of a person's, whole or not at all: beside its place first. A file that is there stays, and this rejects
 * with `EEXIST`; with `force` it is replaced, kept as `<name>.orig` unless `original` is false, and a link to it goes on leading to it.
 */
export async function saveFile(
  path: string,
  contents: string,
  { force, original = true }: { force: boolean; original?: boolean },
  fs: FileSystem = nodeFileSystem,
): Promise<void> {
  const there = await fs.look(path);
  if (there !== undefined && !force)
    throw Object.assign(new Error(`EEXIST: there is a file ${path}`), { code: 'EEXIST', path });
  const target = there?.kind === 'link' ? await fs.realPath(path) : path;
  const draft = `${target}.${randomUUID().slice(0, 8)}.tmp`;
  try {
    await fs.writeText(draft, contents);
    const current = await fs.follow(path);
    if (current?.kind === 'file') await fs.changeMode(draft, current.mode);
    if (original) await keepOriginal(path, fs);
    await fs.rename(draft, target);
  } catch (error) {
    await fs.removeFile(draft).catch(() => undefined);
    throw error;
  }
}

/** As {@link saveFile}, in a folder that is made; a file that is in the way and faults of the system are reported as about `shown`. */
export async function saveFileOrReport(
  path: string,
  contents: string,
  { force, shown }: { force: boolean; shown: string },
  diagnostics: DiagnosticCollector,
): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await saveFile(path, contents, { force });
  } catch (error) {
    const named = isSystemError(error) ? Object.assign(error, { path: shown, dest: undefined }) : error;
    reportFault(named, shown, diagnostics);
  }
}
