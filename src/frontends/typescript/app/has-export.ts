/** Checks whether a module exports a name. Node links modules before it runs any, so nothing is run. */
import { pathToFileURL } from 'node:url';
import { stampOf } from '../../../util/file-stamp.ts';

/** This module throws when it runs. The probe imports it first, so that nothing it imports next is run. */
const STOP = dataUrl("throw new Error('linked');");

/** Returns true if the module cannot be read, or lacks a dependency. */
export async function hasExport(file: string, name: string): Promise<boolean> {
  const url = pathToFileURL(file);
  // The parameter bypasses Node's module cache.
  url.searchParams.set('as', stampOf(file) ?? '');
  const probe = `import ${JSON.stringify(STOP)};\nimport { ${JSON.stringify(name)} as found } from ${JSON.stringify(url.href)};`;
  try {
    await import(dataUrl(probe));
  } catch (thrown) {
    return !(thrown instanceof SyntaxError);
  }
  return true;
}

function dataUrl(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}
