/** The front end for OpenAPI documents. It resolves references, versions and faults, and returns a SourceModel. */
import { resolve } from 'node:path';
import type { OpenAPI } from 'openapi-types';

import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import type { SourceTexts } from '../../diagnostics/locate/text-places.ts';
import type { Observer } from '../../model/observer.ts';
import type { DocumentOrigin } from '../../model/origin.ts';
import type { SourceModel } from '../../model/source-model.ts';
import { createRefPolicy } from '../../util/ref-policy.ts';
import { findDocumentVersion } from './document/openapi-version.ts';
import { DocumentStore } from './load/document-store.ts';
import { reportHiddenText } from './load/hidden-text.ts';
import { type EntryOptions, type EntryText, parseEntry, readEntryText } from './load/load-entry.ts';
import { isLoadFailure } from './load/load-failure.ts';
import { type DocumentLimits, type LoadedDocument, defaultDocumentLimits } from './load/loaded-document.ts';
import { reportDuplicateKeys } from './load/text-faults.ts';
import type { Overlay } from './overlay/read-overlay.ts';
import type { ReadContext } from './read-context.ts';
import { yieldToSignals } from '../../util/pauses.ts';
import { readDocument } from './read-document.ts';
import { Resolver } from './reference/resolver.ts';
import { isRecordNode, rootNode } from './reference/source-node.ts';
import { HeldReports, type Report } from './report.ts';
import { SchemaReader } from './schema/schema-reader.ts';

export interface OpenApiInput {
  /** A path, an http(s) URL, or `-` for standard input. */
  source: string;
  /** The document itself, which is read in place of `source`; messages call it `source`. Its relative `$ref`s start from `cwd`. */
  document?: OpenAPI.Document;
  /** Reads standard input to its end; needed for `-`. */
  stdin?: () => Promise<Uint8Array>;
  /** The folder that relative paths start from. Default: the working folder. */
  cwd?: string;
  /** Hosts that `$ref`s may be fetched from, with or without a port. Default: none. */
  allowRemoteRefs?: string[];
  /** OpenAPI Overlays (1.0, 1.1), applied in order before anything is read: paths or http(s) URLs. */
  overlays?: string[];
  /** The folder that `$ref`s to files must stay in. Default: see `findRefRoot`. */
  refRoot?: string;
  limits?: Partial<DocumentLimits>;
  /** Replaces the built-in fetch, which refuses private addresses. A replacement must do that itself. */
  fetch?: typeof globalThis.fetch;
  signal?: AbortSignal;
  observer?: Observer;
}

export interface OpenApiReading {
  /** The model that was read; undefined after an error. */
  model: SourceModel | undefined;
  texts: SourceTexts;
}

/** Reads one OpenAPI document and what it references. Faults are diagnostics; only an aborted signal throws. */
export async function readOpenApi(
  input: OpenApiInput,
  diagnostics: DiagnosticCollector,
): Promise<OpenApiReading> {
  const report: Report = (...problem) => diagnostics.report(...problem);
  const limits = { ...defaultDocumentLimits, ...input.limits };
  const { source, document, stdin, signal, observer, fetch } = input;
  const cwd = resolve(input.cwd ?? '');
  const text = await readEntryText({ source, document, cwd, stdin, limits, fetch, signal, observer });
  if (isLoadFailure(text)) {
    text.report(report);
    return { model: undefined, texts: { textOf: () => undefined } };
  }
  const parsed = parseEntry(text, limits, report);
  const reading = { cwd, limits, fetch, signal, observer };
  const overlays = await readOverlays(input.overlays ?? [], reading, report);
  const texts = makeSourceTexts([text, ...overlays.texts]);
  const overlaid = parsed && (await overlayDocument(parsed, overlays, limits, report));
  if (overlaid === undefined || !checkVersion(overlaid, report)) return { model: undefined, texts };
  const policy = createRefPolicy({
    folder: text.folder,
    cwd,
    refRoot: input.refRoot,
    hosts: input.allowRemoteRefs ?? [],
  });
  const store = new DocumentStore(overlaid, { policy, limits, fetch, signal, observer });
  const model = await readModel(overlaid, store, limits, report, signal);
  return {
    model,
    texts: overlays.texts.length === 0 ? store.texts : makeSourceTexts(overlays.texts, store.texts),
  };
}

