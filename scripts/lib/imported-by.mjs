/** Modules that load with a module, in JavaScript as TypeScript writes it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Modules, and those that they import before they run, at whatever distance; packages are left out. `modules`:
 * absolute; returns absolute, `/`-separated.
 */
export function importedBy(modules) {
  const ids = new Set(modules.map((id) => path.posix.normalize(id.replaceAll('\\', '/'))));
  for (const id of ids) {
    const code = readFileSync(id, 'utf8');
    for (const [, specifier] of code.matchAll(/^(?:import|export)\b[^;]*?["'](\.[^"']+)["'];/gm))
      ids.add(path.posix.join(path.posix.dirname(id), specifier));
  }
  return ids;
}
