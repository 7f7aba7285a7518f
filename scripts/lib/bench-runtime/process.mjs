/** Processes that a script has started, seen from outside. */
import { readFileSync } from 'node:fs';

/** Resident bytes of a running process, or with `VmHWM` their peak (Linux), else undefined. */
export function memoryOf(pid, field = 'VmRSS') {
  try {
    const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    );
    return line === null ? undefined : Number(line[1]) * 1024;
  } catch {
    return undefined;
  }
}

/** Resolves when `child` has ended, with its exit code or signal. */
export function endOf(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
}

/** The first URL that a server says on standard error, but for that of its metrics. What else it says there is dropped. */
export function urlOf(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-4_000);
      // The line of the start has the address of the API, and that of the metrics.
      const url = /(?<!(?:API|metrics): )https?:\/\/[^\s,]+(?<!\/metrics)(?=[\s,])/.exec(said)?.[0];
      if (url !== undefined) resolve(new URL(url));
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${said}`)));
  });
}
