import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Host } from './host.ts';

/**
 * `file` as annotations name it: from the root of the repository (`GITHUB_WORKSPACE`), wherever the command runs. What is no
 * file of it (a URL, `<stdin>`, one elsewhere) stays as it is named.
 */
export function workspacePath(file: string, { cwd, env }: Pick<Host, 'cwd' | 'env'>): string {
  const root = env['GITHUB_WORKSPACE'] ?? '';
  if (root === '' || /^(?:<|[a-z][a-z+.-]+:)/i.test(file)) return file;
  const path = relative(root, resolve(cwd, file));
  if (isAbsolute(path) || path.split(sep)[0] === '..') return file;
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
