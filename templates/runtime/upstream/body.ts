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

/** The kinds of body that few APIs take: the feature `bodies`. */
export interface BodyWriters {
  /** @throws {UpstreamError} `argument` for a value that has no parts */
  partSources(binding: PartsBinding, argument: string, value: unknown): PartSource[];
  /** @param mediaType without a boundary */
  encodeMultipart(mediaType: string, sources: readonly PartSource[]): EncodedBody;
  xmlBody(binding: XmlBodyBinding, argument: string, value: unknown): string;
}

/** A property on its way into a multipart body, or an item of a list. */
export interface PartSource extends PartBinding {
  /** Of the property; of an item, only where the document gives it one. */
  name?: string | undefined;
  value: unknown;
  /** The argument it came from, for messages. */
  argument: string;
  encoding: EncodingBinding | undefined;
  /** It has a position: one part, also where it is a list itself (OpenAPI 3.2, "Encoding By Name"). Default false. */
  isItem?: boolean;
}

export interface EncodedBody {
  contentType: string;
  content: BodyContent;
}

/** One property on its way into the body. */
interface BodyField extends BodyPropertyBinding {
  value: unknown;
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
  if (binding.argument !== undefined) {
    const value = given(args, binding.argument);
    if (value !== undefined) return encodeWhole(binding, binding.argument, value, writers);
    return binding.required === true ? encodeFields(binding, [], writers) : undefined;
  }
  const isGiven = (property: BodyPropertyBinding): boolean => given(args, property.argument) !== undefined;
  const properties = (binding.properties ?? []).filter(isGiven);
  if (properties.length === 0 && binding.required !== true) return undefined;
  if (properties.length > 0) refuseIncomplete(binding, properties);
  if (binding.kind === 'json') return encodeMembers(binding, properties, args);
  return encodeFields(
    binding,
    properties.map((property) => ({ ...property, value: args[property.argument] })),
    writers,
  );
}

function given(args: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

function refuseIncomplete(binding: BodyBinding, fields: readonly BodyPropertyBinding[]): void {
  const missing = (binding.requiredTogether ?? []).filter(
    (name) => !fields.some((field) => field.name === name),
  );
  if (missing.length === 0) return;
  const names = missing.map((name) => binding.properties?.find((one) => one.name === name)?.argument ?? name);
  throw new UpstreamError(
    'argument',
    `The request's body is optional, but once part of it is given it also needs: ${names.join(', ')}.`,
  );
}

/** The whole body is one argument. */
function encodeWhole(
  binding: BodyBinding,
  argument: string,
  value: unknown,
  writers: BodyWriters | undefined,
): EncodedBody {
  const isFile = binding.mayBeFile === true && isFileLike(value);
  switch (isFile ? 'binary' : binding.kind) {
    case 'json':
      return {
        contentType: contentType(binding, 'application/json'),
        content: jsonText(binding.mediaType, value),
      };
    case 'form':
      return encodeForm(binding, membersOf(argument, value), writers);
    case 'multipart':
      return encodeMultipart(binding, required(writers).partSources(binding, argument, value), writers);
    case 'text':
      return { contentType: contentType(binding, 'text/plain'), content: valueText(value) };
    case 'xml':
      return {
        contentType: contentType(binding, 'application/xml'),
        content: xmlText(binding, argument, value, writers),
      };
    case 'binary': {
      const { bytes, mediaType, likelyMediaType } = decodeBytes(argument, value);
      const type = mediaType ?? likelyMediaType ?? 'application/octet-stream';
      const content = bytes instanceof FileArgument ? [bytes] : bytes;
      return { contentType: contentType(binding, type), content };
    }
  }
}

/** A body of named properties. */
function encodeFields(
  binding: BodyBinding,
  fields: BodyField[],
  writers: BodyWriters | undefined,
): EncodedBody {
  switch (binding.kind) {
    case 'form':
      return encodeForm(binding, bodyObject(fields), writers);
    case 'multipart':
      return encodeMultipart(
        binding,
        fields.map((field) => ({ ...field, encoding: encodingOf(binding.encoding, field.name) })),
        writers,
      );
    case 'json':
      return encodeMembers(binding, fields, {});
    case 'xml': {
      const argument = fields.map((field) => field.argument).join(', ');
      const content =
        fields.length === 0 && binding.xml === undefined
          ? ''
          : xmlText(binding, argument, bodyObject(fields), writers);
      return { contentType: contentType(binding, 'application/xml'), content };
    }
    case 'text':
    case 'binary':
      // Required, not given: there is nothing to write but emptiness.
      return { contentType: contentType(binding, 'application/octet-stream'), content: '' };
  }
}

function encodeForm(binding: BodyBinding, value: object, writers: BodyWriters | undefined): EncodedBody {
  return {
    contentType: contentType(binding, 'application/x-www-form-urlencoded'),
    content: formBody(value, binding.encoding, writers),
  };
}

function encodeMultipart(
  binding: BodyBinding,
  sources: readonly PartSource[],
  writers: BodyWriters | undefined,
): EncodedBody {
  return required(writers).encodeMultipart(contentType(binding, 'multipart/form-data'), sources);
}

function required(writers: BodyWriters | undefined): BodyWriters {
  if (writers === undefined) throw missingFeature('bodies', 'write multipart and XML bodies');
  return writers;
}

/** A JSON object of named properties. */
function encodeMembers(
  binding: BodyBinding,
  properties: readonly BodyPropertyBinding[],
  args: Record<string, unknown>,
): EncodedBody {
  const body: Record<string, unknown> = {};
  for (const { name, argument } of properties) {
    // An object without a prototype takes no such care, and takes twice the time to be written.
    if (name !== '__proto__') body[name] = args[argument];
    else Object.defineProperty(body, name, { value: args[argument], enumerable: true });
  }
  return {
    contentType: contentType(binding, 'application/json'),
    content: isJsonLines(binding.mediaType) ? '' : writeJson(body),
  };
}

/** Without a prototype: a property called `__proto__` is data. */
function bodyObject(fields: BodyField[]): object {
  const body: Record<string, unknown> = Object.create(null);
  for (const field of fields) body[field.name] = field.value;
  return body;
}

function membersOf(argument: string, value: unknown): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new UpstreamError(
    'argument',
    `Argument "${argument}" must be an object: each member is a form field.`,
  );
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

/** The document's media type as written; a range like `image/*` can't be sent, so the content decides. */
function contentType(binding: BodyBinding, fallback: string): string {
  return isRange(binding.mediaType) || binding.mediaType === '' ? fallback : binding.mediaType;
}

/** The body's text. Without `encoding` a scalar is text, an array repeats its name, and an object is JSON. */
export function formBody(
  value: object,
  encoding: Record<string, EncodingBinding> | undefined,
  writers: BodyWriters | undefined,
): string {
  return Object.entries(value)
    .flatMap(([name, member]) =>
      member === undefined ? [] : propertyPairs(name, member, encodingOf(encoding, name), writers),
    )
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

/** A list without items that has a spelling all the same. */
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
    if (essence(contentType) === 'application/x-www-form-urlencoded')
      return formBody(value, encoding, writers);
  }
  return isJson(contentType) ? writeJson(value) : valueText(value);
}
