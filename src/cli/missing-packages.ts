/** Whether a project needs packages that are not installed yet: most need none. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';

/** `project` is a folder. Packages are looked for where Node.js does, in the `node_modules` of each folder above. */
export function lacksPackages(project: string): boolean {
  return dependenciesOf(project).some((name) => !isInstalled(name, resolve(project)));
}

/** Templates of the user may have written anything. */
function dependenciesOf(project: string): string[] {
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
