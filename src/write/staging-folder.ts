/**
 * The folder in which a run prepares its files. Its name has the process id, so that a later run can tell a folder in use from a
 * leftover. The name is signed, since a repository or an archive may contain a folder of such a name: mcpgen neither removes
 * nor waits for a folder that it has not made for this user.
 */
import { join } from 'node:path';
import { kill, pid } from 'node:process';
import type { FileSystem } from './file-system.ts';
import { isSigned, signForProject } from './user-key.ts';

const SIGNATURE_LENGTH = 16;

/** Folders of this process, since several runs in it have the same process id. */
const inUse = new Set<string>();

export interface StagingFolder {
  path: string;
  /** Process id of the run. */
  owner: number;
  /** Whether this process has made it, or this user has signed its name. */
  isOurs: boolean;
}

/** Makes a new path in `parent` (a real path): the project's folder, or the folder for a new `project`. */
export function makeStagingPath(parent: string, project?: string): string {
  const random = crypto.randomUUID().slice(0, 8);
  return join(parent, appendSignature(`${stagingPrefix(project)}${String(pid)}-${random}`, parent));
}

/** Signs the name; without a key it stays unsigned. */
export function appendSignature(name: string, parent: string): string {
  const signature = signForProject(folderTextToSign(name), parent);
  return signature === undefined ? name : `${name}-${signature.slice(0, SIGNATURE_LENGTH)}`;
}

/** The prefix keeps signatures of names and of journals apart. */
function folderTextToSign(name: string): string {
  return `folder ${name}`;
}

export async function makeStagingFolder(path: string, fs: FileSystem): Promise<void> {
  await fs.makeFolder(path);
  inUse.add(path);
}

/** Called at the end of a run, whatever remains in the folder. */
export function releaseStagingFolder(path: string): void {
  inUse.delete(path);
}

/** The folders in `parent` (a real path) with the name of a staging folder of any run. */
export async function listStagingFolders(
  parent: string,
  fs: FileSystem,
  project?: string,
): Promise<StagingFolder[]> {
  const start = stagingPrefix(project);
  const folders: StagingFolder[] = [];
  for (const name of await fs.readFolder(parent)) {
    const [, unsigned, owner, signature = ''] = name.startsWith(start)
      ? (/^((\d+)-[0-9a-f]{8})(?:-([0-9a-f]{16}))?$/.exec(name.slice(start.length)) ?? [])
      : [];
    if (unsigned === undefined) continue;
    const path = join(parent, name);
    if ((await fs.look(path))?.kind !== 'folder') continue;
    const text = folderTextToSign(start + unsigned);
    const isOurs = inUse.has(path) || isSigned(text, signature, parent, SIGNATURE_LENGTH);
    folders.push({ path, owner: Number(owner), isOurs });
  }
  return folders;
}

/** Whether the run of the folder still goes on. The process id in a foreign name is ignored. */
export function isInUse({ path, owner, isOurs }: StagingFolder): boolean {
  return isOurs && (owner === pid ? inUse.has(path) : isAlive(owner));
}

function stagingPrefix(project: string | undefined): string {
  return project === undefined ? '.mcpgen-' : `.${project}.mcpgen-`;
}

/** Whether a process runs. EPERM means that it runs, but belongs to another user. */
function isAlive(owner: number): boolean {
  try {
    kill(owner, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
