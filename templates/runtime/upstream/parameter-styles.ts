// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Requests that are not plain: styles of parameters, headers, cookies, media types and forms, and values that the environment has. */
import type {
  EncodingBinding,
  ItemSeparator,
  KnownArgument,
  ParameterBinding,
  ParameterStyle,
} from '../contract/bindings.ts';
import {
  type Encode,
  encodeFormUrlencoded,
  encodeUnreserved,
  isJsonType,
  isJsonLinesType,
  mediaTypeEssence,
} from '../contract/http-syntax.ts';
import { readJson, writeJson } from '../contract/json-value.ts';
import { isDefined } from '../contract/patterns.ts';
import { FORM, type ParameterSink, type ParameterWriters, type Writers, requireBodies } from './body.ts';
import {
  type Pair,
  expandSimpleStyle,
  listItemTexts,
  listMemberTexts,
  plainPairs,
  printJson,
  printParameterValue,
} from './parameter-values.ts';
import { argumentError } from './upstream-error.ts';

export { dropReadOnly } from '../schema/read-only.ts';

/** Defaults are those of `ParameterBinding`. */
interface QueryStyle {
  name: string;
  style?: ParameterStyle | undefined;
  explode?: boolean | undefined;
  separator?: ItemSeparator | undefined;
  itemSeparators?: readonly ItemSeparator[] | undefined;
  allowEmptyValue?: boolean | undefined;
}

/**
 * OpenAPI 3.2, "Style Examples". Empty arrays and objects add nothing (Appendix C, "Undefined Values"); delimiters are
 * encoded (Appendix E); combinations marked n/a are exploded as `form` is.
 * @param encodeName encodes the parameter's name and, exploded, an object's keys
 */
export function queryPairs(
  binding: QueryStyle,
  value: unknown,
  encodeName: Encode,
  encodeValue: Encode,
): Pair[] {
  const { style = 'form', itemSeparators } = binding;
  const { explode = style === 'form' || style === 'cookie' } = binding;
  const name = encodeName(binding.name);
  if (typeof value !== 'object') return [[name, encodeValue(printParameterValue(value))]];
  let pairs: Pair[] = [];
  if (style === 'deepObject') {
    if (value !== null) addDeepObjectPairs(pairs, binding.name, value, encodeName, encodeValue);
  } else if (value === null) {
    if (style === 'form' || style === 'cookie') pairs = [[name, '']];
  } else if (Array.isArray(value)) {
    const items = encodeItems(value, encodeValue, itemSeparators);
    pairs = items.map((item) => [name, item]);
    if (!explode && items.length > 0) pairs = [[name, items.join(delimiterOfStyle(binding, encodeValue))]];
  } else {
    pairs = plainPairs(name, value, encodeName, encodeValue);
    if (!explode && pairs.length > 0)
      pairs = [[name, pairs.flat().join(delimiterOfStyle(binding, encodeValue))]];
  }
  return pairs.length === 0 && binding.allowEmptyValue === true ? [[name, '']] : pairs;
}

function delimiterOfStyle({ style, separator }: QueryStyle, encodeValue: Encode): string {
  if (separator !== undefined) return encodeValue(separator);
  if (style === 'spaceDelimited') return encodeValue(' ');
  return style === 'pipeDelimited' ? encodeValue('|') : ',';
}

/**
 * OpenAPI 3.0.0–3.0.3 and 3.1.0 join a label that isn't exploded by `.`, later ones by `,` as RFC 6570 does: an absent
 * `explode` means the former, an explicit false the latter.
 */
function expandPathParameter(
  style: ParameterStyle,
  explode: boolean | undefined,
  name: string,
  value: unknown,
  encode: Encode,
): string {
  switch (style) {
    case 'matrix':
      return expandMatrix(explode === true, encodeUnreserved(name), value, encode);
    case 'label': {
      const separator = explode === false ? ',' : '.';
      return `.${expandSimpleStyle(explode === true, value, encode, encodeUnreserved, separator)}`;
    }
    default:
      return expandSimpleStyle(explode === true, value, encode, encodeUnreserved);
  }
}

