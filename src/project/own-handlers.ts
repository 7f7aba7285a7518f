/** Tells handlers of the user from the module that mcpgen writes. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readFileIfAny } from '../util/read-file.ts';

/** Matches the file as mcpgen writes it, without its comments. */
const UNTOUCHED = /^(?:import type [^;]+;)*export const handlers(?:: ?[\w<>]+)? ?= ?\{\};$/;

/** Whether `src/handlers/` of a project has code of the user, which only the built project runs. */
export function hasOwnHandlers(project: string): boolean {
  const folder = join(project, 'src/handlers');
  if (!existsSync(folder)) return false;
  if (readdirSync(folder).some((name) => name !== 'index.ts')) return true;
  const text = readFileIfAny(join(folder, 'index.ts'));
  if (text === undefined) return false;
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return !UNTOUCHED.test(code.replace(/\s*\n\s*/g, ''));
}
