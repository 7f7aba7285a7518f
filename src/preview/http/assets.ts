/** The files of the page: a fixed list, so that no path of a request is ever looked up. */
import { readFileSync } from 'node:fs';
import { packageRoot } from '../../util/version.ts';

export interface Asset {
  type: string;
  bytes: Buffer;
}

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/page.css': ['page.css', 'text/css; charset=utf-8'],
};

const read = new Map<string, Asset>();

/** Finds a file of the page; `undefined` for another path. */
export function findAsset(path: string): Asset | undefined {
  const entry = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
  if (entry === undefined) return undefined;
  const [file, type] = entry;
  const asset = read.get(path) ?? {
    type,
    bytes: readFileSync(new URL(`dist/preview/${file}`, packageRoot())),
  };
  read.set(path, asset);
  return asset;
}
