import { escapePointerToken } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import { type Rec, describeValueKind, ownMember, setOwnMember } from '../document/record.ts';
import { replaceDocumentValue } from '../load/document-store.ts';
import type { DocumentLimits, LoadedDocument } from '../load/loaded-document.ts';
import type { Report } from '../report.ts';
import { type Action, type Overlay, OverlayMisfit, memberOrigin } from './read-overlay.ts';
import { type SelectedPlace, type SelectPlaces, type ValuePath, openPlaceSelector } from './select-places.ts';

/** Applies the overlays. Undefined, after a report, if an action is impossible. */
export async function applyOverlays(
  document: LoadedDocument,
  overlays: readonly Overlay[],
  limits: DocumentLimits,
  report: Report,
): Promise<LoadedDocument | undefined> {
  const selectPlaces = await openPlaceSelector(limits.jsonDepth + 1);
  const root: DocumentOrigin = { kind: 'document', file: document.file, pointer: '' };
  const overlaid = tryAction('$', root, report, () => new OverlaidValue(document, limits));
  if (overlaid === undefined) return undefined;
  let failed = false;
  for (const overlay of overlays) {
    for (const action of overlay.actions) {
      const change = (): true => applyAction(action, overlaid, selectPlaces, report);
      failed = tryAction(action.target, action.at, report, change) === undefined || failed;
    }
  }
  if (failed) return undefined;
  return replaceDocumentValue(document, overlaid.value, (pointer) => overlaid.originOf(pointer));
}

/** Undefined, after a report, if the action is impossible. */
function tryAction<T>(target: string, at: DocumentOrigin, report: Report, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof OverlayMisfit)) throw error;
    report('invalid-overlay', { target, misfit: error.message }, { at });
    return undefined;
  }
}