function expandMatrix(explode: boolean, name: string, value: unknown, encode: Encode): string {
  if (typeof value !== 'object' || value === null)
    return matrixPair(name, encode(printParameterValue(value)));
  if (!explode) return matrixPair(name, expandSimpleStyle(false, value, encode, encodeUnreserved));
  const pairs = Array.isArray(value)
    ? listItemTexts(value).map((item) => matrixPair(name, encode(item)))
    : listMemberTexts(value).map(([key, text]) => matrixPair(encodeUnreserved(key), encode(text)));
  return pairs.length === 0 ? `;${name}` : pairs.join('');
}

/** The `;` operator writes no `=` before an empty value (RFC 6570, section 3.2.7). */
function matrixPair(name: string, value: string): string {
  return value === '' ? `;${name}` : `;${name}=${value}`;
}

function addDeepObjectPairs(
  pairs: Pair[],
  name: string,
  value: unknown,
  encodeName: Encode,
  encodeValue: Encode,
): void {
  if (value === undefined) return;
  if (value === null || typeof value !== 'object') {
    pairs.push([encodeName(name), encodeValue(printParameterValue(value))]);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      const isNested = item !== null && typeof item === 'object';
      addDeepObjectPairs(pairs, `${name}[${isNested ? index : ''}]`, item, encodeName, encodeValue);
    });
  } else {
    for (const [key, member] of Object.entries(value))
      addDeepObjectPairs(pairs, `${name}[${key}]`, member, encodeName, encodeValue);
  }
}

/** Nested arrays are joined by the next separator, and are JSON when there is none. Commas stay, other separators are encoded. */
function encodeItems(
  items: readonly unknown[],
  encode: Encode,
  separators: readonly ItemSeparator[] = [],
): string[] {
  const [separator, ...deeper] = separators;
  if (separator === undefined) return listItemTexts(items).map(encode);
  const joint = separator === ',' ? separator : encode(separator);
  return items
    .filter(isDefined)
    .map((item) =>
      Array.isArray(item) ? encodeItems(item, encode, deeper).join(joint) : encode(printParameterValue(item)),
    );
}

export const addParameter: ParameterWriters['addParameter'] = (parameter, value, sink, inPath) => {
  const { query, cookies, writers } = sink;
  switch (parameter.in) {
    case 'path':
      inPath.set(parameter.name, printPathValue(parameter, value, writers));
      break;
    case 'query':
      for (const [name, text] of encodeParameterPairs(parameter, value, writers))
        query.push(`${name}=${text}`);
      break;
    case 'querystring':
      query.push(...[printWholeQuery(parameter, value, writers)].filter(Boolean));
      break;
    case 'cookie':
      for (const pair of encodeParameterPairs(parameter, value, writers))
        cookies.push(printCookie(parameter, pair));
      break;
    case 'header':
      setParameterHeader(parameter, value, sink);
      break;
  }
};

/** The connection sets these headers alone, even if a document declares them. */
const CONNECTION_HEADERS = new Set(
  'connection content-length expect host keep-alive te trailer transfer-encoding upgrade'.split(' '),
);

function printPathValue(parameter: ParameterBinding, value: unknown, writers: Writers | undefined): string {
  const encode = parameter.allowReserved === true ? encodeReservedInPath : encodeUnreserved;
  if (parameter.mediaType !== undefined) return encode(printByMediaType(parameter, value, writers));
  const { style = 'simple', explode, name } = parameter;
  if (isJoinedBySeparator(parameter, value)) return joinParameterItems(parameter, value, encode);
  return expandPathParameter(style, explode, name, value, encode);
}

function encodeParameterPairs(
  parameter: ParameterBinding,
  value: unknown,
  writers: Writers | undefined,
): Pair[] {
  // OpenAPI 3.2, Appendix D: `cookie` style "does not apply or remove percent-encoding".
  const encodeName = parameter.style === 'cookie' ? keepText : encodeUnreserved;
  const encodeReserved = parameter.in === 'cookie' ? encodeReservedInCookie : encodeReservedInQuery;
  const isReserved = parameter.allowReserved === true && parameter.style !== 'cookie';
  const encodeValue = isReserved ? encodeReserved : encodeName;
  if (parameter.mediaType !== undefined)
    return [[encodeName(parameter.name), encodeValue(printByMediaType(parameter, value, writers))]];
  return queryPairs(parameter, value, encodeName, encodeValue);
}

