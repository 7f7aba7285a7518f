// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Multipart bodies (RFC 2046) and forms (RFC 7578), whose parts have names. */
import { randomUUID } from 'node:crypto';
import type { BodyPropertyBinding, EncodingBinding, PartsBinding } from '../contract/bindings.ts';
import {
  type BodyWriters,
  type EncodedBody,
  FileArgument,
  OCTETS,
  type PartSource,
  decodeBytes,
  isDataOrFileUri,
} from './body.ts';
import {
  findEncoding,
  isEmptyValue,
  isStyled,
  keepText,
  printContent,
  queryPairs,
} from './parameter-styles.ts';
import {
  mediaTypeEssence,
  extensionOfType,
  isJsonType,
  isMediaRange,
  isText,
} from '../contract/http-syntax.ts';
import { printParameterValue } from './parameter-values.ts';
import { xmlBody } from './xml-body.ts';
import { argumentError } from './upstream-error.ts';

export { xmlBody };

interface MultipartBody {
  content: Buffer | (Buffer | FileArgument)[];
  boundary: string;
}

interface Part {
  name?: string | undefined;
  content: string | Buffer | FileArgument | (Buffer | FileArgument)[];
  contentType?: string | undefined;
  filename?: string | undefined;
  headers?: Record<string, string>;
}

const writers = { bodies: { partSources, propertySources, encodeMultipart, xmlBody } satisfies BodyWriters };

export function propertySources(
  { encoding }: PartsBinding,
  given: readonly BodyPropertyBinding[],
  args: Record<string, unknown>,
): PartSource[] {
  return given.map((property) => ({
    ...property,
    value: args[property.argument],
    encoding: findEncoding(encoding, property.name),
  }));
}

export function encodeMultipart(mediaType: string, sources: readonly PartSource[]): EncodedBody {
  const { content, boundary } = assembleMultipart(sources);
  return { contentType: setBoundary(mediaType, boundary), content };
}

/** Parts of a whole body, those inside parts among them: each is a buffer or more. */
const MOST_PARTS = 10_000;

interface Room {
  parts: number;
}

function takeRoom(room: Room, parts: number): void {
  room.parts -= parts;
  if (room.parts >= 0) return;
  throw argumentError(
    `The request's body would have more than ${MOST_PARTS} parts, the most that this server sends. Give less at a time.`,
  );
}

