/** Bodies with files in them, read from the files folder as they are sent. Loaded with the first one. */
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable, type Writable } from 'node:stream';
import type { StreamedBody } from './wire-request.ts';
import { FileArgument } from './bytes.ts';
import type { UpstreamSettings } from './settings.ts';
import { UpstreamError } from './upstream-error.ts';

/** A file that may be sent. */
interface SendableFile {
  given: FileArgument;
  /** Without symbolic links. */
  path: string;
  size: number;
}

/**
 * The body whose pieces these are. The files are looked at now, and opened for each try.
 *
 * @throws {UpstreamError} `argument` for a file that may not be sent, or is none
 */
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
      const source = Readable.from(bytesOf(found));
      // `pipeline` would end the request without the reason.
      source.once('error', (error) => request.destroy(error)).pipe(request);
      // Closes the file.
      request.once('close', () => source.destroy());
    },
  };
}

async function* bytesOf(pieces: readonly (Buffer | SendableFile)[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece;
    else yield* fileBytes(piece);
  }
}

/** Opened without following a link that may have taken the file's place, nor waiting for a pipe's other end. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

async function* fileBytes({ given, path: place, size }: SendableFile): AsyncGenerator<Buffer> {
  if (size === 0) return;
  let sent = 0;
  try {
    const file = await open(place, FLAGS);
    // Not more than was promised, should it have grown.
    for await (const chunk of file.createReadStream({ end: size - 1 }) as AsyncIterable<Buffer>) {
      sent += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw refusal(given, `can't be read (${codeOf(error)})`, error);
  }
  if (sent < size) throw refusal(given, 'was changed while it was sent; try again');
}

async function findFile(given: FileArgument, { filesRoot, limits }: UpstreamSettings): Promise<SendableFile> {
  if (filesRoot === undefined) {
    throw new UpstreamError(
      'argument',
      `Argument "${given.argument}" names a file, and this server may not read files: give the bytes as base64 or as ` +
        'a data: URI. Whoever runs the server allows a folder with --files <folder> or MCP_FILES_ROOT.',
    );
  }
  const place = await insidePath(given, filesRoot);
  const found = await stat(place).catch((error: unknown) => {
    throw missing(given, error);
  });
  if (found.isDirectory()) throw refusal(given, 'is a folder; name a file in it');
  if (!found.isFile()) throw refusal(given, 'is no regular file');
  if (found.size > limits.fileBytes) {
    throw refusal(
      given,
      `has ${found.size} bytes, more than the ${limits.fileBytes} that may be sent (API_FILE_BYTES)`,
    );
  }
  return { given, path: place, size: found.size };
}

/** What leads out is refused before it is looked at, so that nobody learns what is there. */
async function insidePath(given: FileArgument, filesRoot: string): Promise<string> {
  const root = await realpath(filesRoot).catch((error: unknown) => {
    throw refusal(given, `can't be read, since the files folder can't (${codeOf(error)})`, error);
  });
  const written = [filesRoot, root].map((folder) => path.resolve(folder, given.path));
  const candidate = written.find((each, index) => isInside(each, index === 0 ? filesRoot : root));
  if (candidate === undefined) throw outside(given);
  const real = await realpath(candidate).catch((error: unknown) => {
    throw missing(given, error);
  });
  if (!isInside(real, root)) throw outside(given);
  return real;
}

function isInside(place: string, folder: string): boolean {
  const relative = path.relative(path.resolve(folder), place);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function outside(given: FileArgument): UpstreamError {
  return refusal(given, 'lies outside the files folder; give a path relative to it, of a file in it');
}

function missing(given: FileArgument, error: unknown): UpstreamError {
  const code = codeOf(error);
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  return isMissing
    ? refusal(given, 'does not exist in the files folder; give a path relative to that folder')
    : refusal(given, `can't be read (${code})`, error);
}

function refusal({ argument, path: given }: FileArgument, reason: string, cause?: unknown): UpstreamError {
  return new UpstreamError('argument', `Argument "${argument}": the file ${given} ${reason}.`, { cause });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
}
