import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { packageRoot } from '../../../util/version.ts';

export function builtPart(path: string): string {
  const place = fileURLToPath(new URL(`dist/${path}`, packageRoot()));
  if (!existsSync(place)) throw new Error('mcpgen is not built: run `npm run build` in it first.');
  return place;
}
