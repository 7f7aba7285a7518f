/**
 * The folder in which a run prepares what it writes. Its name says which process it belongs to, so that a later run can
 * tell a folder that is in use from one that a killed run has left.
 */
import { join } from 'node:path';
import { kill, pid } from 'node:process';
import type { FileSystem } from './file-system.ts';

/** Of this process: two runs in one process have one process id. */
const inUse = new Set<string>();

/** A folder that a run has made. */
export interface StagingFolder {
  /** Absolute path. */
  path: string;
  /** Process id of the run. */
  owner: number;
}

/** Where a run stages what it writes: in a project's folder, or beside the new one called `project` in `parent`. */
export function stagingPath(parent: string, project?: string): string {
  const random = crypto.randomUUID().slice(0, 8);
  return join(parent, `${prefix(project)}${String(pid)}-${random}`);
}

export async function makeStagingFolder(path: string, fs: FileSystem): Promise<void> {
  await fs.makeFolder(path);
  inUse.add(path);
}

/** The run is over, whatever is left in the folder. */
export function releaseStagingFolder(path: string): void {
  inUse.delete(path);
}

/** The staging folders that are in `parent` now, of whatever run. */
export async function listStagingFolders(
  parent: string,
  fs: FileSystem,
  project?: string,
): Promise<StagingFolder[]> {
  const start = prefix(project);
  const folders: StagingFolder[] = [];
  for (const name of await fs.readFolder(parent)) {
    const [, owner] = name.startsWith(start)
      ? (/^(\d+)-[0-9a-f]{8}$/.exec(name.slice(start.length)) ?? [])
      : [];
    if (owner === undefined) continue;
    const path = join(parent, name);
    if ((await fs.look(path))?.kind === 'folder') folders.push({ path, owner: Number(owner) });
  }
  return folders;
}

/** Whether the run that made the folder still goes on. */
export function isInUse({ path, owner }: StagingFolder): boolean {
  return owner === pid ? inUse.has(path) : isAlive(owner);
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
