/** The text that mcpgen wrote before a person edited it. The lock has its hash, so a text is the base or it is not. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type GeneratedFile, hashContents } from '../emit/index.ts';

export interface Base {
  text: string;
  /** What is generated now, or a commit of the project's history. */
  from: 'generated' | { commit: string };
}

/** How many commits of a file are looked at. */
const MOST_COMMITS = 20;

/** `undefined` when neither what is generated now nor the history of git has it, and where there is no git. */
export async function findBase(
  { path, contents }: GeneratedFile,
  hash: string,
  root: string,
): Promise<Base | undefined> {
  if (hashContents(contents) === hash) return { text: contents, from: 'generated' };
  const commits = await git(root, ['rev-list', `--max-count=${String(MOST_COMMITS)}`, 'HEAD', '--', path]);
  for (const commit of commits?.split('\n').filter((line) => line !== '') ?? []) {
    // Not `show`, which runs what a configuration of git names.
    const text = await git(root, ['cat-file', 'blob', `${commit}:./${path}`]);
    if (text !== undefined && hashContents(text) === hash) return { text, from: { commit } };
  }
  return undefined;
}

/** `undefined` when git is missing, refuses, or has nothing to say. */
async function git(root: string, args: string[]): Promise<string | undefined> {
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
