// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Multipart bodies (RFC 2046) and forms (RFC 7578), whose parts have names (OpenAPI 3.2, Encoding Object). */
import { randomUUID } from 'node:crypto';
import type { Feature } from '../feature.ts';
import { ownMember } from '../json-rpc.ts';
import {
  type ApiSetup,
  asUtf8,
  type BodyWriter,
  essence,
  isJsonType,
  isTextType,
  print,
} from '../request.ts';
import { type Args, type Body, ToolError } from '../types.ts';
import { isBytesUri, readBytes } from './bytes.ts';
import { decodeName, type Field, printContent, writePairs } from './styles.ts';

declare module '../types.ts' {
  interface Body {
    /** By name. */
    parts?: Record<string, PartKind>;
    otherParts?: PartKind;
  }
}
interface PartKind {
  binary?: boolean;
  /** A `data:` URI is sent as bytes, anything else as it is: the document doesn't say which it is. */
  mayBeFile?: boolean;
  /** The text is in this encoding already. */
  contentEncoding?: string;
  /** The type of a text or of bytes; that of the field wins. */
  contentType?: string;
}
/** A member or item that becomes one part, or several. */
interface Source extends PartKind {
  name?: string | undefined;
  argument: string;
  value: unknown;
  field: Field;
  /** One part even if it is a list. */
  isItem?: boolean;
}
interface Part {
  name?: string | undefined;
  content: string | Uint8Array;
  contentType?: string | undefined;
  filename?: string | undefined;
  transferEncoding?: string | undefined;
}

/** Of a body. */
const MAX_PARTS = 10_000;
const OCTETS = 'application/octet-stream';

export function multipart(): Feature {
  return { name: 'multipart', parts: { bodies: { multipart: write } } };
}

