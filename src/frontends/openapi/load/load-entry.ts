import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Observer } from '../../../model/observer.ts';
import { removeSecretPartsOfUrl } from '../../../model/without-credentials.ts';
import type { Report } from '../report.ts';
import { decodeText, hintAboutEmpty, readFile, tooLargeFailure, makeUnreadableFailure } from './read-file.ts';
import type { DocumentLimits, LoadedDocument } from './loaded-document.ts';
import { loadedDocument } from './document-store.ts';
import { type LoadFailure, isLoadFailure, loadFailure } from './load-failure.ts';
import { parseText } from './parse-text.ts';
import { isPublicAddress } from '../../../../templates/runtime/features/redirects.ts';
import { makeUnreachableFailure, readUrl } from './read-url.ts';
import { findRealPath } from '../../../util/ref-policy.ts';

export interface EntryOptions {
  source: string;
  /** The document, which is read in place of the source. */
  document: object | undefined;
  cwd: string;
  stdin: (() => Promise<Uint8Array>) | undefined;
  limits: DocumentLimits;
  fetch: typeof globalThis.fetch | undefined;
  signal: AbortSignal | undefined;
  observer: Observer | undefined;
}

/** Code frames need the text even if parsing fails. */
export interface EntryText {
  file: string;
  uri: string;
  text: string;
  /** The folder of the file; absent for a URL. */
  folder?: string;
}

export async function readEntryText(options: EntryOptions): Promise<EntryText | LoadFailure> {
  const { source, document } = options;
  if (document !== undefined) return entryFromObject(document, options);
  if (source === '-') return await entryFromStdin(options);
  if (/^https?:\/\//i.test(source)) return await entryFromUrl(source, options);
  const [scheme] = /^[a-z][a-z0-9+.-]+(?=:\/\/)/i.exec(source) ?? [];
  if (scheme === undefined) return entryFromFile(source, options);
  return makeUnreadableFailure(
    removeSecretPartsOfUrl(source),
    `the scheme ${scheme} is not supported, only http and https`,
  );
}

export function parseEntry(
  entry: EntryText,
  limits: DocumentLimits,
  report: Report,
): LoadedDocument | undefined {
  const parsed = parseText(entry.text, entry.file, limits);
  if (isLoadFailure(parsed)) {
    parsed.report(report, { kind: 'document', file: entry.file, pointer: '' });
    return undefined;
  }
  if (isEmpty(parsed.value, entry.text)) {
    const source = entry.file;
    report('source-unreadable', { source, reason: 'it is empty', hint: hintAboutEmpty(source) });
    return undefined;
  }
  return loadedDocument({ ...entry, parsed, version: '3.1' });
}

/** Whether the document says nothing; a written `null` is content. */
function isEmpty(value: unknown, text: string): boolean {
  if (value !== undefined && value !== null) return false;
  return text.replaceAll(/^(?:---|\.\.\.|%.*)|#.*$/gm, '').trim() === '';
}

/** Parsers that resolve references return objects that contain themselves. */
const AS_WRITTEN = 'Give the document as it is written, with its `$ref`s, and values of JSON alone.';

function entryFromObject(document: object, { source, limits, cwd }: EntryOptions): EntryText | LoadFailure {
  let text: string;
  try {
    text = JSON.stringify(document, undefined, 2);
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    const fault = `the object has no JSON. ${reason.split('\n', 1)[0] ?? ''}`;
    return loadFailure('source-unreadable', { source, reason: fault, hint: AS_WRITTEN }, fault);
  }
  if (text.length > limits.bytes) return tooLargeFailure(source, limits.bytes);
  const folder = findRealPath(cwd) ?? cwd;
  return { file: source, uri: pathToFileURL(join(folder, '-')).href, text, folder };
}

async function entryFromStdin({ stdin, limits, cwd }: EntryOptions): Promise<EntryText | LoadFailure> {
  const file = '<stdin>';
  if (stdin === undefined) return makeUnreadableFailure(file, 'standard input is not connected');
  const bytes = await stdin();
  if (bytes.length > limits.bytes) return tooLargeFailure(file, limits.bytes);
  const text = decodeText(bytes, file);
  const folder = findRealPath(cwd) ?? cwd;
  // References of standard input are relative to the working folder.
  return typeof text === 'string' ? { file, uri: pathToFileURL(join(folder, '-')).href, text, folder } : text;
}

async function entryFromUrl(
  source: string,
  { limits, fetch, signal }: EntryOptions,
): Promise<EntryText | LoadFailure> {
  if (!URL.canParse(source)) {
    const reason = 'it is not a valid URL';
    return makeUnreachableFailure(removeSecretPartsOfUrl(source), reason);
  }
  // The user chose this host, so it may be private; redirects may only lead to public ones.
  const { hostname } = new URL(source);
  const reading = await readUrl(source, {
    ...{ limits, fetch, signal },
    allows: () => true,
    allowsAddress: (address, url) => url.hostname === hostname || isPublicAddress(address),
  });
  if (isLoadFailure(reading)) return reading;
  const file = removeSecretPartsOfUrl(source);
  const text = decodeText(reading.bytes, file);
  return typeof text === 'string' ? { file, uri: reading.url, text } : text;
}

function entryFromFile(source: string, { cwd, limits, observer }: EntryOptions): EntryText | LoadFailure {
  const path = resolve(cwd, source);
  observer?.file(path);
  const bytes = readFile(path, source, limits.bytes);
  if (isLoadFailure(bytes)) return bytes;
  const text = decodeText(bytes, source);
  if (typeof text !== 'string') return text;
  const real = findRealPath(path) ?? path;
  return { file: source, uri: pathToFileURL(real).href, text, folder: dirname(real) };
}