function applyAction(
  action: Action,
  overlaid: OverlaidValue,
  selectPlaces: SelectPlaces,
  report: Report,
): true {
  const { target, at } = action;
  const places = selectPlaces(target, overlaid.value);
  const reason = action.kind === 'none' ? NOTHING_SAID : places.length === 0 ? NOTHING_FOUND : undefined;
  if (reason !== undefined) report('idle-overlay-action', { target, reason }, { at });
  else changeSelectedPlaces(action, places, overlaid, selectPlaces);
  return true;
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
      return mergeIntoPlaces(places, action.value, memberOrigin(action.at, 'update'), overlaid);
    case 'copy': {
      const [source, second] = selectPlaces(action.from, overlaid.value);
      if (source === undefined || second !== undefined)
        throw new OverlayMisfit(
          `\`copy\` must select one place, and selects ${second === undefined ? 'none' : 'several'}`,
        );
      // A place may be copied into itself.
      const copy: unknown = structuredClone(source.value);
      return mergeIntoPlaces(places, copy, overlaid.originOf(pathToPointer(source.path)), overlaid);
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

type Container = Rec | unknown[];

/** A copy of a document that remembers where its changed places come from. */
class OverlaidValue {
  readonly #holder: Rec = {};
  readonly #file: string;
  readonly #depth: number;
  #budget: number;
  readonly #origins = new Map<string, DocumentOrigin>();
  /** Lists that lost an item: their items have other places than in the text. */
  readonly #shifted = new Set<string>();

  constructor({ value, file }: LoadedDocument, { jsonDepth, overlaid }: DocumentLimits) {
    this.#file = file;
    this.#depth = jsonDepth;
    this.#budget = overlaid;
    this.#holder[''] = this.#cloneValue(value, 0);
  }

  get value(): unknown {
    return this.#holder[''];
  }

  originOf(pointer: string): DocumentOrigin {
    let inside = '';
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      if (this.#shifted.has(at)) inside = '';
      const origin = this.#origins.get(at);
      if (origin !== undefined) return { ...origin, pointer: `${origin.pointer}${inside}` };
      inside = `${at.slice(at.lastIndexOf('/'))}${inside}`;
    }
    return { kind: 'document', file: this.#file, pointer: inside };
  }

  /** The value may have been removed with its container. */
  removeAt(path: ValuePath): void {
    const key = path.at(-1);
    if (key === undefined) throw new OverlayMisfit('the whole document cannot be removed');
    const parent = this.#findParent(path);
    if (Array.isArray(parent)) {
      parent.splice(Number(key), 1);
      this.#shifted.add(pathToPointer(path.slice(0, -1)));
    } else if (parent !== undefined) Reflect.deleteProperty(parent, key);
  }

  mergeAt(path: ValuePath, update: unknown, from: DocumentOrigin): void {
    const parent = this.#findParent(path);
    if (parent !== undefined) this.#merge(parent, path.at(-1) ?? '', update, from, path);
  }

  #merge(
    parent: Container,
    key: string | number,
    update: unknown,
    from: DocumentOrigin,
    path: ValuePath,
  ): void {
    const target = getMember(parent, key);
    if (Array.isArray(target)) {
      const items: unknown[] = Array.isArray(update) ? update : [update];
      for (const [index, item] of items.entries()) {
        const origin = Array.isArray(update) ? memberOrigin(from, index) : from;
        this.#setMember(target, target.length, item, origin, [...path, target.length]);
      }
    } else if (isRecord(target)) {
      if (!isRecord(update)) throw makeMisfitError(target, update, path);
      for (const [name, value] of Object.entries(update)) {
        const [place, origin] = [[...path, name], memberOrigin(from, name)];
        if (!Object.hasOwn(target, name)) this.#setMember(target, name, value, origin, place);
        else if (findShape(target[name]) === findShape(value))
          this.#merge(target, name, value, origin, place);
        else throw makeMisfitError(target[name], value, place);
      }
    } else if (isContainer(update)) throw makeMisfitError(target, update, path);
    else this.#setMember(parent, key, update, from, path);
  }

  #setMember(
    container: Container,
    key: string | number,
    value: unknown,
    origin: DocumentOrigin,
    path: ValuePath,
  ): void {
    const copy = this.#cloneValue(value, path.length);
    if (Array.isArray(container)) container[Number(key)] = copy;
    else setOwnMember(container, String(key), copy);
    this.#origins.set(pathToPointer(path), origin);
  }

  #findParent(path: ValuePath): Container | undefined {
    if (path.length === 0) return this.#holder;
    let container: unknown = this.value;
    for (const key of path.slice(0, -1))
      container = isContainer(container) ? getMember(container, key) : undefined;
    return isContainer(container) ? container : undefined;
  }

  /** YAML aliases may share a value, and an overlay may merge one in several places. */
  #cloneValue(value: unknown, depth: number): unknown {
    this.#budget -= 1;
    if (this.#budget < 0) throw new OverlayMisfit('the document would become too large');
    if (depth > this.#depth)
      throw new OverlayMisfit(`the document would nest deeper than ${this.#depth} levels`);
    if (Array.isArray(value)) return value.map((item) => this.#cloneValue(item, depth + 1));
    if (!isRecord(value)) return value;
    const copy: Rec = {};
    for (const [key, member] of Object.entries(value))
      setOwnMember(copy, key, this.#cloneValue(member, depth + 1));
    return copy;
  }
}

function findShape(value: unknown): 'list' | 'object' | 'plain value' {
  if (Array.isArray(value)) return 'list';
  return isContainer(value) ? 'object' : 'plain value';
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function getMember(container: Container, key: string | number): unknown {
  return Array.isArray(container) ? container[Number(key)] : ownMember(container, String(key));
}

function makeMisfitError(existing: unknown, update: unknown, path: ValuePath): OverlayMisfit {
  const place = path.length === 0 ? 'the document' : path.join(' › ');
  return new OverlayMisfit(
    `${place} is ${describeValueKind(existing)}, and ${describeValueKind(update)} cannot be merged into it`,
  );
}