/** A `;` would start another cookie. */
function printCookie(parameter: ParameterBinding, [name, value]: Pair): string {
  const text = `${name}=${value}`;
  if (/[\0-\x1F\x7F;]/.test(text)) {
    throw argumentError(
      `Argument "${parameter.argument}" can't be sent: a cookie must not hold ";", line breaks or control characters. ` +
        'Percent-encode them.',
    );
  }
  return text;
}

/** Headers are not percent-encoded (OpenAPI 3.2, "Fixed Fields for use with `schema`"). */
function setParameterHeader(
  parameter: ParameterBinding,
  value: unknown,
  { headers, writers }: ParameterSink,
): void {
  if (CONNECTION_HEADERS.has(parameter.name.toLowerCase())) return;
  if (Array.isArray(value) && value.length === 0) return;
  headers.setChecked(
    parameter.name,
    printHeaderValue(parameter, value, writers),
    `Argument "${parameter.argument}"`,
  );
}

function printHeaderValue(parameter: ParameterBinding, value: unknown, writers: Writers | undefined): string {
  if (parameter.mediaType !== undefined) return printByMediaType(parameter, value, writers);
  if (isJoinedBySeparator(parameter, value)) return joinParameterItems(parameter, value, keepText);
  return expandSimpleStyle(parameter.explode ?? false, value, keepText, keepText);
}

function isJoinedBySeparator(parameter: ParameterBinding, value: unknown): value is unknown[] {
  const { separator, itemSeparators } = parameter;
  return Array.isArray(value) && (separator !== undefined || itemSeparators !== undefined);
}

function joinParameterItems(parameter: ParameterBinding, items: unknown[], encode: Encode): string {
  const { separator = ',', itemSeparators = [] } = parameter;
  return encodeItems([items], encode, [separator, ...itemSeparators]).join('');
}

/** Form data and text are "query string-ready by definition" (OpenAPI 3.2). */
function printWholeQuery(parameter: ParameterBinding, value: unknown, writers: Writers | undefined): string {
  const mediaType = mediaTypeEssence(parameter.mediaType ?? FORM);
  if (mediaType === FORM && typeof value === 'object' && value !== null)
    return encodeForm(value, parameter.encoding, writers);
  if (mediaType === FORM || mediaType === 'text/plain')
    return encodeWholeQuery(printParameterValue(value).replace(/^\?/, ''));
  return encodeUnreserved(printByMediaType({ ...parameter, mediaType }, value, writers));
}

function printByMediaType(
  { mediaType = '', encoding }: ParameterBinding,
  value: unknown,
  writers: Writers | undefined,
): string {
  if (isJsonType(mediaType) || isJsonLinesType(mediaType)) return printJson(mediaType, value);
  return mediaTypeEssence(mediaType) === FORM && typeof value === 'object' && value !== null
    ? encodeForm(value, encoding, writers)
    : printParameterValue(value);
}

type KnownSettings = Parameters<ParameterWriters['addKnownArguments']>[2];

export function addKnownArguments(
  given: Record<string, unknown>,
  known: Record<string, KnownArgument>,
  settings: KnownSettings,
): Record<string, unknown> {
  const own = Object.entries(known)
    .filter(([argument, { isDefault }]) => isDefault !== true || given[argument] === undefined)
    .map(([argument, each]): [string, unknown] => [argument, resolveKnownValue(argument, each, settings)]);
  return { ...given, ...Object.fromEntries(own) };
}

function resolveKnownValue(
  argument: string,
  { env: name = '', value, isJson }: KnownArgument,
  { env, answer }: KnownSettings,
): unknown {
  const text = env[name] ?? '';
  if (name === '' || (text === '' && value !== undefined)) return value;
  // Mock mode needs no variables, and its requests are not sent.
  if (text === '' && answer !== undefined) return name;
  if (text === '')
    throw argumentError(
      `The server sends "${argument}" from the variable ${name}, which is not set. Set ${name} in the environment of this server.`,
    );
  if (isJson !== true) return text;
  try {
    return readJson(text);
  } catch {
    throw argumentError(`The variable ${name}, sent as "${argument}", must hold JSON, such as 5 or ["a"].`);
  }
}

