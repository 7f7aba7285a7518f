// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Sends files of the files folder, and saves long answers in it. */
import { percentDecode } from '../contract/json-value.ts';
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline, Readable, type Transform, type Writable } from 'node:stream';
import type { SaveOptions, SavedFile, UpstreamSettings } from './upstream-settings.ts';
import { type StreamedBody, type WireRequest, createDecoders } from './wire-request.ts';
import { FileArgument } from './body.ts';
import { UpstreamError, errorCode, argumentError } from './upstream-error.ts';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { redactNothing } from '../redact.ts';
import { cutToWellFormedText, extensionOfType } from '../contract/http-syntax.ts';

interface SendableFile {
  given: FileArgument;
  filesRoot: string;
  size: number;
}

/** Files are checked now, and opened for each attempt. @throws {UpstreamError} `argument` for a file that may not be sent */
export async function streamedBody(
  pieces: readonly (Buffer | FileArgument)[],
  settings: UpstreamSettings,
): Promise<StreamedBody> {
  const found: (Buffer | SendableFile)[] = [];
  for (const piece of pieces)
    found.push(piece instanceof FileArgument ? await findFile(piece, settings) : piece);
  return {
    byteLength: found.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.size), 0),
    send: (request: Writable) => {
      const source = Readable.from(readBodyPieces(found));
      // `pipeline` would end the request without the reason.
      source.once('error', (error) => request.destroy(error)).pipe(request);
      request.once('close', () => source.destroy());
    },
  };
}

async function* readBodyPieces(pieces: readonly (Buffer | SendableFile)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece;
    else yield* readFileBytes(piece);
  }
}

/** Opens without waiting for a pipe. A link to the file has been resolved before. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function* readFileBytes({ given, filesRoot, size }: SendableFile): AsyncGenerator<Buffer> {
  if (size === 0) return;
  let sent = 0;
  const file = await openInsideFolder(given, filesRoot);
  try {
    // The file may have grown beyond the announced length.
    for await (const chunk of file.createReadStream({ end: size - 1 }) as AsyncIterable<Buffer>) {
      sent += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw fileError(given, `can't be read (${errorCodeOrUnknown(error)})`, error);
  }
  if (sent < size) throw fileError(given, 'was changed while it was sent; try again');
}

async function findFile(given: FileArgument, { filesRoot, limits }: UpstreamSettings): Promise<SendableFile> {
  if (filesRoot === undefined)
    throw argumentError(
      `Argument "${given.argument}" names a file, and this server may not read files: give the bytes as base64 or as ` +
        'a data: URI. Whoever runs the server allows a folder with --files <folder> or MCP_FILES_ROOT.',
    );
  const file = await openInsideFolder(given, filesRoot);
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw fileError(given, 'is a folder; name a file in it');
    if (!stats.isFile()) throw fileError(given, 'is no regular file');
    if (stats.size > limits.fileBytes)
      throw fileError(
        given,
        `has ${stats.size} bytes, more than the ${limits.fileBytes} that may be sent (API_FILE_BYTES)`,
      );
    return { given, filesRoot, size: stats.size };
  } finally {
    await file.close();
  }
}

/** A folder may be exchanged for a link at any time, so the place of the open file decides. */
async function openInsideFolder(given: FileArgument, filesRoot: string): Promise<FileHandle> {
  const { place, root } = await resolveInsideFolder(given, filesRoot);
  const file = await open(place, FLAGS).catch(createMissingFileHandler(given));
  const real = await findOpenFile(file, place);
  if (real !== undefined && isInside(real, root)) return file;
  await file.close();
  throw outsideFolderError(given);
}

