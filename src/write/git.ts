/** What the git of a project's folder says. It is asked for texts alone, and changes nothing. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** `undefined` when git is missing, refuses, or has nothing to say. */
export async function git(root: string, args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', ['-C', root, ...args], {
      maxBuffer: 256 * 1024 * 1024,
      timeout: 10_000,
      windowsHide: true,
    });
    return stdout;
  } catch {
    return undefined;
  }
}

/** A file of the project as a commit has it. Not by `show`, which runs what a configuration of git names. */
export async function textAt(root: string, commit: string, path: string): Promise<string | undefined> {
  return git(root, ['cat-file', 'blob', `${commit}:./${path}`]);
}
