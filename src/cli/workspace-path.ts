import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Host } from './host.ts';

/** `file` relative to the repository (`GITHUB_WORKSPACE`), for annotations. URLs, `<stdin>` and files elsewhere stay as they are. */
export function workspacePath(file: string, { cwd, env }: Pick<Host, 'cwd' | 'env'>): string {
  const root = env['GITHUB_WORKSPACE'] ?? '';
  if (root === '' || /^(?:<|[a-z][a-z+.-]+:)/i.test(file)) return file;
  const path = relative(root, resolve(cwd, file));
  if (isAbsolute(path) || path.split(sep)[0] === '..') return file;
  return sep === '/' ? path : path.replaceAll(sep, '/');
}
