// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Styles of parameters and fields other than `simple` and `form` (OpenAPI 3.2, "Style Values"), forms, and bodies of JSON lines. */
import type { Feature } from '../feature.ts';
import { isRecord, ownMember, writeJson } from '../json-rpc.ts';
import { type ApiSetup, bodyValue, type BodyWriter, encode, type Encode, essence } from '../request.ts';
import { isJsonType, listParts, type ParameterWriter, print, typeOfBody } from '../request.ts';
import { writePairs as writeFormPairs } from '../request.ts';
import { type Parameter, ToolError } from '../types.ts';

/** OpenAPI, Encoding Object. */
export interface Field extends Omit<Partial<Parameter>, 'in'> {
  contentType?: string;
  xml?: unknown;
}
export type Fields = Record<string, Field>;
declare module '../types.ts' {
  interface Body {
    encoding?: Fields;
  }
  interface Parameter {
    /** Swagger 2.0, `collectionFormat`. */
    separator?: string;
    allowReserved?: boolean;
    allowEmptyValue?: boolean;
    /** Of the fields, if the value is a form. */
    encoding?: Fields;
  }
}

const OTHER_STYLES = ['simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];

export function styles(): Feature {
  const parameters: Record<string, ParameterWriter> = {
    label: (parameter, value) => {
      const { explode } = parameter;
      // OpenAPI 3.0.0–3.0.3 and 3.1.0 join by `.` what is not exploded, later ones by `,`: an explicit false means these.
      return [
        `.${listParts(value, explode === true, encode, encoderOf(parameter)).join(explode === false ? ',' : '.')}`,
      ];
    },
    matrix: writeMatrix,
    cookie: writeCookie,
    querystring: writeQuery,
    content: writeContent,
    ...Object.fromEntries(OTHER_STYLES.map((style) => [style, writeStyle])),
  };
  return { name: 'styles', parts: { parameters, bodies: { form: writeFormBody, json: writeLines } } };
}

/** The `;` operator writes no `=` before an empty value (RFC 6570, section 3.2.7). */
const writeMatrix: ParameterWriter = (parameter, value) => {
  const { explode = false } = parameter;
  const name = encode(parameter.name);
  const parts = listParts(value, explode, encode, encoderOf(parameter));
  if (!explode || parts.length === 0) return [`;${name}=${parts.join(',')}`.replace(/=$/, '')];
  const pairs = isRecord(value) ? parts : parts.map((part) => `${name}=${part}`);
  return [pairs.map((pair) => `;${pair.replace(/=$/, '')}`).join('')];
};

/** "Does not apply or remove percent-encoding" (Appendix D). A `;` would start another cookie. */
const writeCookie: ParameterWriter = (parameter, value) => {
  const { explode = true, name, argument } = parameter;
  const pairs = writePairs({ ...parameter, name, style: 'form', explode }, value, String);
  return pairs.map((pair) => {
    const text = decodeName(pair).join('=');
    if (/[\0-\x1F\x7F;]/.test(text))
      throw new ToolError(
        `Argument "${argument}" can't be sent: a cookie must not hold ";", line breaks or control characters. Percent-encode them.`,
      );
    return text;
  });
};

/** The pair of a writer that encodes names alone. */
export function decodeName(pair: string): [name: string, value: string] {
  const end = pair.indexOf('=');
  return [decodeURIComponent(pair.slice(0, end)), pair.slice(end + 1)];
}

const FORM = 'application/x-www-form-urlencoded';

/** Form data and text are "query string-ready by definition" (OpenAPI 3.2). */
const writeQuery: ParameterWriter = (parameter, value, setup) => {
  const type = essence(parameter.mediaType ?? FORM);
  if (type === FORM && isRecord(value)) return [writeForm(value, parameter.encoding, setup)];
  if (type !== FORM && type !== 'text/plain') return [encode(printContent(value, type, parameter, setup))];
  return [
    print(value)
      .replace(/^\?/, '')
      .replace(/%(?![\dA-Fa-f]{2})|[^%\w\-.~:/?@!$&'()*+,;=]+/gu, encode),
  ];
};

const writeContent: ParameterWriter = (parameter, value, setup) => {
  const { name, in: place, mediaType = '' } = parameter;
  const text = encoderOf(parameter)(printContent(value, mediaType, parameter, setup));
  return [place === 'query' || place === 'cookie' ? `${encode(name)}=${text}` : text];
};

const writeStyle: ParameterWriter = (parameter, value) => {
  const { in: place, separator = ',', explode = false } = parameter;
  const encodeValue = encoderOf(parameter);
  if (place !== 'path' && place !== 'header') return writePairs(parameter, value, encodeValue);
  const parts = listParts(value, explode, place === 'header' ? String : encode, encodeValue);
  return parts.length === 0 ? [] : [parts.join(separator)];
};

/**
 * `allowReserved`: reserved characters and percent-encoded triples pass (RFC 6570, section 3.2.3), but for those that the place can't
 * hold, or that would start another part of it (RFC 3986, sections 3.3 and 3.4; RFC 6265, section 4.1.1).
 */
const RESERVED = {
  path: /%(?![\dA-Fa-f]{2})|[^%\w\-.~:/@!$&'()*+,;=]+/gu,
  query: /%(?![\dA-Fa-f]{2})|[^%\w\-.~:/?@!$'()*,;=]+/gu,
  cookie: /%(?![\dA-Fa-f]{2})|[^%\w\-.~:/?#[\]@!$&'()*+=]+/gu,
};

/** Headers are not percent-encoded. */
function encoderOf(parameter: Pick<Partial<Parameter>, 'in' | 'allowReserved'>): Encode {
  const { in: place = 'query', allowReserved = false } = parameter;
  if (place === 'header') return String;
  const pattern = RESERVED[place === 'querystring' ? 'query' : place];
  return allowReserved ? (text) => text.replace(pattern, encode) : encode;
}

const DELIMITERS: Record<string, string> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Styles of a query. Empty lists and objects add nothing. */
export function writePairs(
  parameter: Partial<Parameter> & { name: string },
  value: unknown,
  encodeValue: Encode,
): string[] {
  const { name, style = 'form', explode = style === 'form', allowEmptyValue } = parameter;
  const { separator = ownMember(DELIMITERS, style) ?? ',' } = parameter;
  if (value === null && style !== 'form') return [];
  const pairs =
    style === 'deepObject'
      ? deepPairs(name, value, encodeValue)
      : writeFormPairs(name, value, explode, encodeValue, separator === ',' ? separator : encode(separator));
  return pairs.length === 0 && allowEmptyValue === true ? [`${encode(name)}=`] : pairs;
}

/** As frameworks read it beyond one level of scalars: `a[b][c]=1`, `ids[]=1`, `rows[0][a]=1`. */
function deepPairs(name: string, value: unknown, encodeValue: Encode): string[] {
  if (typeof value !== 'object' || value === null) return [`${encode(name)}=${encodeValue(print(value))}`];
  return Object.entries(value).flatMap(([key, member]: [string, unknown]) => {
    const isItem = Array.isArray(value) && (typeof member !== 'object' || member === null);
    return deepPairs(`${name}[${isItem ? '' : key}]`, member, encodeValue);
  });
}

const writeFormBody: BodyWriter = (body, args, setup) => {
  const value = bodyValue(body, args);
  if (!isRecord(value))
    throw new ToolError("The request's body must be an object: each member is a form field.");
  return { contentType: typeOfBody(body, FORM), content: writeForm(value, body.encoding, setup) };
};

export function writeForm(value: object, encoding: Fields | undefined, setup: ApiSetup): string {
  return Object.entries(value)
    .flatMap(([name, member]) => writeStyled(name, member, ownMember(encoding, name) ?? {}, setup))
    .join('&');
}

/** Without a style a scalar is text, a list repeats its name, and an object is JSON (OpenAPI 3.2, Encoding Object). */
function writeStyled(name: string, value: unknown, field: Field, setup: ApiSetup): string[] {
  const { contentType, style, explode, allowReserved, allowEmptyValue } = field;
  const encodeValue = encoderOf(field);
  if ((style ?? explode ?? allowReserved) !== undefined)
    return writePairs({ ...field, name }, value, encodeValue);
  const isEmpty = allowEmptyValue === true && Array.isArray(value) && value.length === 0;
  return [isEmpty ? '' : value].flat().map((item: unknown) => {
    const text = printContent(item, contentType, field, setup);
    return new URLSearchParams([[name, text]]).toString();
  });
}

/** Scalars are text unless the type is JSON; objects are JSON unless the type is another. */
export function printContent(
  value: unknown,
  mediaType = '',
  { xml, encoding, argument = 'body' }: Field,
  setup: ApiSetup,
): string {
  if (isLinesType(mediaType)) return printLines(value, mediaType);
  if (typeof value !== 'object' || value === null)
    return isJsonType(mediaType) ? writeJson(value) : print(value);
  const writer = xml === undefined ? undefined : ownMember(setup.bodies, 'xml');
  const written = writer?.({ kind: 'xml', mediaType, argument, xml }, { [argument]: value }, setup);
  if (written !== undefined) return String(written.content);
  const isForm = essence(mediaType) === FORM && isRecord(value);
  return isForm ? writeForm(value, encoding, setup) : writeJson(value);
}

function isLinesType(mediaType: string): boolean {
  return /[/+](?:x-)?(?:ndjson|jsonl|json-?lines|json-seq)$/.test(essence(mediaType));
}

/** Items are lines of their own, after a record separator in RFC 7464. */
function printLines(value: unknown, mediaType: string): string {
  const start = /json-seq$/.test(essence(mediaType)) ? '\x1E' : '';
  return [value]
    .flat()
    .map((item) => `${start}${writeJson(item)}\n`)
    .join('');
}

const writeLines: BodyWriter = ({ mediaType, argument = '' }, args) => {
  if (!isLinesType(mediaType)) return undefined;
  const value = ownMember(args, argument);
  return { contentType: mediaType, content: value === undefined ? '' : printLines(value, mediaType) };
};
