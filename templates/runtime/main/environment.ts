/** The environment, with what `.env` in the working folder adds. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import type { Environment } from './settings.ts';

/**
 * `.env` as Node reads it (`KEY=value` lines, `#` comments, quotes, `export`); the real environment wins. No file is
 * fine, one that can't be read is told to `warn`.
 */
export function readEnvironment(real: Environment, file: string, warn: (text: string) => void): Environment {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (thrown) {
    const isAbsent = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    if (!isAbsent)
      warn(`.env could not be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return real;
  }
  return { ...parseEnv(text), ...real };
}
