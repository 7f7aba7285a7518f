/** Finds out whether a project needs packages that are not installed yet. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';

/** Looks for packages as Node.js does, in `node_modules` of the folder and of each folder above. */
export function lacksPackages(project: string): boolean {
  return readDependencies(project).some((name) => !isInstalled(name, resolve(project)));
}

/** A user's own template may have written a package.json of any content. */
function readDependencies(project: string): string[] {
  try {
    const described: unknown = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
    const dependencies = isRecord(described) ? described['dependencies'] : undefined;
    return isRecord(dependencies) ? Object.keys(dependencies) : [];
  } catch {
    return [];
  }
}

function isInstalled(name: string, folder: string): boolean {
  if (existsSync(join(folder, 'node_modules', name, 'package.json'))) return true;
  const above = dirname(folder);
  return above !== folder && isInstalled(name, above);
}
