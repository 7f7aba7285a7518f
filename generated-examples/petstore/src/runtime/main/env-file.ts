/** What `.env` adds to the environment. */
import { parseEnv } from 'node:util';
import { readFileSync } from 'node:fs';
import type { Environment } from './settings.ts';

/**
 * Reads `file` as Node reads such files: `KEY=value` lines, `#` comments, quotes, `export`. The real environment wins.
 *
 * @throws {Error} when the file can't be read
 */
export function addEnvFile(real: Environment, file: string): Environment {
  return { ...parseEnv(readFileSync(file, 'utf8')), ...real };
}
