/** Runs `mcpgen` in this process, where it is warm after its first run. */
import { run } from '../../../dist/src/cli/run.js';

/**
 * @param {string[]} args
 * @param {{ cwd: string }} options
 */
export async function mcpgen(args, { cwd }) {
  const said = { stdout: '', stderr: '' };
  const output = (name) => ({
    write: (text, taken) => {
      said[name] += text;
      taken?.();
    },
    isTTY: false,
    paint: (_style, text) => text,
  });
  const code = await run({
    args,
    cwd,
    env: {},
    stdout: output('stdout'),
    stderr: output('stderr'),
    readStdin: () => Promise.resolve(new Uint8Array()),
    stdinIsTTY: false,
    signal: new AbortController().signal,
    now: () => performance.now(),
  });
  return { code, ...said };
}
