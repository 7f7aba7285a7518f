import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import type { SourceTexts } from '../../../diagnostics/locate/text-places.ts';
import type { Observer } from '../../../model/observer.ts';
import { removeSecretPartsOfUrl } from '../../../model/without-credentials.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import { findDocumentVersion } from '../document/openapi-version.ts';
import { decodeText, readFile } from './read-file.ts';
import type { DocumentLimits, LoadedDocument } from './loaded-document.ts';
import { type LoadFailure, type ParsedText, isLoadFailure } from './load-failure.ts';
import { parseText } from './parse-text.ts';
import { replaceLoneSurrogates } from './text-faults.ts';
import { readUrl } from './read-url.ts';
import { type RefPolicy, isInside, findRealPath } from '../../../util/ref-policy.ts';

export type Refusal =
  | { kind: 'refused-host'; host: string }
  | { kind: 'outside-root'; root: string }
  | { kind: 'unreadable'; reason: string }
  | { kind: 'invalid'; reason: string }
  /** A remote document that the next reading will find. */
  | { kind: 'pending' };

export type Opening = LoadedDocument | Refusal;

export interface StoreOptions {
  policy: RefPolicy;
  limits: DocumentLimits;
  fetch: typeof globalThis.fetch | undefined;
  signal?: AbortSignal | undefined;
  observer?: Observer | undefined;
}

/** Files are read synchronously. Remote documents are fetched between two readings. */
export class DocumentStore {
  /** Kept apart from the store, which may be collected while these texts are in use. */
  readonly texts: SourceTexts;
  readonly #options: StoreOptions;
  readonly #entry: LoadedDocument;
  readonly #texts = new Map<string, string>();
  readonly #opened = new Map<string, Opening>();
  readonly #pending = new Set<string>();

  constructor(entry: LoadedDocument, options: StoreOptions) {
    this.#options = options;
    this.#entry = entry;
    const texts = this.#texts;
    this.texts = { textOf: (file) => texts.get(file) };
    this.#rememberDocument(entry.uri, entry);
  }

