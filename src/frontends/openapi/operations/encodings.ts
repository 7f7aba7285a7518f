import type { EncodingBinding } from '../../../model/bindings.ts';
import { mediaTypeEssence, isHttpToken } from '../../../util/http-syntax.ts';
import type { MediaType } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { setOwnMember } from '../document/record.ts';
import { type ReadContext, listArrayItems, resolveRecordNode } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  keyOrigin,
  listMemberNodes,
  memberNode,
} from '../reference/source-node.ts';
import { isParameterStyle } from './parameter-style.ts';

type Encodings = Pick<MediaType, 'encoding' | 'prefixEncoding' | 'itemEncoding'>;

/** A Media Type Object, or an Encoding Object of a part that has parts itself. */
interface Owner {
  node: RecordNode;
  mediaType: string;
  /** The path for messages: `prefixEncoding[0].`; empty for a Media Type Object. */
  path: string;
  depth: number;
}

/** Limit of nested parts. The specification requires one level. */
const deepestEncoding = 8;

export function readEncodings(context: ReadContext, node: RecordNode, mediaType: string): Encodings {
  return readAllEncodings(context, { node, mediaType, path: '', depth: 0 });
}

function readAllEncodings(context: ReadContext, owner: Owner): Encodings {
  const byName = checkEncodingField(context, owner, 'encoding')
    ? readNamedEncodings(context, owner)
    : undefined;
  const byPosition = checkEncodingField(context, owner, 'prefixEncoding')
    ? readPrefixEncodings(context, owner)
    : undefined;
  const item = checkEncodingField(context, owner, 'itemEncoding') ? readItem(context, owner) : undefined;
  return omitUndefined({ encoding: byName, prefixEncoding: byPosition, itemEncoding: item });
}

function checkEncodingField(
  context: ReadContext,
  owner: Owner,
  field: 'encoding' | 'prefixEncoding' | 'itemEncoding',
): boolean {
  if (owner.node.value[field] === undefined) return false;
  const isKnown = field === 'encoding' ? isFormMediaType(owner) || isMultipart(owner) : isMultipart(owner);
  if (isKnown && owner.depth < deepestEncoding) return true;
  const because = isKnown
    ? `it is more than ${deepestEncoding} levels deep`
    : `${owner.mediaType === '' ? 'a part without `contentType`' : owner.mediaType} has no parts that are written so`;
  reportFieldWithoutEffect(context, owner, owner.node, field, because);
  return false;
}

function isFormMediaType({ mediaType }: Owner): boolean {
  return mediaTypeEssence(mediaType) === 'application/x-www-form-urlencoded';
}

function isMultipart({ mediaType }: Owner): boolean {
  return mediaTypeEssence(mediaType).startsWith('multipart/');
}

function isFormData({ mediaType }: Owner): boolean {
  return mediaTypeEssence(mediaType) === 'multipart/form-data';
}

function readNamedEncodings(context: ReadContext, owner: Owner): Record<string, EncodingBinding> | undefined {
  const encodings = resolveRecordNode(context, memberNode(owner.node, 'encoding'), '`encoding`');
  const encoding: Record<string, EncodingBinding> = {};
  for (const [name, member] of listMemberNodes(encodings)) {
    const entry = resolveRecordNode(context, member, `The encoding of ${name}`);
    const binding = entry && readEncodingObject(context, owner, entry, `encoding.${name}`);
    if (binding !== undefined && Object.keys(binding).length > 0) setOwnMember(encoding, name, binding);
  }
  return Object.keys(encoding).length === 0 ? undefined : encoding;
}

function readPrefixEncodings(context: ReadContext, owner: Owner): EncodingBinding[] {
  const list = memberNode(owner.node, 'prefixEncoding');
  return listArrayItems(context, list, '`prefixEncoding`').map((item, index) => {
    const what = `prefixEncoding[${index}]`;
    const entry = resolveRecordNode(context, item, `\`${what}\``);
    return entry === undefined ? {} : readEncodingWithPartName(context, owner, entry, what);
  });
}

function readItem(context: ReadContext, owner: Owner): EncodingBinding | undefined {
  const entry = resolveRecordNode(context, memberNode(owner.node, 'itemEncoding'), '`itemEncoding`');
  return entry && readEncodingWithPartName(context, owner, entry, 'itemEncoding');
}

/** "The Encoding Object's `headers` field MUST be used to provide the `Content-Disposition` and part name". */
function readEncodingWithPartName(
  context: ReadContext,
  owner: Owner,
  entry: RecordNode,
  what: string,
): EncodingBinding {
  const binding = readEncodingObject(context, owner, entry, what);
  const name = isFormData(owner) ? readPartName(context, entry) : undefined;
  return name === undefined ? binding : { name, ...binding };
}

