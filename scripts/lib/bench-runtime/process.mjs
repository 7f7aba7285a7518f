/** Figures of a running server, read from outside. */
import { readFileSync } from 'node:fs';

/** Resident bytes of a running process (Linux), else undefined. */
export function residentOf(pid) {
  try {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}

/** The ms that a running process has been at work, the system's work for it included (Linux), else undefined. */
export function cpuOf(pid) {
  try {
    // Behind the name of the program, which may hold anything: the 12th and 13th field, in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
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
      const url = /https?:\/\/[^\s,]+(?<!\/metrics)(?=[\s,])/.exec(said)?.[0];
      if (url !== undefined) resolve(new URL(url));
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${said}`)));
  });
}