const write: BodyWriter = (body, args, setup) => {
  const { argument = '', mediaType } = body;
  const value = ownMember(args, argument);
  const sources = value === undefined ? sourcesOfArguments(body, args) : listSources(body, argument, value);
  const boundary = `form-${randomUUID()}`;
  const type = /\*|^$/.test(mediaType) ? 'multipart/form-data' : mediaType;
  // RFC 7578, section 4.2.
  if (essence(type) === 'multipart/form-data' && sources.some(({ name }) => name === undefined))
    throw new ToolError(
      "A list can't be sent as multipart/form-data, whose parts have names: the API's document names none.",
    );
  const parts = sources.flatMap((source) => listParts(source, setup));
  if (parts.length > MAX_PARTS)
    throw new ToolError(`The request's body would have more than ${MAX_PARTS} parts. Give less at a time.`);
  const chunks = parts.flatMap(({ content, ...part }) => [
    Buffer.from(`--${boundary}\r\n${printHead(part)}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  const content = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
  const bareType = type.replace(/;\s*boundary=[^;]*/i, '');
  // The type of the first part (RFC 2387, section 3.1).
  const isRelated = essence(bareType) === 'multipart/related' && !/;\s*type=/i.test(bareType);
  const root = isRelated ? `; type="${parts[0]?.contentType ?? 'text/plain'}"` : '';
  return { contentType: `${bareType}${root}; boundary=${boundary}`, content };
};

function sourcesOfArguments({ properties = [], encoding }: Body, args: Args): Source[] {
  return properties.flatMap(({ argument, name, ...kind }) => {
    const value = ownMember(args, argument);
    return value === undefined
      ? []
      : { ...kind, argument, name, value, field: ownMember(encoding, name) ?? {} };
  });
}

function listSources(
  { otherParts = { mayBeFile: true }, ...body }: Body,
  argument: string,
  value: unknown,
): Source[] {
  if (Array.isArray(value))
    return value.map((item: unknown) => ({ ...otherParts, argument, value: item, field: {}, isItem: true }));
  if (typeof value !== 'object' || value === null)
    throw new ToolError(
      `Argument "${argument}" must be an object, each member a part of the body, or a list of parts.`,
    );
  return Object.entries(value).map(([name, member]) => {
    const kind = ownMember(body.parts, name) ?? otherParts;
    return { ...kind, name, argument, value: member, field: ownMember(body.encoding, name) ?? {} };
  });
}

function listParts(source: Source, setup: ApiSetup): Part[] {
  const { value, field, name = '', binary, isItem } = source;
  const { style, explode, allowReserved, allowEmptyValue } = field;
  if (allowEmptyValue === true && Array.isArray(value) && value.length === 0)
    return [{ name: source.name, content: '' }];
  if (binary !== true && (style ?? explode ?? allowReserved) !== undefined) {
    // Parts are not percent-encoded (OpenAPI 3.2, Appendix C).
    const pairs = writePairs({ ...field, name, allowEmptyValue: false }, value, String);
    return pairs.map(decodeName).map(([key, content]) => ({ name: key, content }));
  }
  const items = Array.isArray(value) && isItem !== true ? value : [value];
  return items
    .filter((item) => item !== null && item !== undefined)
    .map((item) => makePart(source, item, setup));
}

function makePart(source: Source, value: unknown, setup: ApiSetup): Part {
  const { name, argument, field, binary, mayBeFile, contentEncoding = '' } = source;
  const declared = field.contentType?.split(',').map((type) => type.trim());
  const contentType =
    declared?.find((type) => type !== '' && !type.includes('*')) ??
    (typeof value === 'string' ? source.contentType : undefined);
  // Octets are the default beside a `contentEncoding`, which equals a header; JSON Schema knows others than RFC 2045 (OpenAPI 3.1, Encoding Object).
  const transferEncoding = /^(?:base64|quoted-printable)$/.test(contentEncoding)
    ? contentEncoding
    : undefined;
  if (contentEncoding !== '' && typeof value === 'string')
    return { name, content: value, contentType: contentType ?? OCTETS, transferEncoding };
  const [fileType = source.contentType] = declared ?? [];
  const isFileType = fileType !== undefined && !isTextType(fileType) && !isJsonType(fileType);
  if (binary === true || (isBytesUri(value, setup) && (mayBeFile === true || isFileType))) {
    const { bytes, mediaType, name: filename } = readBytes(argument, value, setup);
    const type = mediaType ?? contentType ?? OCTETS;
    const usualName = name === undefined ? undefined : `${name}.${extensionOf(type)}`;
    return { name, content: bytes, contentType: type, filename: filename ?? usualName };
  }
  // A text with a `contentMediaType` is of that type already.
  const content =
    contentType === undefined || contentType === source.contentType
      ? print(value)
      : printContent(value, contentType, { ...field, argument }, setup);
  // Named parts default to text/plain (RFC 7578, section 4.4).
  const usual =
    typeof value === 'object' ? 'application/json' : name === undefined ? 'text/plain' : undefined;
  return { name, content, contentType: contentType === undefined ? usual : asUtf8(contentType) };
}

/** Parts without a name can still be files (RFC 2183). */
function printHead({ name, filename, contentType, transferEncoding }: Omit<Part, 'content'>): string {
  const kind = name === undefined ? 'attachment' : `form-data; name="${quote(name)}"`;
  const file = filename === undefined ? '' : `; filename="${quote(filename)}"`;
  const lines = [
    ...(name === undefined && filename === undefined ? [] : [['Content-Disposition', kind + file]]),
    ...(contentType === undefined ? [] : [['Content-Type', contentType]]),
    ...(transferEncoding === undefined ? [] : [['Content-Transfer-Encoding', transferEncoding]]),
  ];
  return lines.map((line) => `${line.join(': ').replace(/[\r\n]+/g, ' ')}\r\n`).join('');
}

/** As browsers do (HTML Standard, "multipart/form-data encoding algorithm"). */
function quote(text: string): string {
  return text.replace(/["\r\n]/g, (character) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[character] ?? '');
}

const EXTENSIONS: Record<string, string> = {
  jpeg: 'jpg',
  plain: 'txt',
  mpeg: 'mp3',
  gzip: 'gz',
  'svg+xml': 'svg',
};

function extensionOf(mediaType: string): string {
  const [, subtype = ''] = /\/(?:x-)?(.+)$/.exec(essence(mediaType)) ?? [];
  return ownMember(EXTENSIONS, subtype) ?? (/^[a-z\d]{2,5}$/.test(subtype) ? subtype : 'bin');
}
