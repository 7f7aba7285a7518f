/** Temporary folders that do not stay behind. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Runs `work` with a fresh folder and removes it afterwards, whatever happens. */
export async function withTempFolder(name, work) {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), `mcpgen-${name}-`)));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
