// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Makes the request's body from the arguments bound to it. */
import type {
  BodyBinding,
  BodyPropertyBinding,
  EncodingBinding,
  PartBinding,
  PartsBinding,
  XmlBodyBinding,
} from '../contract/bindings.ts';
import { decodeBytes, FileArgument, isFileLike } from './bytes.ts';
import { essence, isJson, isJsonLines, isRange } from '../contract/media-type.ts';
import { missingFeature, UpstreamError } from './upstream-error.ts';
import { jsonText, type Pair, queryPairs, valueText } from './parameter-styles.ts';
import { writeJson } from '../contract/json-text.ts';
import { encodeFormUrl, encodeReservedInQuery, encodeUnreserved } from '../percent-encoding.ts';

/** Writes the kinds of body that few APIs take: the feature `bodies`. */
export interface BodyWriters {
  /** @throws {UpstreamError} `argument` for a value that has no parts */
  partSources(binding: PartsBinding, argument: string, value: unknown): PartSource[];
  /** @param mediaType without a boundary */
  encodeMultipart(mediaType: string, sources: readonly PartSource[]): EncodedBody;
  xmlBody(binding: XmlBodyBinding, argument: string, value: unknown): string;
}

/** The source of a part of a multipart body: a property, or an item of a list. */
export interface PartSource extends PartBinding {
  /** The property's name. An item has one only where the document gives it one. */
  name?: string | undefined;
  value: unknown;
  /** The argument that holds it, for messages. */
  argument: string;
  encoding: EncodingBinding | undefined;
  /** An item is one part, even if it is a list itself (OpenAPI 3.2, "Encoding By Name"). Default false. */
  isItem?: boolean;
}

export interface EncodedBody {
  contentType: string;
  content: BodyContent;
}

/** Whole, or pieces where some are files that are yet to be read. */
export type BodyContent = string | Buffer | (Buffer | FileArgument)[];

/**
 * The body, or undefined when it is optional and no argument is given. A required one is `{}` then.
 * An explicit null is kept: in JSON it means something else than absence. A sequence that is not given has no lines.
 */
export function encodeBody(
  binding: BodyBinding,
  args: Record<string, unknown>,
  writers?: BodyWriters,
): EncodedBody | undefined {
  const { argument, properties = [] } = binding;
  const isGiven = (name: string): boolean => Object.hasOwn(args, name) && args[name] !== undefined;
  if (argument !== undefined && isGiven(argument))
    return encodeWhole(binding, argument, args[argument], writers);
  const given = argument === undefined ? properties.filter((one) => isGiven(one.argument)) : [];
  if (given.length > 0) refuseIncomplete(binding, given);
  else if (binding.required !== true) return undefined;
  return encodeProperties(binding, given, args, writers);
}

function refuseIncomplete(binding: BodyBinding, given: readonly BodyPropertyBinding[]): void {
  const { requiredTogether = [], properties } = binding;
  const missing = requiredTogether.filter((name) => !given.some((property) => property.name === name));
  if (missing.length === 0) return;
  const names = missing.map((name) => properties?.find((one) => one.name === name)?.argument ?? name);
  throw new UpstreamError(
    'argument',
    `The request's body is optional, but once part of it is given it also needs: ${names.join(', ')}.`,
  );
}

/** Encodes a body that is one argument. */
function encodeWhole(
  binding: BodyBinding,
  argument: string,
  value: unknown,
  writers: BodyWriters | undefined,
): EncodedBody {
  const isFile = binding.mayBeFile === true && isFileLike(value);
  switch (isFile ? 'binary' : binding.kind) {
    case 'json':
      return toBody(binding, 'application/json', jsonText(binding.mediaType, value));
    case 'form':
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new UpstreamError(
          'argument',
          `Argument "${argument}" must be an object: each member is a form field.`,
        );
      return toBody(binding, FORM, formBody(value, binding.encoding, writers));
    case 'multipart':
      return encodeMultipart(binding, required(writers).partSources(binding, argument, value), writers);
    case 'text':
      return toBody(binding, 'text/plain', valueText(value));
    case 'xml':
      return toBody(binding, 'application/xml', xmlText(binding, argument, value, writers));
    case 'binary': {
      const { bytes, mediaType, likelyMediaType } = decodeBytes(argument, value);
      const type = mediaType ?? likelyMediaType ?? 'application/octet-stream';
      return toBody(binding, type, bytes instanceof FileArgument ? [bytes] : bytes);
    }
  }
}

