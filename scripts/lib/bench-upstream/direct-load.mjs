/** Has the API called without any server in between, by a process of its own. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { cpuOf, endOf } from '../bench-runtime/process.mjs';

/**
 * @param {string} base the API's URL
 * @param {{ inFlight: number }} settings
 */
export function startDirectLoad(base, { inFlight }) {
  const program = path.join(import.meta.dirname, 'direct.mjs');
  const child = spawn(process.execPath, [program, base, String(inFlight)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Makes that many calls of one of the `operations`, and says how many ms they took. */
    run: async (calls, operation) => {
      child.stdin.write(`${JSON.stringify({ operation, calls })}\n`);
      const { value } = await lines.next();
      if (value === undefined) throw new Error('The direct calls failed.');
      return Number(value);
    },
    cpu: () => cpuOf(child.pid),
    close: async () => {
      const ended = endOf(child);
      child.stdin.end();
      await ended;
    },
  };
}
