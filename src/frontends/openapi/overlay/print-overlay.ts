import { dump } from 'js-yaml';
import { pointerTokens } from '../reference/json-pointer.ts';

/** What is to be merged into the place that a JSON Pointer names. */
export interface OverlayUpdate {
  pointer: string;
  update: object;
}

/** An overlay as YAML. */
export function printOverlay(title: string, updates: readonly OverlayUpdate[]): string {
  const actions = updates.map(({ pointer, update }) => ({ target: queryOf(pointer), update }));
  return dump({ overlay: '1.1.0', info: { title, version: '1.0.0' }, actions }, { lineWidth: -1 });
}

/** JSONPath (RFC 9535) for what a JSON Pointer names. */
function queryOf(pointer: string): string {
  const segments = pointerTokens(pointer).map((key) =>
    /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
  );
  return `$${segments.join('')}`;
}