function makeSourceTexts(entryTexts: readonly EntryText[], rest?: SourceTexts): SourceTexts {
  const texts = new Map(entryTexts.map(({ file, text }) => [file, text]));
  return { textOf: (file) => texts.get(file) ?? rest?.textOf(file) };
}

async function overlayDocument(
  document: LoadedDocument,
  { overlays }: OverlayReading,
  limits: DocumentLimits,
  report: Report,
): Promise<LoadedDocument | undefined> {
  if (overlays === undefined || overlays.length === 0) return overlays && document;
  const { applyOverlays } = await import('./overlay/apply-overlays.ts');
  return applyOverlays(document, overlays, limits, report);
}

function checkVersion(document: LoadedDocument, report: Report): boolean {
  const finding = findDocumentVersion(document.value);
  const { file, value } = document;
  const key = isRecord(value) ? versionKeys.find((name) => Object.hasOwn(value, name)) : undefined;
  const at: DocumentOrigin = { kind: 'document', file, pointer: key === undefined ? '' : `/${key}` };
  switch (finding.kind) {
    case 'known':
      return true;
    case 'newer':
      report('newer-version', { version: finding.versionText }, { at });
      return true;
    case 'unsupported':
      report('unsupported-version', { version: finding.versionText }, { at });
      return false;
    case 'other':
      report('not-openapi', { source: file, found: finding.documentKind }, { at });
      return false;
  }
}

const versionKeys = ['openapi', 'swagger', 'swaggerVersion'];

/** Reads again after remote references were fetched. Only the last reading reports. */
async function readModel(
  document: LoadedDocument,
  store: DocumentStore,
  limits: DocumentLimits,
  report: Report,
  signal: AbortSignal | undefined,
): Promise<SourceModel | undefined> {
  for (;;) {
    const heldReports = new HeldReports();
    const model = readOnce(document, store, limits, heldReports.report);
    await yieldToSignals(signal);
    if (!store.hasPending) {
      for (const loaded of store.documents) {
        reportDuplicateKeys(loaded, report);
        reportHiddenText(loaded, report);
      }
      heldReports.release(report);
      return model;
    }
    await store.fetchPending();
  }
}

function readOnce(
  document: LoadedDocument,
  store: DocumentStore,
  limits: DocumentLimits,
  report: Report,
): SourceModel | undefined {
  const root = rootNode(document);
  if (!isRecordNode(root)) return undefined;
  const resolver = new Resolver(store, report, limits.references);
  const schemas = new SchemaReader(resolver, report, limits, document);
  const context: ReadContext = { entry: document, resolver, schemas, report, shared: new Map() };
  return readDocument(context, root);
}

interface OverlayReading {
  overlays: Overlay[] | undefined;
  texts: EntryText[];
}

/** Reads all overlays, so that the faults of all are reported. */
async function readOverlays(
  sources: readonly string[],
  options: Omit<EntryOptions, 'source' | 'document' | 'stdin'>,
  report: Report,
): Promise<OverlayReading> {
  if (sources.length === 0) return { overlays: [], texts: [] };
  const { readOverlay } = await import('./overlay/read-overlay.ts');
  const texts: EntryText[] = [];
  const overlays: Overlay[] = [];
  for (const source of sources) {
    const text = await readEntryText({ ...options, source, document: undefined, stdin: undefined });
    if (isLoadFailure(text)) {
      text.report(report);
      continue;
    }
    texts.push(text);
    const overlay = readOverlay(text, options.limits, report);
    if (overlay !== undefined) overlays.push(overlay);
  }
  return { overlays: overlays.length === sources.length ? overlays : undefined, texts };
}
