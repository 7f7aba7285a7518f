// A run in this process that is cut off at a change: it leaves on the disk what a killed process leaves.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { sep } from 'node:path';

type Change = (...parameters: unknown[]) => unknown;

const NEEDING_SPACE = ['writeFileSync', 'copyFileSync', 'mkdirSync'];
const CHANGES = [...NEEDING_SPACE, 'renameSync', 'rmSync', 'rmdirSync', 'unlinkSync'];

/**
 * Runs `work`, and lets its changes below `folder` fail from the one of the number `at` on: all of them, as if the process were
 * gone, or those that need room on a full disk. Half of what was being written is there. Returns the number of changes.
 */
export async function withFailingDisk(
  folder: string,
  how: 'kill' | 'full disk',
  at: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const functions = fs as unknown as Record<string, Change>;
  const originals = Object.fromEntries(CHANGES.map((name) => [name, functions[name]])) as typeof functions;
  let changes = 0;
  for (const [name, original] of Object.entries(originals))
    functions[name] = (...parameters) => {
      const [path, contents, options] = parameters;
      if (!String(path).startsWith(`${folder}${sep}`)) return original(...parameters);
      changes += 1;
      if (changes < at || (how === 'full disk' && !NEEDING_SPACE.includes(name)))
        return original(...parameters);
      const isFirst = changes === at || how === 'full disk';
      if (isFirst && name === 'writeFileSync' && (typeof contents === 'string' || Buffer.isBuffer(contents)))
        original(path, contents.slice(0, contents.length / 2), options);
      const error = new Error(`ENOSPC: no space left on device, write '${String(path)}'`);
      throw Object.assign(error, { code: 'ENOSPC', errno: -28, syscall: 'write', path: String(path) });
    };
  syncBuiltinESMExports();
  try {
    await work();
  } finally {
    Object.assign(functions, originals);
    syncBuiltinESMExports();
  }
  return changes;
}
