import { dump } from 'js-yaml';
import { pointerTokens } from '../reference/json-pointer.ts';

/** A value to merge into the place that a JSON Pointer names. */
export interface OverlayUpdate {
  pointer: string;
  update: object;
}

export interface PrintedAction {
  /** JSONPath (RFC 9535). */
  target: string;
  update: object;
}

export function printOverlay(title: string, updates: readonly OverlayUpdate[]): string {
  return printYaml({ overlay: '1.1.0', info: { title, version: '1.0.0' }, actions: updates.map(actionOf) });
}

export function printYaml(overlay: object): string {
  return dump(overlay, { lineWidth: -1, noRefs: true });
}

export function actionOf({ pointer, update }: OverlayUpdate): PrintedAction {
  return { target: toQuery(pointer), update };
}

/** `/paths/~1pets` → `$.paths["/pets"]` */
function toQuery(pointer: string): string {
  const segments = pointerTokens(pointer).map((key) =>
    /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
  );
  return `$${segments.join('')}`;
}
