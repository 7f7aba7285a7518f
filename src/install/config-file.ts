/** Reads and replaces a client's configuration: atomically, behind links, only if nobody else has changed it, and with a backup. */
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { decodeUtf8 } from '../util/read-file.ts';
import { DiagnosticCollector, DiagnosticError, createDiagnostic } from '../diagnostics/collector.ts';
import { isBelow } from '../write/find-obstacle.ts';
import { isSystemError, renameFile, reportSystemError } from '../write/file-system.ts';
import { makeTemporaryPath, removeTemporaryFilesOf } from '../write/temporary-files.ts';

export interface ConfigFile {
  /** The path as the client names it, for messages. */
  path: string;
  /** The path of the file itself, with symbolic links resolved. */
  target: string;
  /** The bytes of the file; `undefined` if there is none. */
  bytes: Buffer | undefined;
  /** The text without the byte order mark; empty if there is no file. */
  text: string;
}

const MARK = '\uFEFF';

/** `within`: a folder that links must not leave, since a repository may have put them there. */
export function readConfigFile(path: string, within?: string): ConfigFile {
  return runReportingErrors(path, () => {
    const target = resolveLinks(path, within);
    const bytes = readIfThere(target);
    // `writeConfigFile` puts the mark back.
    const text = decodeUtf8(bytes ?? Buffer.of())?.replace(MARK, '');
    if (text === undefined) throw makeUnfitConfigError(path, 'its text is not UTF-8', 'Save it as UTF-8.');
    return { path, target, bytes, text };
  });
}

export interface Written {
  /** Absent if there was no file to keep. */
  backup?: string;
}

/** `isPrivate`: only its owner may read a new file. */
export function writeConfigFile(
  { path, target, bytes }: ConfigFile,
  text: string,
  { keepsBackup, isPrivate }: { keepsBackup: boolean; isPrivate: boolean },
): Written {
  return runReportingErrors(path, () => {
    mkdirSync(dirname(target), { recursive: true });
    const backup = backupPath(target);
    const [draft, backupDraft] = [makeTemporaryPath(target), makeTemporaryPath(backup)];
    const isBackedUp = keepsBackup && bytes !== undefined;
    removeConfigLeftovers(target);
    try {
      const mark = bytes?.subarray(0, 3).toString('utf8') === MARK ? MARK : '';
      writeWithSameMode(draft, Buffer.from(mark + text), target, isPrivate);
      if (isBackedUp) writeWithSameMode(backupDraft, bytes, target, isPrivate);
      if (!isSame(readIfThere(target), bytes))
        throw makeUnfitConfigError(
          path,
          'it changed while mcpgen was at work',
          'Run the command again. If it fails again, close the client first.',
        );
      if (isBackedUp) renameFile(backupDraft, backup);
      renameFile(draft, target);
      if (!isBackedUp) rmSync(backup, { force: true });
      return isBackedUp ? { backup } : {};
    } finally {
      for (const file of [draft, backupDraft]) rmSync(file, { force: true });
    }
  });
}

/** Removes what killed runs have left beside a configuration. */
export function removeConfigLeftovers(target: string): void {
  for (const place of [target, backupPath(target)]) removeTemporaryFilesOf(place);
}

export function backupPath(target: string): string {
  return `${target}.mcpgen.bak`;
}

function resolveLinks(path: string, within: string | undefined): string {
  const folder = nearestFolder(dirname(path));
  const place = join(realpathSync(folder), relative(folder, path));
  const target = pathExists(place) ? resolveFileLink(place, path) : place;
  if (within !== undefined) {
    if (!isBelow(realpathSync(within), target))
      throw makeUnfitConfigError(
        path,
        `it is a link to ${target}, outside of the project`,
        'Replace the link with a file.',
      );
  }
  return target;
}

function resolveFileLink(place: string, path: string): string {
  try {
    const target = realpathSync(place);
    if (statSync(target).isFile()) return target;
    throw makeUnfitConfigError(path, 'it is not a file', 'Remove what is there.');
  } catch (error) {
    if (!isSystemError(error) || (error.code !== 'ENOENT' && error.code !== 'ELOOP')) throw error;
    throw makeUnfitConfigError(
      path,
      'it is a link that leads nowhere',
      'Remove the link, or make its target.',
    );
  }
}

function nearestFolder(folder: string): string {
  const above = dirname(folder);
  return pathExists(folder) || above === folder ? folder : nearestFolder(above);
}

function pathExists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function readIfThere(path: string): Buffer | undefined {
  return pathExists(path) ? readFileSync(path) : undefined;
}

/** Writes a file with the permissions and the owner of `like`, if it exists. */
function writeWithSameMode(path: string, contents: Buffer, like: string, isPrivate: boolean): void {
  const stats = statSync(like, { throwIfNoEntry: false });
  writeFileSync(path, contents, { flag: 'wx', mode: stats !== undefined || isPrivate ? 0o600 : 0o666 });
  if (stats === undefined) return;
  chmodSync(path, stats.mode & 0o7777);
  const mine = statSync(path);
  if (mine.uid !== stats.uid || mine.gid !== stats.gid) chownSync(path, stats.uid, stats.gid);
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}

function runReportingErrors<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const diagnostics = new DiagnosticCollector();
    reportSystemError(Object.assign(error, { path, dest: undefined }), path, diagnostics);
    throw new DiagnosticError(...diagnostics.found);
  }
}

function makeUnfitConfigError(file: string, problem: string, fix: string): DiagnosticError {
  return new DiagnosticError(createDiagnostic('client-config-unfit', { file, problem, fix }));
}
