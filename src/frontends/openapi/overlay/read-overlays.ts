import { type EntryOptions, type EntryText, readEntry } from '../load/load-entry.ts';
import { hasFailed } from '../load/load-failure.ts';
import type { Report } from '../report.ts';
import type { Overlay } from './overlay.ts';

export interface OverlayReading {
  /** Undefined if one cannot be used. */
  overlays: Overlay[] | undefined;
  texts: EntryText[];
}

/** Reads all overlays, so that the faults of all are reported. */
export async function readOverlays(
  sources: readonly string[],
  options: Omit<EntryOptions, 'source' | 'stdin'>,
  report: Report,
): Promise<OverlayReading> {
  if (sources.length === 0) return { overlays: [], texts: [] };
  const { readOverlay } = await import('./read-overlay.ts');
  const texts: EntryText[] = [];
  const overlays: Overlay[] = [];
  for (const source of sources) {
    const text = await readEntry({ ...options, source, stdin: undefined });
    if (hasFailed(text)) {
      text.report(report);
      continue;
    }
    texts.push(text);
    const overlay = readOverlay(text, options.limits, report);
    if (overlay !== undefined) overlays.push(overlay);
  }
  return { overlays: overlays.length === sources.length ? overlays : undefined, texts };
}
