// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Arguments and bodies that are bytes: base64 and `data:` URIs. */
import type { Feature } from '../feature.ts';
import { ownMember } from '../json-rpc.ts';
import { type ApiSetup, type BodyWriter, essence, isTextType, print, typeOfBody } from '../request.ts';
import { ToolError } from '../types.ts';

declare module '../request.ts' {
  interface ApiSetup {
    /** By scheme of the URI that is given for bytes: `file`. */
    bytes?: Readonly<Record<string, ReadBytes>>;
  }
}
declare module '../types.ts' {
  interface Body {
    /** The others that the API takes: bytes are sent as the type of their `data:` URI, if it is one of them. */
    alternatives?: string[];
    /** A `data:` URI is sent as bytes: the document doesn't say which it is. */
    mayBeFile?: boolean;
  }
}

/** The bytes that an argument stands for. @throws {ToolError} if it stands for none */
export type ReadBytes = (argument: string, value: unknown) => GivenBytes;
export interface GivenBytes {
  bytes: Uint8Array;
  mediaType?: string | undefined;
  /** Of a file, or the parameter `name` of a `data:` URI. */
  name?: string | undefined;
}

export function bytes(): Feature {
  return { name: 'bytes', parts: { bodies: { binary: writeBinary, text: writeTextOrFile } } };
}

export const writeBinary: BodyWriter = (body, args, setup) => {
  const { argument = 'body', mediaType, alternatives = [] } = body;
  const contentType = typeOfBody(body);
  const value = ownMember(args, argument);
  if (value === undefined) return { contentType, content: '' };
  const { bytes, mediaType: uriType = contentType } = readBytes(argument, value, setup);
  const isOffered =
    contentType !== mediaType || alternatives.some((type) => essence(type) === essence(uriType));
  return { contentType: isOffered ? uriType : contentType, content: bytes };
};

export const writeTextOrFile: BodyWriter = (body, args, setup) => {
  const value = ownMember(args, body.argument ?? '');
  // Text may begin with the word "file:".
  const isFile =
    body.mayBeFile === true ? isBytesUri(value, setup) : isDataUri(value) && isTextType(typeOfBody(body));
  return isFile ? writeBinary(body, args, setup) : undefined;
};

/** A `data:` URI (RFC 2397), as opposed to words about data. */
function isDataUri(value: unknown): boolean {
  const form = /^data:(?:[^,]*;base64|[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[^,;\s]*)*),/i;
  return typeof value === 'string' && form.test(value);
}

function readerOf(value: unknown, { bytes }: Pick<ApiSetup, 'bytes'>): ReadBytes | undefined {
  return typeof value === 'string'
    ? ownMember(bytes, value.slice(0, 20).split(':')[0]?.toLowerCase() ?? '')
    : undefined;
}

/** A `data:` URI, or one that a feature reads. */
export function isBytesUri(value: unknown, setup: Pick<ApiSetup, 'bytes'>): boolean {
  return isDataUri(value) || readerOf(value, setup) !== undefined;
}

/** @throws {ToolError} if the value is none of these */
export function readBytes(argument: string, value: unknown, setup: Pick<ApiSetup, 'bytes'>): GivenBytes {
  return (readerOf(value, setup) ?? decodeBytes)(argument, value);
}

/** Base64 of either alphabet, or a `data:` URI. Anything else is refused, not sent as garbage. */
function decodeBytes(argument: string, value: unknown): GivenBytes {
  const text = print(value);
  const [uri, head = '', data = ''] = /^data:([^,]*),(.*)$/is.exec(text) ?? [];
  const [type = '', ...parameters] = head.split(';').map((part) => part.trim());
  const isBase64 = uri === undefined || parameters.at(-1)?.toLowerCase() === 'base64';
  const plain = uri === undefined ? text : isBase64 && !data.includes('%') ? data : percentDecodeBytes(data);
  const digits = isBase64 ? plain?.replace(/[\r\n]+/g, '').replace(/={1,2}$/, '') : '';
  if (plain === undefined || digits === undefined || !/^[\w+/-]*$/.test(digits) || digits.length % 4 === 1)
    throw new ToolError(
      `Argument "${argument}" must hold bytes: as base64, or as a data: URI (data:image/png;base64,…).`,
    );
  const bytes = isBase64 ? Buffer.from(digits, 'base64') : Buffer.from(plain, 'latin1');
  if (uri === undefined) return { bytes };
  const isName = (part: string): boolean => /^name=/i.test(part);
  const rest = parameters.filter((part) => !isName(part) && part.toLowerCase() !== 'base64');
  const path = parameters.find(isName)?.replace(/^name="?(.*?)"?$/i, '$1') ?? '';
  // Folders are dropped (RFC 7578, section 4.2).
  const decoded = Buffer.from(percentDecodeBytes(path) ?? path, 'latin1').toString();
  const filename = decoded.replace(/^.*[\\/]/s, '');
  const mediaType = [type, ...rest].join(';');
  const isType = /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7E]*)?$/.test(mediaType);
  return {
    bytes,
    mediaType: isType ? mediaType : undefined,
    name: /^\.{0,2}$/.test(filename) ? undefined : filename,
  };
}

/** Bytes, one character each. Undefined if a triplet is broken. */
function percentDecodeBytes(text: string): string | undefined {
  if (/%(?![\da-f]{2})/i.test(text)) return undefined;
  const bytes = Buffer.from(text).toString('latin1');
  return bytes.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}
