/**
 * Asks git about a project's folder, for texts alone. The repository may be a stranger's: its configuration names programs
 * (`core.fsmonitor`, `remote.*.uploadpack`, hooks), and a folder of its own can pose as a bare repository. So git is given the
 * repository instead of finding one, and each setting that runs something is taken from it.
 */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { env as inherited, platform } from 'node:process';
import { promisify } from 'node:util';
import { isBelow } from './find-obstacle.ts';

interface Protection {
  /** For `git -c`. */
  config?: string;
  env?: Readonly<Record<string, string>>;
}

/**
 * Each stops an attack by itself, since older versions of git know only some of them (`safe.bareRepository` is of 2.38,
 * `GIT_NO_LAZY_FETCH` of 2.45). `protocol.<name>.allow` of a repository wins over `protocol.allow`, but not over
 * `GIT_ALLOW_PROTOCOL`, which allows the one it names: there is no `none`.
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

/** `undefined` when git is missing, refuses, or has nothing to say. */
export async function git(root: string, args: string[]): Promise<string | undefined> {
  const place = findRepository(root);
  const program = place && findGit(place.tree);
  if (place === undefined || program === undefined || !(await isTrusted(program, place))) return undefined;
  return runGit(program, root, args, { GIT_DIR: place.dir, GIT_WORK_TREE: place.tree });
}

/** A file of the project as a commit has it. Not by `show`, which runs what a configuration of git names. */
export async function textAt(root: string, commit: string, path: string): Promise<string | undefined> {
  return git(root, ['cat-file', 'blob', `${commit}:./${path}`]);
}

/** Whether version control has the folder, or a file in it. `name` is in `root`. */
export async function isTracked(root: string, name: string): Promise<boolean> {
  const listed = await git(root, ['ls-files', '-z', '--', `:(literal)${name}`]);
  return listed !== undefined && listed !== '';
}

/** Without a `place` git looks for a repository. Tests take protections away by `on`. */
export async function runGit(
  program: string,
  cwd: string,
  args: string[],
  place: Readonly<Record<string, string>> = {},
  on: readonly GitProtection[] = ALL,
): Promise<string | undefined> {
  const given: Protection[] = on.map((name) => gitProtections[name]);
  const config = given.flatMap((each) => (each.config === undefined ? [] : ['-c', each.config]));
  const own = Object.entries(inherited).filter(([name]) => !/^git_/i.test(name));
  try {
    const { stdout } = await promisify(execFile)(program, [...config, ...args], {
      cwd,
      env: Object.assign(Object.fromEntries(own), ...given.map((each) => each.env), place),
      maxBuffer: 256 * 1024 * 1024,
      timeout: 10_000,
      windowsHide: true,
    });
    return stdout;
  } catch {
    return undefined;
  }
}

interface Repository {
  /** Absolute, as all here. */
  dir: string;
  tree: string;
}

/** The repository of the nearest `.git` from `folder` upward, as git itself takes it; what else looks like one is none. */
export function findRepository(folder: string): Repository | undefined {
  const tree = nearestTree(folder);
  if (tree === undefined) return undefined;
  const entry = join(tree, '.git');
  try {
    const dir = statSync(entry).isDirectory() ? realpathSync(entry) : linkedDir(entry, tree);
    return dir !== undefined && existsSync(join(dir, 'HEAD')) ? { dir, tree } : undefined;
  } catch {
    return undefined;
  }
}

/** The nearest folder with a `.git` in it. */
export function nearestTree(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? undefined : nearestTree(dirname(folder));
}

/**
 * A file `.git` of a worktree or a submodule names the repository. It counts where the repository names this folder as well:
 * a file of a stranger must not choose another repository of this machine.
 */
function linkedDir(file: string, tree: string): string | undefined {
  const named = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(file, 'utf8'))?.[1];
  if (named === undefined) return undefined;
  const dir = realpathSync(resolve(tree, named));
  const back = existsSync(join(dir, 'gitdir'))
    ? dirname(resolve(dir, readFileSync(join(dir, 'gitdir'), 'utf8').trim()))
    : resolve(
        dir,
        unquote(/^\s*worktree\s*=\s*(.+?)\s*$/m.exec(readFileSync(join(dir, 'config'), 'utf8'))?.[1] ?? ''),
      );
  return realpathSync(back) === realpathSync(tree) ? dir : undefined;
}

/** A path as git writes it into a configuration: in quotes where it has a `#` or `;`, or a space at an end. */
function unquote(value: string): string {
  return (/^"(.*)"$/.exec(value)?.[1] ?? value).replace(/\\(["\\])/g, '$1');
}

/**
 * Whether git trusts the repository: one of another user only where `safe.directory` names it. Git judges that when it finds a
 * repository, and not when it is given one. Nothing of the repository but its configuration is read for it.
 */
async function isTrusted(program: string, { dir, tree }: Repository): Promise<boolean> {
  const found = await runGit(program, tree, ['rev-parse', '--absolute-git-dir']);
  return found !== undefined && realpathSync(found.replace(/\r?\n$/, '')) === dir;
}

/** The program by its path: Windows looks into the working folder first, and `npm run` puts `node_modules/.bin` before all. */
function findGit(tree: string): string | undefined {
  const name = platform === 'win32' ? 'git.exe' : 'git';
  const folders = (inherited['PATH'] ?? inherited['Path'] ?? '').split(delimiter);
  return folders
    .filter((folder) => isAbsolute(folder) && folder !== tree && !isBelow(tree, folder))
    .map((folder) => join(folder, name))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}
