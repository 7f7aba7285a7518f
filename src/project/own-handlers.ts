/** Tells handlers of the user from the module that mcpgen writes. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Matches the file as mcpgen writes it, without its comments. */
const UNTOUCHED = /^(?:import type [^;]+;)*export const handlers(?:: ?[\w<>]+)? ?= ?\{\};$/;

/** Whether `src/handlers/` of a project has code of the user, which only the built project runs. */
export function hasOwnHandlers(project: string): boolean {
  const folder = join(project, 'src/handlers');
  const names = listFolder(folder);
  if (names.some((name) => name !== 'index.ts')) return true;
  if (names.length === 0) return false;
  const text = readFileSync(join(folder, 'index.ts'), 'utf8');
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return !UNTOUCHED.test(code.replace(/\s*\n\s*/g, ''));
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
