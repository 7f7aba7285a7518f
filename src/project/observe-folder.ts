import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Observer } from '../model/observer.ts';

/** Observes all files below a folder, including new ones. */
export function observeFolder(folder: string, observer: Observer): void {
  const find = (): string[] => {
    if (!existsSync(folder)) return [];
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  };
  for (const file of find()) observer.file(file);
  observer.pattern(folder, find);
}
