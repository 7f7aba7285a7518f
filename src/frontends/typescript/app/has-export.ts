/** Whether a module exports a name. Node itself is asked, which links modules before it runs any: none is run here. */
import { pathToFileURL } from 'node:url';
import { stampOf } from '../../../util/file-stamp.ts';

/** This module throws when it runs. The probe imports it first, so that nothing it imports next is run. */
const STOP = dataUrl("throw new Error('linked');");

/** `file` is a CommonJS or an ES module. Of one that can't be read, or lacks a module itself, it is not known: then true. */
export async function hasExport(file: string, name: string): Promise<boolean> {
  const url = pathToFileURL(file);
  // Node keeps what it has read of a file.
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
