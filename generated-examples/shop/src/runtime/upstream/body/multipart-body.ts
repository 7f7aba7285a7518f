/** `multipart/form-data` bodies (RFC 7578), one part for each property or each item of an array. */
import { randomUUID } from 'node:crypto';
import type { EncodingBinding, PartBinding } from '../../bindings.ts';
import { decodeBytes, isFileLike } from '../bytes.ts';
import { FileArgument } from '../file-argument.ts';
import { essence, extensionOf, isJson, isRange, isText } from '../media-type.ts';
import { asIs } from '../percent-encoding.ts';
import { queryPairs } from '../query-style.ts';
import { valueText } from '../value-text.ts';
import { contentText, encodingOf, isStyled } from './form-body.ts';
import { writeJson } from '../../schema/json-text.ts';

/** One property on its way into the body. */
export interface MultipartField extends PartBinding {
  name: string;
  value: unknown;
  /** The argument it came from, for messages. */
  argument: string;
}

export interface MultipartBody {
  /** Pieces where some are files. */
  content: Buffer | (Buffer | FileArgument)[];
  boundary: string;
}

interface Part {
  name: string;
  content: string | Buffer | FileArgument;
  contentType?: string;
  filename?: string;
  headers?: Record<string, string>;
}

/** Writes the parts in order. A null has no form in a part and is left out. */
export function multipartBody(
  fields: MultipartField[],
  encoding: Record<string, EncodingBinding> | undefined,
): MultipartBody {
  const boundary = `form-${randomUUID()}`;
  const chunks: (Buffer | FileArgument)[] = [];
  for (const part of fields.flatMap((field) => fieldParts(field, encodingOf(encoding, field.name)))) {
    chunks.push(Buffer.from(`--${boundary}\r\n${partHead(part)}\r\n`, 'utf8'));
    chunks.push(typeof part.content === 'string' ? Buffer.from(part.content, 'utf8') : part.content);
    chunks.push(Buffer.from('\r\n'));
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return { content: isBytes(chunks) ? Buffer.concat(chunks) : chunks, boundary };
}

function isBytes(chunks: (Buffer | FileArgument)[]): chunks is Buffer[] {
  return !chunks.some((chunk) => chunk instanceof FileArgument);
}

function fieldParts(field: MultipartField, encoding: EncodingBinding | undefined): Part[] {
  if (field.binary !== true && isStyled(encoding)) return styledParts(field, encoding);
  const headers = headersOf(field, encoding);
  const items: unknown[] = Array.isArray(field.value) ? field.value : [field.value];
  return items
    .filter((item) => item !== null && item !== undefined)
    .map((item) => ({ ...contentPart(field, item, encoding), headers }));
}

/** The encodings that a header may name (RFC 2045, section 6.1); JSON Schema knows others too (`base64url`). */
const TRANSFER_ENCODINGS: readonly unknown[] = ['base64', 'quoted-printable'];

/**
 * OpenAPI 3.1, "Encoding Object": `contentEncoding` of a part is equivalent to `Content-Transfer-Encoding` among its
 * `headers`, which go before it.
 */
function headersOf(
  { contentEncoding }: MultipartField,
  encoding: EncodingBinding | undefined,
): Record<string, string> {
  const { headers = {} } = encoding ?? {};
  const isSaid = Object.keys(headers).some((name) => /^content-transfer-encoding$/i.test(name));
  if (isSaid || contentEncoding === undefined || !TRANSFER_ENCODINGS.includes(contentEncoding))
    return headers;
  return { 'Content-Transfer-Encoding': contentEncoding, ...headers };
}

/** "The query string names are placed in the `name` parameter"; nothing is percent-encoded (OpenAPI 3.2, Appendix C). */
function styledParts(field: MultipartField, encoding: EncodingBinding | undefined): Part[] {
  const style = encoding?.style ?? 'form';
  const explode = encoding?.explode ?? style === 'form';
  return queryPairs(
    {
      name: field.name,
      style,
      explode,
      separator: encoding?.separator,
      allowEmptyValue: false,
      encodeName: asIs,
      encodeValue: asIs,
    },
    field.value,
  ).map(([name, content]) => ({ name, content }));
}

function contentPart(field: MultipartField, value: unknown, encoding: EncodingBinding | undefined): Part {
  const { contentType: declared, xml } = encoding ?? {};
  const contentType = firstConcrete(declared);
  if (field.contentEncoding !== undefined && typeof value === 'string') {
    // OpenAPI 3.1, "Encoding Object": the default of a string that has a `contentEncoding`.
    return { name: field.name, content: value, contentType: contentType ?? 'application/octet-stream' };
  }
  if (field.binary === true || (isFileLike(value) && (field.mayBeFile === true || isFileType(declared)))) {
    const { bytes, mediaType, likelyMediaType, filename } = decodeBytes(field.argument, value);
    const type = mediaType ?? contentType ?? likelyMediaType ?? 'application/octet-stream';
    return filePart(field.name, bytes, type, filename);
  }
  if (typeof value === 'object') {
    return {
      name: field.name,
      content: xml === undefined ? writeJson(value) : contentText(value, contentType, xml, field.argument),
      contentType: contentType ?? 'application/json',
    };
  }
  // text/plain is the default of RFC 7578, section 4.4, and is not written.
  return contentType === undefined
    ? { name: field.name, content: valueText(value) }
    : { name: field.name, content: contentText(value, contentType, xml, field.argument), contentType };
}

function filePart(
  name: string,
  content: Buffer | FileArgument,
  contentType: string,
  filename: string | undefined,
): Part {
  return { name, content, contentType, filename: filename ?? `${name}.${extensionOf(contentType)}` };
}

/** `contentType` is a comma-separated list that may hold ranges. */
function firstConcrete(declared: string | undefined): string | undefined {
  return declared
    ?.split(',')
    .map((one) => one.trim())
    .find((one) => one !== '' && !isRange(one));
}

function isFileType(declared: string | undefined): boolean {
  if (declared === undefined) return false;
  const first = essence(declared.split(',')[0] ?? '');
  return !isText(first) && !isJson(first);
}

function partHead(part: Part): string {
  const filename = part.filename === undefined ? '' : `; filename="${quoted(part.filename)}"`;
  let head = `Content-Disposition: form-data; name="${quoted(part.name)}"${filename}\r\n`;
  if (part.contentType !== undefined) head += `Content-Type: ${oneLine(part.contentType)}\r\n`;
  for (const [name, value] of Object.entries(part.headers ?? {})) {
    head += `${oneLine(name)}: ${oneLine(value)}\r\n`;
  }
  return head;
}

/** How browsers escape names in a part's head (HTML Standard, "multipart/form-data encoding algorithm"). */
function quoted(text: string): string {
  return text.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ');
}
