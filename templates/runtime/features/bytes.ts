// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Arguments that are bytes: base64, `data:` URIs, and URIs that other features read. Also bodies that are such. */
import { ownMember } from '../json-rpc.ts';
import { type ApiSetup, type BodyWriter, essence, type GivenBytes, print, typeOfBody } from '../request.ts';
import { ToolError } from '../types.ts';

declare module '../types.ts' {
  interface Body {
    /** The others that the API takes: bytes are sent as the type of their `data:` URI, if it is one of them. */
    alternatives?: string[];
    /** A `data:` URI is sent as bytes: the document doesn't say which it is. */
    mayBeFile?: boolean;
  }
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
  const isFile = body.mayBeFile === true && isBytesUri(ownMember(args, body.argument ?? ''), setup);
  return isFile ? writeBinary(body, args, setup) : undefined;
};

/** A `data:` URI (RFC 2397), as opposed to words about data. */
function isDataUri(value: unknown): boolean {
  const form = /^data:(?:[^,]*;base64|[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[^,;\s]*)*),/i;
  return typeof value === 'string' && form.test(value);
}

function readerOf(value: unknown, { bytes }: Pick<ApiSetup, 'bytes'>) {
  const scheme = /^(\w{1,20}):/.exec(String(value))?.[1]?.toLowerCase() ?? '';
  return ownMember(bytes, scheme);
}

/** A `data:` URI, or one that a feature reads. */
export function isBytesUri(value: unknown, setup: Pick<ApiSetup, 'bytes'>): boolean {
  return isDataUri(value) || (typeof value === 'string' && readerOf(value, setup) !== undefined);
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
  const plain = uri === undefined ? text : isBase64 && !data.includes('%') ? data : percentDecode(data);
  const digits = isBase64 ? plain?.replace(/[\r\n]+/g, '').replace(/={1,2}$/, '') : '';
  if (plain === undefined || digits === undefined || !/^[\w+/-]*$/.test(digits) || digits.length % 4 === 1)
    throw new ToolError(
      `Argument "${argument}" must hold bytes: as base64, or as a data: URI (data:image/png;base64,…).`,
    );
  const bytes = isBase64 ? Buffer.from(digits, 'base64') : Buffer.from(plain, 'latin1');
  if (uri === undefined) return { bytes };
  const isName = (part: string): boolean => /^name=/i.test(part);
  const rest = parameters.filter((part) => !isName(part) && part.toLowerCase() !== 'base64');
  const path =
    parameters
      .find(isName)
      ?.slice('name='.length)
      .replace(/^"(.*)"$/, '$1') ?? '';
  // Folders are dropped (RFC 7578, section 4.2).
  const decoded = Buffer.from(percentDecode(path) ?? path, 'latin1').toString();
  const filename = decoded.split(/[\\/]/).at(-1) ?? '';
  const mediaType = [type, ...rest].join(';');
  const isType = /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7E]*)?$/.test(mediaType);
  return {
    bytes,
    mediaType: isType ? mediaType : undefined,
    name: /^\.{0,2}$/.test(filename) ? undefined : filename,
  };
}

/** Bytes, one character each. Undefined if a triplet is broken. */
function percentDecode(text: string): string | undefined {
  if (/%(?![\da-f]{2})/i.test(text)) return undefined;
  const bytes = Buffer.from(text).toString('latin1');
  return bytes.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
}
