// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes the request's body from its arguments. */
import { fileURLToPath } from 'node:url';

import {
  type BodyBinding,
  type BodyPropertyBinding,
  type EncodingBinding,
  type PartBinding,
  type KnownArgument,
  type ParameterBinding,
  type PartsBinding,
  type ReadOnlyMembers,
  type XmlBodyBinding,
} from '../contract/bindings.ts';
import { guessMediaTypeByFileName, isJsonLinesType, isMediaRange, isText } from '../contract/http-syntax.ts';
import { omitUndefined, percentDecode } from '../contract/json-value.ts';
import { printJson, printParameterValue } from './parameter-values.ts';
import type { HeaderList } from './wire-request.ts';
import { missingFeatureError, argumentError } from './upstream-error.ts';

export interface BodyWriters {
  /** @throws {UpstreamError} `argument` for a value that has no parts */
  partSources(binding: PartsBinding, argument: string, value: unknown): PartSource[];
  propertySources(
    binding: PartsBinding,
    given: readonly BodyPropertyBinding[],
    args: Record<string, unknown>,
  ): PartSource[];
  /** @param mediaType without a boundary */
  encodeMultipart(mediaType: string, sources: readonly PartSource[]): EncodedBody;
  xmlBody(binding: XmlBodyBinding, argument: string, value: unknown): string;
}

/** Writers of requests that are not plain, of features that a server may lack. */
export interface Writers {
  bodies?: BodyWriters | undefined;
  parameters?: ParameterWriters | undefined;
}

export interface ParameterSink {
  headers: HeaderList;
  query: string[];
  cookies: string[];
  /** Writers that forms with XML in them need. */
  writers: Writers | undefined;
}

export interface ParameterWriters {
  /** Writes a parameter that is not plain into the sink, or into the values of the path. */
  addParameter(
    parameter: ParameterBinding,
    value: unknown,
    sink: ParameterSink,
    inPath: Map<string, string>,
  ): void;
  addKnownArguments(
    given: Record<string, unknown>,
    known: Record<string, KnownArgument>,
    settings: { env: Readonly<Record<string, string | undefined>>; answer?: unknown },
  ): Record<string, unknown>;
  dropReadOnly<T>(value: T, members: ReadOnlyMembers | undefined): T;
  encodeForm(
    value: object,
    encoding: Record<string, EncodingBinding> | undefined,
    writers: Writers | undefined,
  ): string;
}

/** A part of a multipart body: a property, or an item of a list. */
export interface PartSource extends PartBinding {
  /** The part's name. Items have one only where the document names them. */
  name?: string | undefined;
  value: unknown;
  argument: string;
  encoding: EncodingBinding | undefined;
  /** Whether the value is one part even if it is a list (OpenAPI 3.2, "Encoding By Name"). */
  isItem?: boolean;
}

export interface EncodedBody {
  contentType: string;
  content: BodyContent;
}

/** The body's bytes; in pieces where some are files that are yet to be read. */
export type BodyContent = string | Buffer | (Buffer | FileArgument)[];

/** Undefined for an optional body without arguments; a required one is `{}`, or a sequence without lines. */
export function encodeBody(
  binding: BodyBinding,
  given: Record<string, unknown>,
  writers?: Writers,
): EncodedBody | undefined {
  const { argument, properties = [], readOnly } = binding;
  const args = readOnly === undefined ? given : requireParameters(writers).dropReadOnly(given, readOnly);
  const isArgumentGiven = (name: string): boolean => Object.hasOwn(args, name) && args[name] !== undefined;
  if (argument !== undefined && isArgumentGiven(argument))
    return encodeWholeValue(binding, argument, args[argument], writers);
  const sent = argument === undefined ? properties.filter((one) => isArgumentGiven(one.argument)) : [];
  if (sent.length === 0 && binding.required !== true) return undefined;
  refuseIncomplete(binding, sent);
  return encodeProperties(binding, sent, args, writers);
}

function refuseIncomplete(binding: BodyBinding, given: readonly BodyPropertyBinding[]): void {
  const { requiredTogether = [], properties = [], minProperties = 0 } = binding;
  if (given.length < minProperties) {
    const names = properties.map(({ argument }) => argument).join(', ');
    throw argumentError(`The request's body needs at least ${minProperties} of: ${names}.`);
  }
  const missing = requiredTogether.filter((name) => !given.some((property) => property.name === name));
  if (missing.length === 0) return;
  const names = missing.map((name) => properties.find((one) => one.name === name)?.argument ?? name);
  throw argumentError(
    `The request's body is optional, but once part of it is given it also needs: ${names.join(', ')}.`,
  );
}