/** Encodes a body of named properties. */
function encodeProperties(
  binding: BodyBinding,
  given: readonly BodyPropertyBinding[],
  args: Record<string, unknown>,
  writers: BodyWriters | undefined,
): EncodedBody {
  switch (binding.kind) {
    case 'json':
      return toBody(
        binding,
        'application/json',
        isJsonLines(binding.mediaType) ? '' : writeJson(toObject(given, args)),
      );
    case 'form':
      return toBody(binding, FORM, formBody(toObject(given, args), binding.encoding, writers));
    case 'multipart':
      return encodeMultipart(
        binding,
        given.map((property) => ({
          ...property,
          value: args[property.argument],
          encoding: encodingOf(binding.encoding, property.name),
        })),
        writers,
      );
    case 'xml': {
      const argument = given.map((property) => property.argument).join(', ');
      const isEmpty = given.length === 0 && binding.xml === undefined;
      return toBody(
        binding,
        'application/xml',
        isEmpty ? '' : xmlText(binding, argument, toObject(given, args), writers),
      );
    }
    case 'text':
    case 'binary':
      // Required, but not given: an empty body.
      return toBody(binding, 'application/octet-stream', '');
  }
}

export const FORM = 'application/x-www-form-urlencoded';

/** With the document's media type as written; a range like `image/*` can't be sent, so `fallback` replaces it. */
function toBody({ mediaType }: BodyBinding, fallback: string, content: BodyContent): EncodedBody {
  return { contentType: isRange(mediaType) || mediaType === '' ? fallback : mediaType, content };
}

function encodeMultipart(
  binding: BodyBinding,
  sources: readonly PartSource[],
  writers: BodyWriters | undefined,
): EncodedBody {
  const { contentType } = toBody(binding, 'multipart/form-data', '');
  return required(writers).encodeMultipart(contentType, sources);
}

function required(writers: BodyWriters | undefined): BodyWriters {
  if (writers === undefined) throw missingFeature('bodies', 'write multipart and XML bodies');
  return writers;
}

function toObject(given: readonly BodyPropertyBinding[], args: Record<string, unknown>): object {
  const body: Record<string, unknown> = {};
  for (const { name, argument } of given) {
    // An object without a prototype needs no such care, but takes twice the time to be written.
    if (name !== '__proto__') body[name] = args[argument];
    else Object.defineProperty(body, name, { value: args[argument], enumerable: true });
  }
  return body;
}

function xmlText(
  { xml }: BodyBinding,
  argument: string,
  value: unknown,
  writers: BodyWriters | undefined,
): string {
  if (xml !== undefined) return required(writers).xmlBody(xml, argument, value);
  if (typeof value === 'string') return value;
  throw new UpstreamError(
    'argument',
    `This operation takes XML. Give the whole document as one string (${argument}).`,
  );
}

/** A form's text. Without `encoding` a scalar is text, an array repeats its name, and an object is JSON. */
export function formBody(
  value: object,
  encoding: Record<string, EncodingBinding> | undefined,
  writers: BodyWriters | undefined,
): string {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .flatMap(([name, member]) => propertyPairs(name, member, encodingOf(encoding, name), writers))
    .map(([name, text]) => `${name}=${text}`)
    .join('&');
}

/** A document's property may be called `constructor`. */
export function encodingOf(
  encoding: Record<string, EncodingBinding> | undefined,
  name: string,
): EncodingBinding | undefined {
  return encoding !== undefined && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
}

/** "The absence of all three of those fields is the equivalent of using `content`" (OpenAPI 3.2, Encoding Object). */
export function isStyled({ style, explode, allowReserved, itemSeparators }: EncodingBinding = {}): boolean {
  return [style, explode, allowReserved, itemSeparators].some((field) => field !== undefined);
}

function propertyPairs(
  name: string,
  value: unknown,
  encoding: EncodingBinding | undefined,
  writers: BodyWriters | undefined,
): Pair[] {
  if (isEmptyValue(value, encoding)) return [[encodeFormUrl(name), '']];
  if (isStyled(encoding)) {
    const encodeValue = encoding?.allowReserved === true ? encodeReservedInQuery : encodeUnreserved;
    return queryPairs({ ...encoding, name, allowEmptyValue: false }, value, encodeUnreserved, encodeValue);
  }
  // Encoding by name applies to each item of an array.
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => [
    encodeFormUrl(name),
    encodeFormUrl(contentText(item, encoding?.contentType, encoding, name, writers)),
  ]);
}

/** An empty list that is sent all the same. */
export function isEmptyValue(value: unknown, encoding: EncodingBinding | undefined): boolean {
  return encoding?.allowEmptyValue === true && Array.isArray(value) && value.length === 0;
}

/** A value in its content type: scalars are text unless JSON is asked for, objects are JSON where nothing else is. */
export function contentText(
  value: unknown,
  contentType: string | undefined,
  { xml, encoding }: EncodingBinding = {},
  argument: string,
  writers: BodyWriters | undefined,
): string {
  if (contentType === undefined) return valueText(value);
  if (typeof value === 'object' && value !== null) {
    if (xml !== undefined) return required(writers).xmlBody(xml, argument, value);
    if (essence(contentType) === FORM) return formBody(value, encoding, writers);
  }
  return isJson(contentType) ? writeJson(value) : valueText(value);
}
