// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Multipart bodies (RFC 2046) and forms (RFC 7578), whose parts have names (OpenAPI 3.2, Encoding Object). */
import { randomUUID } from 'node:crypto';
import type { Feature } from '../feature.ts';
import { ownMember } from '../json-rpc.ts';
import { type ApiSetup, asUtf8, type BodyWriter, essence, isJsonType, print } from '../request.ts';
import { type Args, type Body, ToolError } from '../types.ts';
import { isBytesUri, readBytes } from './files.ts';
import { decodeName, type Field, nestedPairs, printContent, writePairs } from './styles.ts';

/** How the parts of a value are written: by name of an object, by position of a list. */
interface Parts {
  encoding?: Record<string, PartField>;
  prefixEncoding?: PartField[];
  itemEncoding?: PartField;
  parts?: Record<string, PartKind>;
  prefixParts?: PartKind[];
  otherParts?: PartKind;
}
interface PartField extends Omit<Field, 'encoding'>, Parts {
  headers?: Record<string, string>;
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
  field: PartField;
  /** One part even if it is a list ("Encoding By Position"). */
  isItem?: boolean;
}
interface Part {
  name?: string | undefined;
  content: string | Uint8Array;
  contentType?: string | undefined;
  filename?: string | undefined;
  headers?: Record<string, string>;
}

/** Of a whole body, those inside parts among them. */
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
  return new Writer(setup).write(sources, type, boundary);
};

function sourcesOfArguments({ properties = [], encoding }: Body, args: Args): Source[] {
  return properties.flatMap(({ argument, name, ...kind }) => {
    const value = ownMember(args, argument);
    return value === undefined
      ? []
      : { ...kind, argument, name, value, field: ownMember(encoding, name) ?? {} };
  });
}

function listSources(rules: Parts, argument: string, value: unknown): Source[] {
  const { otherParts = { mayBeFile: true } } = rules;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => {
      const field = rules.prefixEncoding?.[index] ?? rules.itemEncoding ?? {};
      const kind = rules.prefixParts?.[index] ?? otherParts;
      return { ...kind, name: field.name, argument, value: item, field, isItem: true };
    });
  if (typeof value !== 'object' || value === null)
    throw new ToolError(
      `Argument "${argument}" must be an object, each member a part of the body, or a list of parts.`,
    );
  return Object.entries(value).map(([name, member]) => {
    const kind = ownMember(rules.parts, name) ?? otherParts;
    return { ...kind, name, argument, value: member, field: ownMember(rules.encoding, name) ?? {} };
  });
}

class Writer {
  readonly #setup: ApiSetup;
  #count = 0;

  constructor(setup: ApiSetup) {
    this.#setup = setup;
  }

