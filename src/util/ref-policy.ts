import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, parse, relative, resolve, sep } from 'node:path';
import { isPublicAddress } from '../../templates/runtime/features/redirects.ts';
import { ipAddressOfUrl } from './addresses.ts';

/** Decides which documents a reference may open. Denies by default. */
export interface RefPolicy {
  /** The folder that file references must stay in, with symbolic links resolved. Absent: no file may be read. */
  root?: string;
  rootName?: string;
  allowsHost: (url: URL) => boolean;
  /** Whether a host may have an address: a public one, or one that is on the list itself. */
  allowsAddress: (address: string) => boolean;
}

/** The nearest folder upward with `.git` or `package.json` (never `/` or the home folder), else `folder`. */
export function findRefRoot(folder: string): string {
  const home = homedir();
  for (let at = folder; at !== parse(at).root && at !== home; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || existsSync(join(at, 'package.json'))) return at;
  }
  return folder;
}

export function createRefPolicy(options: {
  folder: string | undefined;
  cwd: string;
  refRoot: string | undefined;
  hosts: readonly string[];
}): RefPolicy {
  // Entries are hosts (`example.com`, any port), hosts with a port, or URLs of which the host counts.
  const allowed = new Set(options.hosts.map(hostOfEntry));
  const hosts = {
    allowsHost: (url: URL) => allowed.has(url.host) || allowed.has(url.hostname),
    allowsAddress: createAddressMatcher(options.hosts),
  };
  if (options.folder === undefined) return hosts;
  const root =
    options.refRoot === undefined ? findRefRoot(options.folder) : resolve(options.cwd, options.refRoot);
  const rootName = describeFolder(root, options.cwd);
  return { root: findRealPath(root) ?? root, rootName, ...hosts };
}

/** A folder for messages: outside of `cwd` by its whole path, since `../..` is hard to read. */
function describeFolder(folder: string, cwd: string): string {
  const path = relative(cwd, folder);
  if (path === '') return 'the working folder';
  return `the folder ${path.startsWith('..') ? folder : path}`;
}

/** Whether a path is inside a folder; both have symbolic links resolved. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** The path without symbolic links; undefined if it does not exist. */
export function findRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** `localhost` means its addresses. */
function createAddressMatcher(entries: readonly string[]): (address: string) => boolean {
  const urls = entries.map((entry) => `http://${hostOfEntry(entry)}`).filter((url) => URL.canParse(url));
  const hosts = new Set(urls.map((url) => ipAddressOfUrl(new URL(url)) ?? new URL(url).hostname));
  const isLocal = (address: string): boolean => address === '::1' || /^127\./.test(address);
  return (address) =>
    isPublicAddress(address) || hosts.has(address) || (hosts.has('localhost') && isLocal(address));
}

function hostOfEntry(entry: string): string {
  return entry
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/s, '')
    .toLowerCase();
}
