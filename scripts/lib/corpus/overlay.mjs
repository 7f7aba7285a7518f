/** An overlay as `mcpgen overlay init` writes it must change nothing. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { compile } from '../../../dist/src/api/compile.js';
import { draftOverlay } from '../../../dist/src/api/overlay-draft.js';

/**
 * @param {import('./documents.mjs').CorpusDocument} document
 * @param {string} folder scratch
 * @returns {Promise<string[]>}
 */
export async function overlayFaults({ file }, folder) {
  const { text, elsewhere, diagnostics } = await draftOverlay({ source: file });
  if (text === undefined) return isNothingToOverlay(elsewhere, diagnostics) ? [] : ['no overlay is written'];
  const overlay = path.join(folder, 'draft.overlay.yaml');
  await writeFile(overlay, text);
  const plain = await compile({ source: file });
  const overlaid = await compile({ source: file, overlays: [overlay] });
  if (overlaid.model === undefined) return [`does not compile with it: ${overlaid.diagnostics[0]?.message}`];
  const faults = Object.keys(plain.model).filter(
    (part) => !isDeepStrictEqual(plain.model[part], overlaid.model[part]),
  );
  return faults.map((part) => `${part} are others with the overlay`);
}

/** All operations stand in files that an overlay of this one does not reach. */
function isNothingToOverlay(elsewhere, diagnostics) {
  return elsewhere.length > 0 && diagnostics.some(({ name }) => name === 'nothing-to-overlay');
}