  /** No boundary may begin like one around it (RFC 2046, section 5.1.2). */
  write(
    sources: readonly Source[],
    mediaType: string,
    boundary: string,
  ): { contentType: string; content: Uint8Array } {
    const parts = sources.flatMap((source, index) => this.#listParts(source, `${index}-${boundary}`));
    const chunks = parts.flatMap(({ content, ...part }) => [
      Buffer.from(`--${boundary}\r\n${printHead(part)}\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]);
    const content = Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]);
    const type = mediaType.replace(/;\s*boundary=[^;]*/i, '');
    // The type of the first part (RFC 2387, section 3.1).
    const isRelated = essence(type) === 'multipart/related' && !/;\s*type=/i.test(type);
    const root = isRelated ? `; type="${parts[0]?.contentType ?? 'text/plain'}"` : '';
    return { contentType: `${type}${root}; boundary=${boundary}`, content };
  }

  #listParts(source: Source, boundary: string): Part[] {
    const { value, field, name = '', binary, isItem } = source;
    if (field.allowEmptyValue === true && Array.isArray(value) && value.length === 0)
      return [{ name: source.name, content: '' }];
    const { style, explode, allowReserved, itemSeparators } = field;
    if (binary !== true && (style ?? explode ?? allowReserved ?? itemSeparators) !== undefined) {
      const parameter = { ...field, name, allowEmptyValue: false };
      // Parts are not percent-encoded (OpenAPI 3.2, Appendix C).
      const pairs = nestedPairs(parameter, value, String) ?? writePairs(parameter, value, String);
      this.#spend(pairs.length);
      return pairs.map(decodeName).map(([key, content]) => ({ name: key, content }));
    }
    const isList = Array.isArray(value) && isItem !== true && !isOnePart(value, field);
    const items = (isList ? value : [value]).filter((item) => item !== null && item !== undefined);
    this.#spend(items.length);
    const headers = headersOf(source);
    return items.map((item, index) => ({ ...this.#makePart(source, item, `${index}-${boundary}`), headers }));
  }

  #spend(parts: number): void {
    this.#count += parts;
    if (this.#count > MAX_PARTS)
      throw new ToolError(`The request's body would have more than ${MAX_PARTS} parts. Give less at a time.`);
  }

  #makePart(source: Source, value: unknown, boundary: string): Part {
    const { name, argument, field, binary, mayBeFile, contentEncoding } = source;
    const declared = field.contentType?.split(',').map((type) => type.trim());
    const contentType =
      declared?.find((type) => type !== '' && !type.includes('*')) ??
      (typeof value === 'string' ? source.contentType : undefined);
    // Octets are the default beside a `contentEncoding` (OpenAPI 3.1, Encoding Object).
    if (contentEncoding !== undefined && typeof value === 'string')
      return { name, content: value, contentType: contentType ?? OCTETS };
    const [fileType = source.contentType] = declared ?? [];
    const isFileType = fileType !== undefined && !isTextType(fileType) && !isJsonType(fileType);
    if (binary === true || (isBytesUri(value, this.#setup) && (mayBeFile === true || isFileType))) {
      const { bytes, mediaType, name: filename } = readBytes(argument, value, this.#setup);
      const type = mediaType ?? contentType ?? OCTETS;
      const usualName = name === undefined ? undefined : `${name}.${extensionOf(type)}`;
      return { name, content: bytes, contentType: type, filename: filename ?? usualName };
    }
    if (typeof value === 'object' && contentType !== undefined && isMultipart(contentType))
      return { name, ...this.write(listSources(field, argument, value), contentType, boundary) };
    // A text with a `contentMediaType` is of that type already.
    const content =
      contentType === undefined || contentType === source.contentType
        ? print(value)
        : printContent(value, contentType, { ...field, argument }, this.#setup);
    // Named parts default to text/plain (RFC 7578, section 4.4).
    const usual =
      typeof value === 'object' ? 'application/json' : name === undefined ? 'text/plain' : undefined;
    return { name, content, contentType: contentType === undefined ? usual : asUtf8(contentType) };
  }
}

function isTextType(mediaType: string): boolean {
  return /^text\/|[/+](?:x-)?(?:xml|yaml|json|javascript|graphql|sql|toml|ndjson|jsonl)$/.test(
    essence(mediaType),
  );
}

function isMultipart(mediaType: string | undefined): boolean {
  return mediaType !== undefined && essence(mediaType).startsWith('multipart/');
}

/** A list of parts, as opposed to a list of such. */
function isOnePart(list: readonly unknown[], { contentType, encoding }: PartField): boolean {
  const isWhole = (item: unknown): boolean =>
    encoding === undefined ? Array.isArray(item) : typeof item === 'object' && item !== null;
  return isMultipart(contentType) && !list.every(isWhole);
}

/** `contentEncoding` equals a header (OpenAPI 3.1, Encoding Object), which wins. JSON Schema knows others than RFC 2045, section 6.1. */
function headersOf({ contentEncoding = '', field: { headers = {} } }: Source): Record<string, string> {
  const isDeclared = Object.keys(headers).some((name) => /^content-transfer-encoding$/i.test(name));
  if (isDeclared || !/^(?:base64|quoted-printable)$/.test(contentEncoding)) return headers;
  return { 'Content-Transfer-Encoding': contentEncoding, ...headers };
}

/** Parts without a name can still be files (RFC 2183). */
function printHead({ name, filename, contentType, headers = {} }: Omit<Part, 'content'>): string {
  const kind = name === undefined ? 'attachment' : `form-data; name="${quote(name)}"`;
  const file = filename === undefined ? '' : `; filename="${quote(filename)}"`;
  const lines = [
    ...(name === undefined && filename === undefined ? [] : [['Content-Disposition', kind + file]]),
    ...(contentType === undefined ? [] : [['Content-Type', contentType]]),
    ...Object.entries(headers),
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
