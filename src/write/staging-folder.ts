/**
 * The folder in which a run prepares what it writes. Its name says which process it belongs to, so that a later run can
 * tell a folder that is in use from one that a killed run has left. The name is signed, since a folder of such a name can
 * also come with a repository or an archive: what mcpgen has not made for this user, it neither removes nor waits for.
 */
import { join } from 'node:path';
import { kill, pid } from 'node:process';
import type { FileSystem } from './file-system.ts';
import { isSigned, sign } from './user-key.ts';

const SIGNATURE_LENGTH = 16;

/** Of this process: two runs in one process have one process id. */
const inUse = new Set<string>();

/** A folder that a run has made. */
export interface StagingFolder {
  /** Absolute path. */
  path: string;
  /** Process id of the run. */
  owner: number;
  /** This process has made it, or the signature of its name is this user's. */
  isOurs: boolean;
}

/** Where a run stages what it writes: in a project's folder, or beside the new one called `project` in `parent` (a real path). */
export function stagingPath(parent: string, project?: string): string {
  const random = crypto.randomUUID().slice(0, 8);
  return join(parent, withSignature(`${prefix(project)}${String(pid)}-${random}`, parent));
}

/** The name as it is where there is no key. */
export function withSignature(name: string, parent: string): string {
  const signature = sign(signedText(name), parent);
  return signature === undefined ? name : `${name}-${signature.slice(0, SIGNATURE_LENGTH)}`;
}

/** No journal is signed as such a text, and no name as a journal. */
function signedText(name: string): string {
  return `folder ${name}`;
}

export async function makeStagingFolder(path: string, fs: FileSystem): Promise<void> {
  await fs.makeFolder(path);
  inUse.add(path);
}

/** The run is over, whatever is left in the folder. */
export function releaseStagingFolder(path: string): void {
  inUse.delete(path);
}

/** The folders in `parent` (a real path) that have the name of a staging folder, of whatever run. */
export async function listStagingFolders(
  parent: string,
  fs: FileSystem,
  project?: string,
): Promise<StagingFolder[]> {
  const start = prefix(project);
  const folders: StagingFolder[] = [];
  for (const name of await fs.readFolder(parent)) {
    const [, unsigned, owner, signature = ''] = name.startsWith(start)
      ? (/^((\d+)-[0-9a-f]{8})(?:-([0-9a-f]{16}))?$/.exec(name.slice(start.length)) ?? [])
      : [];
    if (unsigned === undefined) continue;
    const path = join(parent, name);
    if ((await fs.look(path))?.kind !== 'folder') continue;
    const text = signedText(start + unsigned);
    const isOurs = inUse.has(path) || isSigned(text, signature, parent, SIGNATURE_LENGTH);
    folders.push({ path, owner: Number(owner), isOurs });
  }
  return folders;
}

/** Whether the run that made the folder still goes on. A process id in a stranger's name says nothing. */
export function isInUse({ path, owner, isOurs }: StagingFolder): boolean {
  return isOurs && (owner === pid ? inUse.has(path) : isAlive(owner));
}

function prefix(project: string | undefined): string {
  return project === undefined ? '.mcpgen-' : `.${project}.mcpgen-`;
}

/** A process of somebody else's may not be signalled (EPERM), and is alive all the same. */
function isAlive(owner: number): boolean {
  try {
    kill(owner, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
