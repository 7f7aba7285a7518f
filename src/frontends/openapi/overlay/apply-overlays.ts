import type { DocumentOrigin } from '../../../model/origin.ts';
import type { DocumentLimits, LoadedDocument } from '../load/loaded-document.ts';
import { replaceDocumentValue } from '../load/document-store.ts';
import { escapePointerToken } from '../../../../templates/runtime/contract/json-schema.ts';
import type { Report } from '../report.ts';
import { type Action, type Overlay, OverlayMisfit } from './read-overlay.ts';
import { OverlaidValue, findShape } from './overlaid-value.ts';
import { type SelectedPlace, type SelectPlaces, type ValuePath, openPlaceSelector } from './select-places.ts';

/** Applies the overlays. Undefined, after a report, if an action is impossible. */
export async function applyOverlays(
  document: LoadedDocument,
  overlays: readonly Overlay[],
  limits: DocumentLimits,
  report: Report,
): Promise<LoadedDocument | undefined> {
  const selectPlaces = await openPlaceSelector(limits.jsonDepth + 1);
  const bounds = { depth: limits.jsonDepth, budget: limits.overlaid };
  const overlaid = new OverlaidValue(document.value, document.file, bounds);
  let failed = false;
  for (const overlay of overlays) {
    reportOtherDocument(overlay, document, report);
    for (const action of overlay.actions)
      failed = !applyAction(action, overlaid, selectPlaces, report) || failed;
  }
  if (failed) return undefined;
  return replaceDocumentValue(document, overlaid.value, (pointer) => overlaid.originOf(pointer));
}

function reportOtherDocument(overlay: Overlay, document: LoadedDocument, report: Report): void {
  if (overlay.extends === undefined || [document.uri, document.base].includes(overlay.extends)) return;
  const at: DocumentOrigin = { kind: 'document', file: overlay.file, pointer: '/extends' };
  report('overlay-of-another', { extended: overlay.extends, source: document.file }, { at });
}

function applyAction(
  action: Action,
  overlaid: OverlaidValue,
  selectPlaces: SelectPlaces,
  report: Report,
): boolean {
  const { target, at } = action;
  try {
    const places = selectPlaces(target, overlaid.value);
    const reason = action.kind === 'none' ? NOTHING_SAID : places.length === 0 ? NOTHING_FOUND : undefined;
    if (reason !== undefined) report('idle-overlay-action', { target, reason }, { at });
    else changeSelectedPlaces(action, places, overlaid, selectPlaces);
    return true;
  } catch (error) {
    if (!(error instanceof OverlayMisfit)) throw error;
    report('invalid-overlay', { target, misfit: error.message }, { at });
    return false;
  }
}

const NOTHING_SAID = 'it says neither `update`, `copy` nor `remove`';
const NOTHING_FOUND = 'no place of the document matches';

function changeSelectedPlaces(
  action: Action,
  places: SelectedPlace[],
  overlaid: OverlaidValue,
  selectPlaces: SelectPlaces,
): void {
  switch (action.kind) {
    case 'remove':
      // Removing from the end keeps the indexes of a list valid.
      for (const { path } of [...places].sort((a, b) => comparePaths(b.path, a.path)))
        overlaid.removeAt(path);
      return;
    case 'update':
      return mergeIntoPlaces(
        places,
        action.value,
        { ...action.at, pointer: `${action.at.pointer}/update` },
        overlaid,
      );
    case 'copy': {
      const [source, second] = selectPlaces(action.from, overlaid.value);
      if (source === undefined || second !== undefined)
        throw new OverlayMisfit(
          `\`copy\` must select one place, and selects ${second === undefined ? 'none' : 'several'}`,
        );
      return mergeIntoPlaces(places, source.value, overlaid.originOf(pathToPointer(source.path)), overlaid);
    }
    case 'none':
  }
}

function mergeIntoPlaces(
  places: SelectedPlace[],
  value: unknown,
  from: DocumentOrigin,
  overlaid: OverlaidValue,
): void {
  const kinds = new Set(places.map((place) => `${findShape(place.value)}s`));
  if (kinds.size > 1)
    throw new OverlayMisfit(`its places must be of one kind, and are ${[...kinds].sort().join(' and ')}`);
  for (const { path } of places) overlaid.mergeAt(path, value, from);
}

function comparePaths(a: ValuePath, b: ValuePath): number {
  for (const [index, key] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (key === other) continue;
    return typeof key === 'number' && typeof other === 'number' ? key - other : key < other ? -1 : 1;
  }
  return a.length - b.length;
}

function pathToPointer(path: ValuePath): string {
  return path.map((key) => `/${escapePointerToken(String(key))}`).join('');
}