/** Linux knows the path of an open file. Elsewhere the path is resolved again. It must lead to the same file. */
async function findOpenFile(file: FileHandle, place: string): Promise<string | undefined> {
  try {
    const real = await (process.platform === 'linux'
      ? readlink(`/proc/self/fd/${file.fd}`)
      : realpath(place));
    const [opened, named] = await Promise.all([file.stat({ bigint: true }), stat(real, { bigint: true })]);
    return opened.dev === named.dev && opened.ino === named.ino ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Refuses a path outside the folder before touching it, so that its existence is not revealed. */
async function resolveInsideFolder(
  given: FileArgument,
  filesRoot: string,
): Promise<{ place: string; root: string }> {
  const root = await realpath(filesRoot).catch((error: unknown) => {
    throw fileError(
      given,
      `can't be read, since the files folder can't (${errorCodeOrUnknown(error)})`,
      error,
    );
  });
  // The folder was real when the server started, so a link in its place was put there since.
  if (root !== path.resolve(filesRoot)) throw outsideFolderError(given);
  const candidate = path.resolve(root, given.path);
  if (!isInside(candidate, root)) throw outsideFolderError(given);
  const place = await realpath(candidate).catch(createMissingFileHandler(given));
  if (!isInside(place, root)) throw outsideFolderError(given);
  return { place, root };
}

function isInside(place: string, folder: string): boolean {
  const relative = path.relative(path.resolve(folder), place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function outsideFolderError(given: FileArgument): UpstreamError {
  return fileError(given, 'lies outside the files folder; give a path relative to it, of a file in it');
}

function createMissingFileHandler(given: FileArgument): (error: unknown) => never {
  return (error) => {
    const code = errorCodeOrUnknown(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw fileError(given, `can't be read (${code})`, error);
    throw fileError(given, 'does not exist in the files folder; give a path relative to that folder');
  };
}

function fileError({ argument, path: given }: FileArgument, reason: string, cause?: unknown): UpstreamError {
  return new UpstreamError('argument', `Argument "${argument}": the file ${given} ${reason}.`, { cause });
}

function errorCodeOrUnknown(error: unknown): string {
  return errorCode(error) || 'unknown reason';
}

/** Limits the names (`name-2`) that are tried for a new file. */
const MOST_NAMES = 1_000;

/**
 * A long answer becomes a new file, removed if the answer breaks off.
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
    for await (const chunk of decompressBody(response)) {
      size += chunk.length;
      if (size > limits.fileBytes)
        throw new UpstreamError(
          'file',
          `The answer is longer than the ${limits.fileBytes} bytes that one file may have (API_FILE_BYTES).`,
        );
      chunks.push(chunk);
      if (size <= limits.inlineBytes) continue;
      file ??= await createNewFile(filesRoot, redact(fileNameForAnswer(wire, response.headers)));
      for (const waiting of chunks.splice(0)) await file.handle.writeFile(waiting).catch(throwUnsavedError);
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

/** Servers may name a coding without a body. */
async function* decompressBody(response: IncomingMessage): AsyncGenerator<Buffer> {
  const decoders = await createDecoders(response.headers['content-encoding']);
  let isEmpty = decoders.length > 0;
  if (isEmpty) response.once('data', () => (isEmpty = false));
  try {
    yield* decoders.reduce<IncomingMessage | Transform>(
      (source, decoder) => pipeline(source, decoder, () => undefined),
      response,
    ) as AsyncIterable<Buffer>;
  } catch (error) {
    if (!isEmpty || !response.complete) throw error;
  }
}

interface NewFile {
  handle: FileHandle;
  path: string;
}

function exchangedFolderError(): UpstreamError {
  return new UpstreamError('file', 'The answer could not be saved: the files folder was exchanged.');
}

/** `wx` neither overwrites nor writes through a link to a file. */
async function createNewFile(folder: string, name: string): Promise<NewFile> {
  const { name: stem, ext } = path.parse(name);
  const root = await realpath(folder).catch(throwUnsavedError);
  if (root !== path.resolve(folder)) throw exchangedFolderError();
  for (let count = 1; count <= MOST_NAMES; count++) {
    const place = path.join(folder, count === 1 ? name : `${stem}-${count}${ext}`);
    const handle = await open(place, 'wx', 0o600).catch((error: unknown): undefined => {
      if (errorCodeOrUnknown(error) !== 'EEXIST') throwUnsavedError(error);
      return undefined;
    });
    if (handle === undefined) continue;
    const real = await findOpenFile(handle, place);
    if (real !== undefined && path.dirname(real) === root) return { handle, path: place };
    await handle.close();
    if (real !== undefined) await rm(real, { force: true });
    throw exchangedFolderError();
  }
  throw new UpstreamError(
    'file',
    `The answer could not be saved: the files folder is full of files like ${name}.`,
  );
}

function throwUnsavedError(error: unknown): never {
  throw new UpstreamError(
    'file',
    `The answer could not be saved in the files folder (${errorCodeOrUnknown(error)}).`,
    {
      cause: error,
    },
  );
}

/** File systems allow 255 bytes; leaves room for a number and multi-byte characters. */
const MOST_CHARACTERS = 60;

/** Takes the name from `Content-Disposition` (RFC 6266), else from the last segment of the path. */
export function fileNameForAnswer(
  { target }: Pick<WireRequest, 'target'>,
  headers: IncomingHttpHeaders,
): string {
  const segment = /([^/?]*)\/?(?:\?|$)/.exec(target)?.[1] ?? '';
  const name =
    makeSafeFilename(
      nameFromDisposition(headers['content-disposition'] ?? '') ?? percentDecode(segment) ?? segment,
    ) || 'download';
  const extension = /\.[A-Za-z\d]{1,8}$/.exec(name)?.[0] ?? '';
  const stem = cutToWellFormedText(name.slice(0, name.length - extension.length), MOST_CHARACTERS);
  return stem + (extension === '' ? `.${extensionOfType(headers['content-type'] ?? '')}` : extension);
}

/** `filename*` wins (RFC 6266, section 4.3; RFC 8187). */
function nameFromDisposition(disposition: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return percentDecode(extended) ?? extended;
  const [, quoted, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? [];
  return quoted === undefined ? token : quoted.replace(/\\(.)/g, '$1');
}

/** Invisible ones, such as marks that turn the direction of `gpj.exe`, and separators of lines. */
const FORMAT_CHARACTERS = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Removes folders, format and forbidden characters and outer dots; avoids device names of Windows. */
function makeSafeFilename(name: string): string {
  const last = name.replace(FORMAT_CHARACTERS, '').split(/[\\/]/).at(-1) ?? '';
  const plain = last.replace(/[\0-\x1F\x7F-\x9F<>:"|?*]/g, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  return /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain) ? `_${plain}` : plain;
}
