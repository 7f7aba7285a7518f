// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Bytes that arrive as a string argument: base64, a `data:` URI or the name of a file (RFC 4648, RFC 2397, RFC 8089). */
import { UpstreamError } from './upstream-error.ts';
import { fileURLToPath } from 'node:url';
import { mediaTypeOf } from '../contract/media-type.ts';

export interface DecodedBytes {
  bytes: Buffer | FileArgument;
  /** The media type that a `data:` URI states. */
  mediaType?: string;
  /** The media type that a file's extension suggests; the document's own wins. */
  likelyMediaType?: string | undefined;
  /** The file's name without a folder: its own, or the `name` parameter of a `data:` URI. */
  filename?: string;
}

/** Decodes strictly: text that is not base64 is refused, with the argument's name, rather than sent as garbage. */
export function decodeBytes(argument: string, value: unknown): DecodedBytes {
  if (typeof value !== 'string') throw notBytes(argument);
  if (/^data:/i.test(value)) return decodeDataUri(argument, value);
  if (!isFileUri(value)) return { bytes: decodeBase64(argument, value) };
  const bytes = new FileArgument(argument, value);
  return { bytes, likelyMediaType: mediaTypeOf(bytes.filename), filename: bytes.filename };
}

/** A `data:` URI or the name of a file, as opposed to text that could be anything (`File: see below`). */
export function isFileLike(value: unknown): value is string {
  return typeof value === 'string' && /^data:[^,]*;base64,|^file:(?!\s)[^\r\n]+$/i.test(value);
}

function decodeDataUri(argument: string, uri: string): DecodedBytes {
  const comma = uri.indexOf(',');
  if (comma === -1) throw notBytes(argument);
  const head = uri.slice('data:'.length, comma);
  const isBase64 = /;\s*base64$/i.test(head);
  const [type = '', ...parameters] = head
    .replace(/;\s*base64$/i, '')
    .trim()
    .split(';');
  const isName = (parameter: string): boolean => /^\s*name=/i.test(parameter);
  const mediaType = [type, ...parameters.filter((parameter) => !isName(parameter))].join(';');
  const filename = parseFilename(parameters.find(isName));
  const data = uri.slice(comma + 1);
  const bytes = isBase64
    ? decodeBase64(argument, data.includes('%') ? percentBytes(argument, data).toString('latin1') : data)
    : percentBytes(argument, data);
  const isMediaType = /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7E]*)?$/.test(mediaType);
  return {
    bytes,
    ...(isMediaType ? { mediaType } : {}),
    ...(filename === undefined ? {} : { filename }),
  };
}

/** A folder is no part of a file's name (RFC 7578, section 4.2). */
function parseFilename(parameter: string | undefined): string | undefined {
  if (parameter === undefined) return undefined;
  let written = parameter.slice(parameter.indexOf('=') + 1).replace(/^"(.*)"$/, '$1');
  try {
    written = decodeURIComponent(written);
  } catch {
    // Not percent-encoded.
  }
  const name = written.split(/[\\/]/).at(-1) ?? '';
  return /^\.{0,2}$/.test(name) ? undefined : name;
}

/** Both alphabets of RFC 4648, padded or not, and the line breaks command line tools insert. */
function decodeBase64(argument: string, text: string): Buffer {
  const compact = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text;
  const padding = compact.endsWith('==') ? 2 : compact.endsWith('=') ? 1 : 0;
  const length = compact.length - padding;
  if (length % 4 === 1 || (padding > 0 && compact.length % 4 !== 0) || !isAlphabet(compact, length)) {
    throw notBytes(argument);
  }
  if (compact.length <= STEP) return Buffer.from(compact, 'base64');
  const bytes = Buffer.allocUnsafeSlow(Math.floor((length * 3) / 4));
  for (let at = 0; at < compact.length; at += STEP)
    bytes.write(compact.slice(at, at + STEP), (at / 4) * 3, 'base64');
  return bytes;
}

/** Characters that are decoded at once, four of which are three bytes: Node copies them first. */
const STEP = 262_144;

/** One alphabet or the other, then nothing but padding. */
function isAlphabet(text: string, length: number): boolean {
  const data = text.length === length ? text : text.slice(0, length);
  return /^(?:[A-Za-z\d+/]*|[A-Za-z\d_-]*)$/.test(data);
}

function percentBytes(argument: string, text: string): Buffer {
  try {
    return Buffer.from(decodeURIComponent(text), 'utf8');
  } catch {
    throw notBytes(argument);
  }
}

function notBytes(argument: string): UpstreamError {
  return new UpstreamError(
    'argument',
    `Argument "${argument}" must hold bytes: as base64, as a data: URI (data:image/png;base64,…), or as file:<path> where this ` +
      'server has a files folder. It is none of these.',
  );
}

/** A file of the files folder that an argument names. */
export class FileArgument {
  readonly argument: string;
  /** Relative to the files folder, or absolute. */
  readonly path: string;
  /** Without a folder, which is no part of a file's name (RFC 7578, section 4.2). */
  readonly filename: string;

  /** @throws {UpstreamError} `argument` when it is no path on this machine */
  constructor(argument: string, uri: string) {
    this.argument = argument;
    this.path = parsePath(argument, uri);
    this.filename = this.path.split(/[\\/]/).at(-1) ?? '';
  }
}

/** As opposed to base64, which has no colon. */
function isFileUri(value: string): boolean {
  return /^file:/i.test(value);
}

/** With slashes it is a URL (RFC 8089) and percent-decoded; without, a path as written. */
function parsePath(argument: string, uri: string): string {
  try {
    const path = /^file:\/\//i.test(uri) ? fileURLToPath(uri) : uri.slice('file:'.length);
    if (path !== '' && !path.includes('\0')) return path;
  } catch {
    // Another host, or an encoded slash.
  }
  throw new UpstreamError(
    'argument',
    `Argument "${argument}" names no file. Give file:<path in the files folder>, such as file:photos/cat.png.`,
  );
}