  get documents(): LoadedDocument[] {
    return [...new Set([...this.#opened.values()].filter(isLoadedDocument))];
  }

  hasDocument(url: URL): boolean {
    const opening = this.#opened.get(url.href);
    return opening !== undefined && isLoadedDocument(opening);
  }

  openDocument(url: URL, from: LoadedDocument): Opening {
    const known = this.#opened.get(url.href);
    if (known !== undefined) return known;
    if (this.#opened.size >= this.#options.limits.documents)
      return {
        kind: 'unreadable',
        reason: `more than ${this.#options.limits.documents} documents are referenced`,
      };
    const opening = this.#openByScheme(url, from);
    if (!this.#opened.has(url.href)) this.#rememberDocument(url.href, opening);
    return opening;
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  async fetchPending(): Promise<void> {
    const urls = [...this.#pending];
    this.#pending.clear();
    await Promise.all(
      urls.map(async (url) => {
        this.#rememberDocument(url, await this.#fetchDocument(url));
      }),
    );
  }

  #openByScheme(url: URL, from: LoadedDocument): Opening {
    if (url.protocol === 'http:' || url.protocol === 'https:') {
      if (!this.#options.policy.allowsHost(url)) return { kind: 'refused-host', host: url.host };
      this.#pending.add(url.href);
      return { kind: 'pending' };
    }
    const path = this.#resolveAllowedPath(url, from);
    return typeof path === 'string' ? this.#openFile(path, from) : path;
  }

  #resolveAllowedPath(url: URL, from: LoadedDocument): string | Refusal {
    if (url.protocol !== 'file:')
      return { kind: 'invalid', reason: `the scheme ${url.protocol} is not supported` };
    const { root, rootName = 'the root' } = this.#options.policy;
    if (root === undefined || !from.uri.startsWith('file:')) return { kind: 'outside-root', root: rootName };
    const path = filePathOfUrl(url);
    if (path === undefined) return { kind: 'invalid', reason: 'it does not name a file' };
    const real = findRealPath(path);
    // A missing file is judged by its name, so that the answer never reveals whether a file outside the root exists.
    if (!isInside(root, real ?? resolve(path))) return { kind: 'outside-root', root: rootName };
    this.#options.observer?.file(path);
    return real ?? { kind: 'unreadable', reason: 'there is no such file' };
  }

  #openFile(path: string, from: LoadedDocument): Opening {
    const uri = pathToFileURL(path).href;
    const opening = this.#opened.get(uri);
    if (opening !== undefined) return opening;
    const file = this.#formatFileName(path);
    const bytes = readFile(path, file, this.#options.limits.bytes);
    return isLoadFailure(bytes) ? toRefusal(bytes) : this.#parseDocument(bytes, file, uri, from.version);
  }

  async #fetchDocument(url: string): Promise<Opening> {
    const { limits, policy, fetch, signal } = this.#options;
    const { allowsHost: allows, allowsAddress } = policy;
    const reading = await readUrl(url, { limits, fetch, signal, allows, allowsAddress });
    if (isLoadFailure(reading)) return toRefusal(reading);
    return this.#parseDocument(reading.bytes, removeSecretPartsOfUrl(url), reading.url, this.#entry.version);
  }

  #parseDocument(bytes: Uint8Array, file: string, uri: string, version: LoadedDocument['version']): Opening {
    const text = decodeText(bytes, file);
    if (typeof text !== 'string') return toRefusal(text);
    const parsed = parseText(text, file, this.#options.limits);
    return isLoadFailure(parsed) ? toRefusal(parsed) : loadedDocument({ file, uri, text, parsed, version });
  }

  #rememberDocument(href: string, opening: Opening): void {
    this.#opened.set(href, opening);
    if (!isLoadedDocument(opening)) return;
    this.#opened.set(opening.uri, opening);
    if (!this.#opened.has(opening.base)) this.#opened.set(opening.base, opening);
    this.#texts.set(opening.file, opening.text);
  }

  /** Files beside a document with a relative name get relative names too. */
  #formatFileName(path: string): string {
    if (!this.#entry.uri.startsWith('file:')) return path;
    const entry = fileURLToPath(this.#entry.uri);
    if (isAbsolute(this.#entry.file)) return path;
    const folder = basename(entry) === basename(this.#entry.file) ? dirname(this.#entry.file) : '.';
    return join(folder, relative(dirname(entry), path)).replaceAll('\\', '/');
  }
}

export function isLoadedDocument(opening: Opening): opening is LoadedDocument {
  return 'uri' in opening;
}

export function loadedDocument(parts: {
  file: string;
  uri: string;
  text: string;
  parsed: ParsedText;
  version: LoadedDocument['version'];
}): LoadedDocument {
  const { file, uri, parsed } = parts;
  const text = parsed.text ?? parts.text;
  const { value, aliases = 0, duplicateKeys = [] } = parsed;
  replaceLoneSurrogates(text, value);
  const identity = { file, uri, text, aliases, duplicateKeys };
  return { ...identity, ...readVersionAndBase(value, uri, parts.version), value };
}

export function replaceDocumentValue(
  document: LoadedDocument,
  value: unknown,
  writtenAt: (pointer: string) => DocumentOrigin,
): LoadedDocument {
  return { ...document, ...readVersionAndBase(value, document.uri, document.version), value, writtenAt };
}

function readVersionAndBase(
  value: unknown,
  uri: string,
  version: LoadedDocument['version'],
): Pick<LoadedDocument, 'version' | 'base'> {
  const found = findDocumentVersion(value);
  const self = isRecord(value) ? value.$self : undefined;
  const base = typeof self === 'string' && URL.canParse(self, uri) ? new URL(self, uri).href : uri;
  return { version: 'version' in found ? found.version : version, base };
}

function toRefusal(failure: LoadFailure): Refusal {
  return { kind: 'unreadable', reason: failure.reason };
}

function filePathOfUrl(url: URL): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