/** Without `encoding` a scalar is text, an array repeats its name, and an object is JSON. */
export function encodeForm(value: object, encoding: Encodings, writers: Writers | undefined): string {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .flatMap(([name, member]) => encodeFormPairs(name, member, findEncoding(encoding, name), writers))
    .map(([name, text]) => `${name}=${text}`)
    .join('&');
}

type Encodings = Record<string, EncodingBinding> | undefined;

/** Own members only: a property may be called `constructor`. */
export function findEncoding(encoding: Encodings, name: string): EncodingBinding | undefined {
  return encoding !== undefined && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
}

/** "The absence of all three of those fields is the equivalent of using `content`" (OpenAPI 3.2, Encoding Object). */
export function isStyled({ style, explode, allowReserved, itemSeparators }: EncodingBinding = {}): boolean {
  return [style, explode, allowReserved, itemSeparators].some((field) => field !== undefined);
}

function encodeFormPairs(
  name: string,
  value: unknown,
  encoding: EncodingBinding | undefined,
  writers: Writers | undefined,
): Pair[] {
  if (isEmptyValue(value, encoding)) return [[encodeFormUrlencoded(name), '']];
  if (isStyled(encoding)) {
    const encodeValue = encoding?.allowReserved === true ? encodeReservedInQuery : encodeUnreserved;
    return queryPairs({ ...encoding, name, allowEmptyValue: false }, value, encodeUnreserved, encodeValue);
  }
  // "Encoding By Name" applies to each item.
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => [
    encodeFormUrlencoded(name),
    encodeFormUrlencoded(printContent(item, encoding?.contentType, encoding, name, writers)),
  ]);
}

export function isEmptyValue(value: unknown, encoding: EncodingBinding | undefined): boolean {
  return encoding?.allowEmptyValue === true && Array.isArray(value) && value.length === 0;
}

/** Scalars are text unless the type is JSON; objects are JSON unless the type is another. */
export function printContent(
  value: unknown,
  contentType: string | undefined,
  { xml, encoding }: EncodingBinding = {},
  argument: string,
  writers: Writers | undefined,
): string {
  if (contentType === undefined) return printParameterValue(value);
  if (typeof value === 'object' && value !== null) {
    if (xml !== undefined) return requireBodies(writers).xmlBody(xml, argument, value);
    if (mediaTypeEssence(contentType) === FORM) return encodeForm(value, encoding, writers);
  }
  return isJsonType(contentType) ? writeJson(value) : printParameterValue(value);
}

/**
 * `allowReserved` in a query. RFC 6570's reserved expansion lets reserved characters and percent-encoded triples through; `#[]`
 * are not allowed in a query (RFC 3986, section 3.4), and a bare `&` or `+` would change the form-urlencoded meaning, so those
 * stay encoded (OpenAPI 3.2, "URL Percent-Encoding").
 */
function encodeReservedInQuery(text: string): string {
  return text.replace(/%(?![\dA-Fa-f]{2})|[^%\w\-.~:/?@!$'()*,;=]+/gu, encodeUnreserved);
}

/** `allowReserved` in a path, which can't hold `?#[]` (RFC 3986, section 3.3). */
function encodeReservedInPath(text: string): string {
  return text.replace(/%(?![\dA-Fa-f]{2})|[^%\w\-.~:/@!$&'()*+,;=]+/gu, encodeUnreserved);
}

/** `allowReserved` in a cookie: `,` and `;` are no cookie octets (RFC 6265, section 4.1.1). */
function encodeReservedInCookie(text: string): string {
  return text.replace(/%(?![\dA-Fa-f]{2})|[^%\w\-.~:/?#[\]@!$&'()*+=]+/gu, encodeUnreserved);
}

function encodeWholeQuery(text: string): string {
  return text.replace(/%(?![\dA-Fa-f]{2})|[^%\w\-.~:/?@!$&'()*+,;=]+/gu, encodeUnreserved);
}

export function keepText(text: string): string {
  return text;
}