function encodeWholeValue(
  binding: BodyBinding,
  argument: string,
  value: unknown,
  writers: Writers | undefined,
): EncodedBody {
  switch (isFile(binding, value) ? 'binary' : binding.kind) {
    case 'json':
      return toEncodedBody(binding, 'application/json', printJson(binding.mediaType, value));
    case 'form':
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw argumentError(`Argument "${argument}" must be an object: each member is a form field.`);
      return toEncodedBody(
        binding,
        FORM,
        requireParameters(writers).encodeForm(value, binding.encoding, writers),
      );
    case 'multipart':
      return encodeMultipart(binding, requireBodies(writers).partSources(binding, argument, value), writers);
    case 'text':
      return toEncodedBody(binding, 'text/plain', printParameterValue(value));
    case 'xml':
      return toEncodedBody(binding, 'application/xml', printXml(binding, argument, value, writers));
    case 'binary': {
      const { bytes, mediaType, likelyMediaType } = decodeBytes(argument, value);
      const type = mediaType ?? likelyMediaType ?? OCTETS;
      return toEncodedBody(binding, type, bytes instanceof FileArgument ? [bytes] : bytes);
    }
  }
}

/** A text may be given as a base64 `data:` URI; one that the document encodes has the media type of its bytes. */
function isFile({ kind, mediaType, mayBeFile, xml }: BodyBinding, value: unknown): boolean {
  const isWritten = kind === 'text' || (kind === 'xml' && xml === undefined);
  if (mayBeFile !== true && !isWritten) return false;
  return isDataOrFileUri(value) && (mayBeFile === true || (isText(mediaType) && !/^file:/i.test(value)));
}

function encodeProperties(
  binding: BodyBinding,
  given: readonly BodyPropertyBinding[],
  args: Record<string, unknown>,
  writers: Writers | undefined,
): EncodedBody {
  const { kind, mediaType, xml } = binding;
  if (kind === 'multipart') {
    const sources = requireBodies(writers).propertySources(binding, given, args);
    return encodeMultipart(binding, sources, writers);
  }
  if (kind === 'text' || kind === 'binary') return toEncodedBody(binding, OCTETS, '');
  if (kind === 'json') {
    const text = isJsonLinesType(mediaType) ? '' : printJson(mediaType, argumentsToBody(given, args));
    return toEncodedBody(binding, 'application/json', text);
  }
  if (kind === 'xml' && given.length === 0 && xml === undefined)
    return toEncodedBody(binding, 'application/xml', '');
  const names = given.map(({ argument }) => argument).join(', ');
  return encodeWholeValue(binding, names, argumentsToBody(given, args), writers);
}

export const OCTETS = 'application/octet-stream';
export const FORM = 'application/x-www-form-urlencoded';

/** `fallback` replaces a range like `image/*`, which can't be sent. */
function toEncodedBody({ mediaType }: BodyBinding, fallback: string, content: BodyContent): EncodedBody {
  return { contentType: isMediaRange(mediaType) || mediaType === '' ? fallback : mediaType, content };
}

function encodeMultipart(
  binding: BodyBinding,
  sources: readonly PartSource[],
  writers: Writers | undefined,
): EncodedBody {
  const { contentType } = toEncodedBody(binding, 'multipart/form-data', '');
  return requireBodies(writers).encodeMultipart(contentType, sources);
}

export function requireBodies(writers: Writers | undefined): BodyWriters {
  if (writers?.bodies === undefined) throw missingFeatureError('bodies', 'write multipart and XML bodies');
  return writers.bodies;
}

export function requireParameters(writers: Writers | undefined): ParameterWriters {
  if (writers?.parameters === undefined)
    throw missingFeatureError('parameters', 'write forms, and parameters of this kind');
  return writers.parameters;
}

function argumentsToBody(given: readonly BodyPropertyBinding[], args: Record<string, unknown>): object {
  const body: Record<string, unknown> = {};
  for (const { name, argument } of given) {
    // An object without a prototype would need no such care, but takes twice the time to write.
    if (name !== '__proto__') body[name] = args[argument];
    else Object.defineProperty(body, name, { value: args[argument], enumerable: true });
  }
  return body;
}

function printXml(
  { xml }: BodyBinding,
  argument: string,
  value: unknown,
  writers: Writers | undefined,
): string {
  if (xml !== undefined) return requireBodies(writers).xmlBody(xml, argument, value);
  if (typeof value === 'string') return value;
  throw argumentError(`This operation takes XML. Give the whole document as one string (${argument}).`);
}

interface DecodedBytes {
  bytes: Buffer | FileArgument;
  mediaType?: string;
  /** Guessed from a file's extension; the document's type wins. */
  likelyMediaType?: string | undefined;
  filename?: string;
}

