/** mcpgen's version and the address for bug reports, from its package.json. */
import { existsSync, readFileSync } from 'node:fs';
import { omitUndefined } from './collections.ts';

interface PackageFacts {
  version: string;
  bugs?: string;
}

function readPackageFacts(): PackageFacts {
  const value: unknown = JSON.parse(readFileSync(new URL('package.json', packageRoot()), 'utf8'));
  if (typeof value !== 'object' || value === null) return { version: '0.0.0' };
  const version = 'version' in value && typeof value.version === 'string' ? value.version : '0.0.0';
  const url = 'bugs' in value ? bugsUrl(value.bugs) : undefined;
  // A placeholder leads nowhere (CONTRIBUTING.md, Releases).
  const bugs = url?.includes('/OWNER/') === true ? undefined : url;
  return { version, ...omitUndefined({ bugs }) };
}

function bugsUrl(bugs: unknown): string | undefined {
  if (typeof bugs === 'string') return bugs;
  const url = typeof bugs === 'object' && bugs !== null && 'url' in bugs ? bugs.url : undefined;
  return typeof url === 'string' ? url : undefined;
}

/** Finds the folder of mcpgen's package.json, above `src/` or `dist/src/`. */
export function packageRoot(folder = new URL('.', import.meta.url)): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error('mcpgen is not installed as a package.');
  return packageRoot(parent);
}

export const { version, bugs } = readPackageFacts();
