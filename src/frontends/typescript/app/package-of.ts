import { isBuiltin } from 'node:module';

/** Undefined for files, subpath imports, URLs and Node's own modules. */
export function packageOf(specifier: string): string | undefined {
  if (/^[./#]|^[a-z]+:/i.test(specifier) || isBuiltin(specifier)) return undefined;
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}
