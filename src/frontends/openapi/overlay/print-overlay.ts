import { isDeepStrictEqual } from 'node:util';
import { dump } from 'js-yaml';

import { pointerTokens } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { DiagnosticError, createDiagnostic } from '../../../diagnostics/collector.ts';
import { isLoadFailure } from '../load/load-failure.ts';
import { defaultDocumentLimits } from '../load/loaded-document.ts';
import { parseText } from '../load/parse-text.ts';

export interface OverlayUpdate {
  pointer: string;
  update: object;
}

export interface OldOverlay {
  file: string;
  text: string;
}

/**
 * Prints an overlay with the actions of an old one, and then the updates that it lacks. Its comments are not kept.
 *
 * @throws {DiagnosticError} for an old overlay that cannot be read
 */
export function printOverlay(title: string, updates: readonly OverlayUpdate[], old?: OldOverlay): string {
  const head = { overlay: '1.1.0', info: { title, version: '1.0.0' } };
  const overlay = old === undefined ? head : parseOverlay(old);
  const { actions = [] } = overlay as { actions?: unknown };
  const oldActions: unknown[] = Array.isArray(actions) ? actions : [];
  const newActions = updates
    .map(({ pointer, update }) => ({ target: pointerToJsonPath(pointer), update }))
    .filter((action) => !oldActions.some((oldAction) => isDeepStrictEqual(oldAction, action)));
  return dump({ ...overlay, actions: [...oldActions, ...newActions] }, { lineWidth: -1, noRefs: true });
}

/** `/paths/~1pets` → `$.paths["/pets"]` */
function pointerToJsonPath(pointer: string): string {
  const segments = pointerTokens(pointer).map((key) =>
    /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
  );
  return `$${segments.join('')}`;
}

function parseOverlay({ file, text }: OldOverlay): object {
  const parsed = parseText(text, file, defaultDocumentLimits);
  if (!isLoadFailure(parsed) && isRecord(parsed.value)) return parsed.value;
  const reason = isLoadFailure(parsed) ? parsed.reason : 'it is no object';
  const problem = `what it holds cannot be read (${reason})`;
  throw new DiagnosticError(
    createDiagnostic('draft-not-written', { file, problem, fix: 'Correct the file, or move it away.' }),
  );
}