/** Null is left out, since no part can express it. */
function assembleMultipart(
  sources: readonly PartSource[],
  boundary = `form-${randomUUID()}`,
  room: Room = { parts: MOST_PARTS },
): MultipartBody {
  const chunks: (Buffer | FileArgument)[] = [];
  // No boundary may begin like one around it (RFC 2046, section 5.1.2).
  for (const part of sources.flatMap((source, index) =>
    partsOfSource(source, `${index}-${boundary}`, room),
  )) {
    chunks.push(Buffer.from(`--${boundary}\r\n${printPartHead(part)}\r\n`, 'utf8'));
    for (const piece of [part.content].flat())
      chunks.push(typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece);
    chunks.push(Buffer.from('\r\n'));
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { content: areAllBuffers(chunks) ? Buffer.concat(chunks) : chunks, boundary };
}

function areAllBuffers(chunks: (Buffer | FileArgument)[]): chunks is Buffer[] {
  return !chunks.some((chunk) => chunk instanceof FileArgument);
}

/** `boundary` is for nested multipart parts. */
function partsOfSource(source: PartSource, boundary: string, room: Room): Part[] {
  const { encoding, value, isItem } = source;
  if (isEmptyValue(value, encoding)) return [{ name: source.name, content: '' }];
  if (source.binary !== true && isStyled(encoding)) return partsByStyle(source, room);
  const headers = headersOfPart(source);
  const isList = Array.isArray(value) && isItem !== true && !isSentAsOnePart(value, encoding);
  const items: unknown[] = isList ? value : [value];
  takeRoom(room, items.length);
  return items
    .filter((item) => item !== null && item !== undefined)
    .map((item, index) => ({ ...partByContentType(source, item, `${index}-${boundary}`, room), headers }));
}

function isSentAsOnePart(list: readonly unknown[], encoding: EncodingBinding | undefined): boolean {
  if (!isMultipart(encoding?.contentType)) return false;
  const isNamed = encoding?.encoding !== undefined;
  return !list.every((item) => (isNamed ? typeof item === 'object' && item !== null : Array.isArray(item)));
}

function isMultipart(contentType: string | undefined): boolean {
  return contentType !== undefined && mediaTypeEssence(contentType).startsWith('multipart/');
}

/** Allowed in the header (RFC 2045, section 6.1); JSON Schema knows others (`base64url`). */
const TRANSFER_ENCODINGS: readonly unknown[] = ['base64', 'quoted-printable'];

/** OpenAPI 3.1, "Encoding Object": `contentEncoding` equals the header `Content-Transfer-Encoding`, which wins. */
function headersOfPart({ contentEncoding, encoding }: PartSource): Record<string, string> {
  const { headers = {} } = encoding ?? {};
  const isSaid = Object.keys(headers).some((name) => /^content-transfer-encoding$/i.test(name));
  if (isSaid || contentEncoding === undefined || !TRANSFER_ENCODINGS.includes(contentEncoding))
    return headers;
  return { 'Content-Transfer-Encoding': contentEncoding, ...headers };
}

/** Parts are not percent-encoded (OpenAPI 3.2, Appendix C). */
function partsByStyle({ name = '', value, encoding }: PartSource, room: Room): Part[] {
  const pairs = queryPairs({ ...encoding, name, allowEmptyValue: false }, value, keepText, keepText);
  takeRoom(room, pairs.length);
  return pairs.map(([pairName, content]) => ({ name: pairName, content }));
}

function partByContentType(source: PartSource, value: unknown, boundary: string, room: Room): Part {
  const { name, argument, encoding } = source;
  const declared = encoding?.contentType;
  const contentType =
    firstConcreteType(declared) ?? (typeof value === 'string' ? source.contentType : undefined);
  if (source.contentEncoding !== undefined && typeof value === 'string') {
    // The default beside a `contentEncoding` (OpenAPI 3.1, "Encoding Object").
    return { name, content: value, contentType: contentType ?? OCTETS };
  }
  if (
    source.binary === true ||
    (isDataOrFileUri(value) && (source.mayBeFile === true || isFileType(declared ?? source.contentType)))
  ) {
    const { bytes, mediaType, likelyMediaType, filename } = decodeBytes(argument, value);
    const type = mediaType ?? contentType ?? likelyMediaType ?? OCTETS;
    return makeFilePart(name, bytes, type, filename);
  }
  if (typeof value === 'object' && contentType !== undefined && isMultipart(contentType)) {
    const { content } = assembleMultipart(partSources(encoding ?? {}, argument, value), boundary, room);
    return { name, content, contentType: setBoundary(contentType, boundary) };
  }
  // A text with a `contentMediaType` is of that type already.
  const content =
    contentType === source.contentType
      ? printParameterValue(value)
      : printContent(value, contentType, encoding, argument, writers);
  // Named parts default to text/plain (RFC 7578, section 4.4).
  const usual =
    typeof value === 'object' ? 'application/json' : name === undefined ? 'text/plain' : undefined;
  return { name, content, contentType: contentType ?? usual };
}

function setBoundary(mediaType: string, boundary: string): string {
  return `${mediaType.replace(/;\s*boundary=[^;]*/i, '')}; boundary=${boundary}`;
}

function makeFilePart(
  name: string | undefined,
  content: Buffer | FileArgument,
  contentType: string,
  given: string | undefined,
): Part {
  const filename = given ?? (name === undefined ? undefined : `${name}.${extensionOfType(contentType)}`);
  return { name, content, contentType, filename };
}

/** Finds the first type without a wildcard in a list that may hold ranges. */
function firstConcreteType(declared: string | undefined): string | undefined {
  const types = declared?.split(',').map((one) => one.trim());
  return types?.find((one) => one !== '' && !isMediaRange(one));
}

function isFileType(declared: string | undefined): boolean {
  if (declared === undefined) return false;
  const first = mediaTypeEssence(declared.split(',')[0] ?? '');
  return !isText(first) && !isJsonType(first);
}

function printPartHead(part: Part): string {
  let head = contentDisposition(part);
  if (part.contentType !== undefined) head += `Content-Type: ${replaceLineBreaks(part.contentType)}\r\n`;
  for (const [name, value] of Object.entries(part.headers ?? {})) {
    head += `${replaceLineBreaks(name)}: ${replaceLineBreaks(value)}\r\n`;
  }
  return head;
}

/** Parts without a name can still be files (RFC 2183). */
function contentDisposition({ name, filename }: Part): string {
  if (name === undefined && filename === undefined) return '';
  const kind = name === undefined ? 'attachment' : `form-data; name="${quoteParameter(name)}"`;
  const file = filename === undefined ? '' : `; filename="${quoteParameter(filename)}"`;
  return `Content-Disposition: ${kind}${file}\r\n`;
}

/** Like browsers (HTML Standard, "multipart/form-data encoding algorithm"). */
function quoteParameter(text: string): string {
  return text.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function replaceLineBreaks(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}

export function partSources(binding: PartsBinding, argument: string, value: unknown): PartSource[] {
  if (Array.isArray(value)) return value.map((item, index) => itemSource(binding, argument, item, index));
  if (typeof value !== 'object' || value === null) {
    throw argumentError(
      `Argument "${argument}" must be an object, each member a part of the body, or a list of parts.`,
    );
  }
  const { parts = {}, otherParts, encoding } = binding;
  return Object.entries(value).map(([name, member]) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : (otherParts ?? { mayBeFile: true });
    return { ...part, name, argument, value: member, encoding: findEncoding(encoding, name) };
  });
}

function itemSource(binding: PartsBinding, argument: string, value: unknown, index: number): PartSource {
  const { prefixParts, otherParts, prefixEncoding, itemEncoding } = binding;
  const part = prefixParts?.[index] ?? otherParts ?? { mayBeFile: true };
  const encoding = prefixEncoding?.[index] ?? itemEncoding;
  return { ...part, name: encoding?.name, argument, value, encoding, isItem: true };
}