function readEncodingObject(
  context: ReadContext,
  owner: Owner,
  entry: RecordNode,
  what: string,
): EncodingBinding {
  const { contentType } = entry.value;
  const mediaType = typeof contentType === 'string' ? contentType : '';
  const path = `${owner.path}${what}.`;
  return {
    ...(mediaType === '' ? {} : { contentType: mediaType }),
    ...readEncodingStyle(context, { ...owner, path }, entry),
    ...readPartHeaders(context, { ...owner, path }, entry),
    ...readAllEncodings(context, { node: entry, mediaType, path, depth: owner.depth + 1 }),
  };
}

/** Each style field that is written turns style serialisation on. */
function readEncodingStyle(
  context: ReadContext,
  owner: Owner,
  entry: RecordNode,
): Pick<EncodingBinding, 'style' | 'explode' | 'allowReserved'> {
  const { style, explode, allowReserved } = entry.value;
  if (!isFormMediaType(owner) && !isFormData(owner)) return {};
  const parameterStyle = isParameterStyle('query', style) ? style : undefined;
  if (style !== undefined && parameterStyle === undefined)
    reportFieldWithoutEffect(context, owner, entry, 'style', `${JSON.stringify(style)} is none of a form`);
  return {
    ...omitUndefined({ style: parameterStyle }),
    ...(typeof explode === 'boolean' ? { explode } : {}),
    ...(typeof allowReserved === 'boolean' ? { allowReserved } : {}),
  };
}

function readPartHeaders(
  context: ReadContext,
  owner: Owner,
  entry: RecordNode,
): Pick<EncodingBinding, 'headers'> {
  if (entry.value.headers === undefined || !isMultipart(owner)) return {};
  const headers = readFixedHeaders(context, entry);
  return headers === undefined ? {} : { headers };
}

function reportFieldWithoutEffect(
  context: ReadContext,
  owner: Owner,
  node: RecordNode,
  field: string,
  because: string,
): void {
  const at = keyOrigin(memberNode(node, field));
  context.report('field-without-effect', { field: `${owner.path}${field}`, because }, { at });
}

/** Headers with several possible values are reported, since arguments cannot set them. */
function readFixedHeaders(context: ReadContext, entry: RecordNode): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const { name, header, key } of listPartHeaders(context, entry)) {
    // The part's own fields set these headers ("Encoding Object": `Content-Type` "SHALL be ignored in this section").
    if (/^content-(?:type|disposition)$/i.test(name)) continue;
    const { value, isForbidden } = readFixedHeaderValue(context, name, header);
    if (isForbidden) continue;
    if (isHttpToken(name) && value !== undefined) setOwnMember(headers, name, value);
    else reportPartHeaderLeftOut(context, name, key, header);
  }
  return Object.keys(headers).length === 0 ? undefined : headers;
}

function readPartName(context: ReadContext, entry: RecordNode): string | undefined {
  const disposition = listPartHeaders(context, entry).find(({ name }) => /^content-disposition$/i.test(name));
  const { value = '' } =
    disposition === undefined ? {} : readFixedHeaderValue(context, disposition.name, disposition.header);
  const [, quoted, token] = /;\s*name=(?:"([^"]*)"|([^\s;]+))/i.exec(value) ?? [];
  return quoted ?? token;
}

function listPartHeaders(
  context: ReadContext,
  entry: RecordNode,
): { name: string; header: RecordNode; key: SourceNode }[] {
  const headers = resolveRecordNode(context, memberNode(entry, 'headers'), '`headers` of an encoding');
  return listMemberNodes(headers).flatMap(([name, key]) => {
    const header = resolveRecordNode(context, key, `The header ${name}`);
    return header === undefined ? [] : [{ name, header, key }];
  });
}

/** `schema: false` forbids the header. */
function readFixedHeaderValue(
  context: ReadContext,
  name: string,
  header: RecordNode,
): { value?: string; isForbidden?: boolean } {
  const schemaNode = memberNode(header, 'schema');
  if (schemaNode.value === false) return { isForbidden: true };
  const schema =
    schemaNode.value === true
      ? undefined
      : resolveRecordNode(context, schemaNode, `The schema of the header ${name}`);
  const { const: only, enum: choices, default: fallback } = schema?.value ?? {};
  const value: unknown = only ?? (Array.isArray(choices) && choices.length === 1 ? choices[0] : fallback);
  return isHeaderValue(value) ? { value: String(value) } : {};
}

function reportPartHeaderLeftOut(
  context: ReadContext,
  name: string,
  key: SourceNode,
  { value }: RecordNode,
): void {
  if (value.required === true) context.report('part-header-left-out', { name }, { at: keyOrigin(key) });
}

function isHeaderValue(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return /^[\t\u0020-\u007e]*$/.test(value);
  return typeof value === 'number' || typeof value === 'boolean';
}
