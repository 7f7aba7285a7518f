/** Answers of many bytes, saved in the files folder as they come. Loaded only where there is such a folder. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline, type Transform } from 'node:stream';
import type { WireRequest } from './wire-request.ts';
import { contentDecoders } from './read-body.ts';
import { type Redact, redactNothing } from '../redact.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';
import { UpstreamError } from './upstream-error.ts';
import { extensionOf } from '../contract/media-type.ts';

/** A file that an answer was saved as. */
export interface SavedFile {
  path: string;
  name: string;
  /** Bytes. */
  size: number;
}

export interface SaveOptions {
  filesRoot: string;
  limits: Pick<UpstreamLimits, 'inlineBytes' | 'fileBytes'>;
  /** Of the name, which the API may suggest. */
  redact?: Redact | undefined;
}

/** How many names are tried where files have them already. */
const MOST_NAMES = 1_000;

/**
 * The body of a short answer; a longer one is a new file. What was saved is removed where the rest doesn't come.
 *
 * @throws {UpstreamError} `file` when it is too long or can't be saved
 */
export async function readOrSave(
  response: IncomingMessage,
  wire: WireRequest,
  { filesRoot, limits, redact = redactNothing }: SaveOptions,
): Promise<{ body: Buffer; saved?: SavedFile }> {
  const chunks: Buffer[] = [];
  let size = 0;
  let file: NewFile | undefined;
  try {
    for await (const chunk of await decodedBody(response)) {
      size += chunk.length;
      if (size > limits.fileBytes) throw tooLong(limits.fileBytes);
      chunks.push(chunk);
      if (size <= limits.inlineBytes) continue;
      file ??= await newFile(filesRoot, redact(savedName(wire, response.headers)));
      for (const waiting of chunks.splice(0)) await written(file, waiting);
    }
    await file?.handle.close();
  } catch (error) {
    await file?.handle.close().catch(() => undefined);
    if (file !== undefined) await rm(file.path, { force: true });
    throw error;
  }
  if (file === undefined) return { body: Buffer.concat(chunks) };
  return { body: Buffer.alloc(0), saved: { path: file.path, name: path.basename(file.path), size } };
}

/** Ends with whatever ends one of its parts. */
async function decodedBody(response: IncomingMessage): Promise<AsyncIterable<Buffer>> {
  const decoders = await contentDecoders(response.headers['content-encoding']);
  return decoders.reduce<IncomingMessage | Transform>(
    (source, decoder) => pipeline(source, decoder, () => undefined),
    response,
  );
}

interface NewFile {
  handle: FileHandle;
  path: string;
}

/** Nothing is written over, nor through a link: the file must not be there. */
async function newFile(folder: string, name: string): Promise<NewFile> {
  const { name: stem, ext } = path.parse(name);
  for (let count = 1; count <= MOST_NAMES; count++) {
    const place = path.join(folder, count === 1 ? name : `${stem}-${count}${ext}`);
    try {
      return { handle: await open(place, 'wx', 0o600), path: place };
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw notSaved(error);
    }
  }
  throw new UpstreamError(
    'file',
    `The answer could not be saved: the files folder is full of files like ${name}.`,
  );
}

async function written({ handle }: NewFile, chunk: Buffer): Promise<void> {
  await handle.writeFile(chunk).catch((error: unknown) => {
    throw notSaved(error);
  });
}

function notSaved(error: unknown): UpstreamError {
  return new UpstreamError('file', `The answer could not be saved in the files folder (${codeOf(error)}).`, {
    cause: error,
  });
}

function tooLong(most: number): UpstreamError {
  return new UpstreamError(
    'file',
    `The answer is longer than the ${most} bytes that one file may have (API_FILE_BYTES).`,
  );
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}

/** File systems take 255 bytes; this leaves room for a number, and for characters of several bytes. */
const MOST_CHARACTERS = 60;

/** By `Content-Disposition` (RFC 6266), else by the last segment of the path; with an extension. */
export function savedName({ target }: Pick<WireRequest, 'target'>, headers: IncomingHttpHeaders): string {
  const segment = decoded(/([^/?]*)\/?(?:\?|$)/.exec(target)?.[1] ?? '');
  const name = safe(suggested(headers['content-disposition'] ?? '') ?? segment) || 'download';
  const extension = /\.[A-Za-z\d]{1,8}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length).slice(0, MOST_CHARACTERS);
  return stem + (extension === '' ? `.${extensionOf(headers['content-type'] ?? '')}` : extension);
}

/** `filename*` before `filename` (RFC 6266, section 4.3; RFC 8187). */
function suggested(disposition: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decoded(extended);
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted === undefined ? token : quoted.replace(/\\(.)/g, '$1');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** No folder, no control characters, none that a file system forbids, no dot at either end, no name of a device. */
function safe(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  const plain = last.replace(/[\0-\x1F\x7F-\x9F<>:"|?*]/g, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain) ? `_${plain}` : plain;
}
