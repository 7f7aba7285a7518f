/**
 * Reads texts from git. The repository may be untrusted: its configuration can name programs (`core.fsmonitor`,
 * `remote.*.uploadpack`, hooks), and a folder in it can look like a bare repository. So the repository is passed to git instead
 * of being searched, and each setting that runs a program is overridden.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { type Program, findProgram, findWorkTree } from './find-program.ts';

interface Protection {
  config?: string;
  env?: Readonly<Record<string, string>>;
}

/**
 * Each protection stops an attack by itself, since older versions of git have only some (`safe.bareRepository` since 2.38,
 * `GIT_NO_LAZY_FETCH` since 2.45). `protocol.<name>.allow` of a repository overrides `protocol.allow`, but not
 * `GIT_ALLOW_PROTOCOL`, where `none` is no protocol.
 */
export const gitProtections = {
  bareRepository: { config: 'safe.bareRepository=explicit' },
  protocol: { config: 'protocol.allow=never' },
  allowProtocol: { env: { GIT_ALLOW_PROTOCOL: 'none' } },
  lazyFetch: { env: { GIT_NO_LAZY_FETCH: '1' } },
  fsmonitor: { config: 'core.fsmonitor=false' },
  hooks: { config: 'core.hooksPath=/dev/null' },
  optionalLocks: { env: { GIT_OPTIONAL_LOCKS: '0' } },
  prompts: { env: { GIT_TERMINAL_PROMPT: '0' } },
} satisfies Record<string, Protection>;

export type GitProtection = keyof typeof gitProtections;

const ALL = Object.keys(gitProtections) as GitProtection[];

/** Runs git; `undefined` if it is missing or fails. */
export async function readFromGit(root: string, args: string[]): Promise<Buffer | undefined> {
  const place = findRepository(root);
  const program = place && findProgram('git', [place.tree], env);
  if (place === undefined || program === undefined || !(await isTrusted(program, place))) return undefined;
  return runGit(program, root, args, { GIT_DIR: place.dir, GIT_WORK_TREE: place.tree });
}

/** A file in a commit. `git show` would run programs that the configuration of git names. */
export async function readBytesAtCommit(
  root: string,
  commit: string,
  path: string,
): Promise<Buffer | undefined> {
  return readFromGit(root, ['cat-file', 'blob', `${commit}:./${path}`]);
}

/** Without a `place`, git looks for a repository. Tests remove protections by `on`. */
export async function runGit(
  program: Program,
  cwd: string,
  args: string[],
  place: Readonly<Record<string, string>> = {},
  on: readonly GitProtection[] = ALL,
): Promise<Buffer | undefined> {
  const protections: Protection[] = on.map((name) => gitProtections[name]);
  const config = protections.flatMap((protection) =>
    protection.config === undefined ? [] : ['-c', protection.config],
  );
  const variables = Object.entries(program.env).filter(([name]) => !/^git_/i.test(name));
  try {
    const { stdout } = await promisify(execFile)(program.path, [...config, ...args], {
      cwd,
      env: Object.assign(
        Object.fromEntries(variables),
        ...protections.map((protection) => protection.env),
        place,
      ),
      encoding: 'buffer',
      maxBuffer: 256 * 1024 * 1024,
      timeout: 10_000,
      killSignal: 'SIGKILL',
      windowsHide: true,
    });
    return stdout;
  } catch {
    return undefined;
  }
}

interface Repository {
  dir: string;
  tree: string;
}

/** Finds the repository of the nearest `.git` upward from `folder`. */
export function findRepository(folder: string): Repository | undefined {
  const tree = findWorkTree(folder);
  if (tree === undefined) return undefined;
  const entry = join(tree, '.git');
  try {
    const dir = statSync(entry).isDirectory() ? realpathSync(entry) : readGitDirLink(entry, tree);
    return dir !== undefined && existsSync(join(dir, 'HEAD')) ? { dir, tree } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The repository that a file `.git` names, as worktrees have. The repository must name this folder as well:
 * otherwise an untrusted file could choose any repository of this machine.
 */
function readGitDirLink(file: string, tree: string): string | undefined {
  const linkedPath = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(file, 'utf8'))?.[1];
  if (linkedPath === undefined) return undefined;
  const dir = realpathSync(resolve(tree, linkedPath));
  const back = join(dir, 'gitdir');
  if (!existsSync(back)) return undefined;
  const namedTree = dirname(resolve(dir, readFileSync(back, 'utf8').trim()));
  return realpathSync(namedTree) === realpathSync(tree) ? dir : undefined;
}

/**
 * Whether git trusts the repository: one of another user only if `safe.directory` names it. Git checks that only for a repository
 * that it finds itself, so it is asked to find this one; it reads only the configuration.
 */
async function isTrusted(program: Program, { dir, tree }: Repository): Promise<boolean> {
  const gitDir = await runGit(program, tree, ['rev-parse', '--absolute-git-dir']);
  return gitDir !== undefined && realpathSync(gitDir.toString().replace(/\r?\n$/, '')) === dir;
}
