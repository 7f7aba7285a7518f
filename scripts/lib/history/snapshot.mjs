/** The files of a project, as they stand at a moment. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Not of the project, or made of it. */
const others = /^(?:\.git|node_modules)(?:\/|$)/;

/**
 * @param {string} folder
 * @returns {Map<string, string>} text by path, below `folder`
 */
export function filesOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
  return new Map(
    paths
      .filter((name) => !others.test(name))
      .toSorted()
      .map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );
}

/**
 * @param {Map<string, string>} before
 * @param {Map<string, string>} after
 * @returns {string[]} paths of files that are not the same in both
 */
export function differing(before, after) {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}
