/** Overlays whose queries take long: each is run by the command, in a process of its own, which is ended when it takes too long. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { document, overlayWith, queries } from '../../hostile/queries.mjs';
import { mcpgen } from '../../run.mjs';

export const family = 'queries of overlays';

/** The document takes a second; with backtracking the patterns take hours. */
const PATIENCE_MS = 20_000;

export async function open(folder) {
  const source = path.join(folder, 'api.json');
  await writeFile(source, JSON.stringify(document));
  return {
    inspect: async (query) => {
      const overlay = path.join(folder, 'overlay.json');
      await writeFile(overlay, JSON.stringify(overlayWith(query)));
      const args = ['inspect', source, '--overlay', overlay, '--verbose'];
      const { stderr, timedOut } = await mcpgen(args, { cwd: folder, timeout: PATIENCE_MS });
      return timedOut ? 'hangs' : (/MCPG1[23]\d/.exec(stderr)?.[0] ?? 'a server');
    },
    witness: async () => ({}),
    close: async () => undefined,
  };
}

export const rows = queries.map(({ what, target: query, told }) => ({
  name: what,
  want: told,
  attack: ({ inspect }) => inspect(query),
}));
