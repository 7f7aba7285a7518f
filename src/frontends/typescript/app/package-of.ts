import { isBuiltin } from 'node:module';

/** The package that a specifier names; `undefined` for files, subpath imports, URLs and what Node.js has itself. */
export function packageOf(specifier: string): string | undefined {
  if (/^[./#]|^[a-z]+:/i.test(specifier) || isBuiltin(specifier)) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