/** Base64, a `data:` URI (RFC 2397) or `file:` (RFC 8089). Invalid base64 is refused, not sent as garbage. */
export function decodeBytes(argument: string, value: unknown): DecodedBytes {
  if (typeof value !== 'string') throw notBytesError(argument);
  if (/^data:/i.test(value)) return decodeDataUri(argument, value);
  // Base64 has no colon.
  if (!/^file:/i.test(value)) return { bytes: decodeBase64(argument, value) };
  const bytes = new FileArgument(argument, value);
  return { bytes, likelyMediaType: guessMediaTypeByFileName(bytes.filename), filename: bytes.filename };
}

/** A `data:` or `file:` URI, as opposed to text that could be anything (`File: see below`). */
export function isDataOrFileUri(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^data:(?:[^,]*;base64|[\w.+-]+\/[\w.+-]+(?:;[\w.+-]+=[^,;\s]*)*),|^file:(?!\s)[^\r\n]+$/i.test(value)
  );
}

const BASE64_MARK = /;\s*base64$/i;

function decodeDataUri(argument: string, uri: string): DecodedBytes {
  const comma = uri.indexOf(',');
  if (comma === -1) throw notBytesError(argument);
  const head = uri.slice('data:'.length, comma);
  const [type, ...parameters] = head.replace(BASE64_MARK, '').trim().split(';');
  const isNameParameter = (parameter: string): boolean => /^\s*name=/i.test(parameter);
  const mediaType = [type, ...parameters.filter((parameter) => !isNameParameter(parameter))].join(';');
  const filename = parseFilename(parameters.find(isNameParameter));
  const data = uri.slice(comma + 1);
  const bytes = BASE64_MARK.test(head)
    ? decodeBase64(
        argument,
        data.includes('%') ? percentDecodeBytes(argument, data).toString('latin1') : data,
      )
    : percentDecodeBytes(argument, data);
  const isMediaType = /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7E]*)?$/.test(mediaType);
  return omitUndefined({ bytes, mediaType: isMediaType ? mediaType : undefined, filename });
}

/** Drops folders (RFC 7578, section 4.2). */
function parseFilename(parameter: string | undefined): string | undefined {
  if (parameter === undefined) return undefined;
  const written = parameter.slice(parameter.indexOf('=') + 1).replace(/^"(.*)"$/, '$1');
  const name = (percentDecode(written) ?? written).split(/[\\/]/).at(-1) ?? '';
  return /^\.{0,2}$/.test(name) ? undefined : name;
}

/** Accepts both alphabets of RFC 4648, with or without padding and line breaks. */
function decodeBase64(argument: string, text: string): Buffer {
  const compact = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text;
  const padding = compact.endsWith('==') ? 2 : compact.endsWith('=') ? 1 : 0;
  const length = compact.length - padding;
  if (length % 4 === 1 || (padding > 0 && compact.length % 4 !== 0) || !isBase64Text(compact, length))
    throw notBytesError(argument);
  if (compact.length <= STEP) return Buffer.from(compact, 'base64');
  const bytes = Buffer.allocUnsafeSlow(Math.floor((length * 3) / 4));
  for (let at = 0; at < compact.length; at += STEP)
    bytes.write(compact.slice(at, at + STEP), (at / 4) * 3, 'base64');
  return bytes;
}

/** Decoded at a time, since Node copies the text: 4 characters make 3 bytes. */
const STEP = 262_144;

function isBase64Text(text: string, length: number): boolean {
  const data = text.length === length ? text : text.slice(0, length);
  return /^(?:[A-Za-z\d+/]*|[A-Za-z\d_-]*)$/.test(data);
}

function percentDecodeBytes(argument: string, text: string): Buffer {
  if (/%(?![\da-f]{2})/i.test(text)) throw notBytesError(argument);
  const written = Buffer.from(text, 'utf8').toString('latin1');
  const bytes = written.replace(/%(..)/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return Buffer.from(bytes, 'latin1');
}

function notBytesError(argument: string): Error {
  return argumentError(
    `Argument "${argument}" must hold bytes: as base64, as a data: URI (data:image/png;base64,…), or as file:<path> where this ` +
      'server has a files folder. It is none of these.',
  );
}

export class FileArgument {
  readonly argument: string;
  /** Relative to the files folder, or absolute. */
  readonly path: string;
  readonly filename: string;

  /** @throws {UpstreamError} `argument` for a URI that is no path on this machine */
  constructor(argument: string, uri: string) {
    this.argument = argument;
    this.path = parseFileUri(argument, uri);
    this.filename = this.path.split(/[\\/]/).at(-1) ?? '';
  }
}

/** `file://` is a percent-decoded URL (RFC 8089); `file:` alone precedes a path as written. */
function parseFileUri(argument: string, uri: string): string {
  try {
    const path = /^file:\/\//i.test(uri) ? fileURLToPath(uri) : uri.slice('file:'.length);
    if (path !== '' && !path.includes('\0')) return path;
  } catch {}
  throw argumentError(
    `Argument "${argument}" names no file. Give file:<path in the files folder>, such as file:photos/cat.png.`,
  );
}
