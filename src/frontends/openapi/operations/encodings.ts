import type { EncodingBinding } from '../../../../templates/runtime/contract/bindings.ts';
import { essence } from '../../../../templates/runtime/contract/media-type.ts';
import type { MediaType } from '../../../model/source-model.ts';
import { setOwn } from '../document/record.ts';
import { type ReadContext, readList, readRecord } from '../read-context.ts';
import { type RecordNode, childOf, keyOriginOf, memberOf } from '../reference/source-node.ts';
import { isStyleOf } from './parameter-style.ts';
import { fixedHeaders, nameOfPart } from './part-headers.ts';
import { definedMembers } from '../../../util/defined-members.ts';

export type Encodings = Pick<MediaType, 'encoding' | 'prefixEncoding' | 'itemEncoding'>;

/**
 * The object that holds Encoding Objects: a Media Type Object, or an Encoding Object of a part that has parts itself.
 */
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
  const byName = allows(context, owner, 'encoding') ? readNamed(context, owner) : undefined;
  const byPosition = allows(context, owner, 'prefixEncoding') ? readPrefix(context, owner) : undefined;
  const item = allows(context, owner, 'itemEncoding') ? readItem(context, owner) : undefined;
  return {
    ...definedMembers({ encoding: byName, prefixEncoding: byPosition, itemEncoding: item }),
  };
}

/** Reports a field that has no effect here. */
function allows(
  context: ReadContext,
  owner: Owner,
  field: 'encoding' | 'prefixEncoding' | 'itemEncoding',
): boolean {
  if (owner.node.value[field] === undefined) return false;
  const isKnown = field === 'encoding' ? isForm(owner) || isMultipart(owner) : isMultipart(owner);
  if (isKnown && owner.depth < deepestEncoding) return true;
  const because = isKnown
    ? `it stands more than ${deepestEncoding} levels deep`
    : `${owner.mediaType === '' ? 'a part without `contentType`' : owner.mediaType} has no parts that are written so`;
  reportIdle(context, owner, owner.node, field, because);
  return false;
}

function isForm({ mediaType }: Owner): boolean {
  return essence(mediaType) === 'application/x-www-form-urlencoded';
}

function isMultipart({ mediaType }: Owner): boolean {
  return essence(mediaType).startsWith('multipart/');
}

function isFormData({ mediaType }: Owner): boolean {
  return essence(mediaType) === 'multipart/form-data';
}

function readNamed(context: ReadContext, owner: Owner): Record<string, EncodingBinding> | undefined {
  const written = readRecord(context, memberOf(owner.node, 'encoding'), '`encoding`');
  const encoding: Record<string, EncodingBinding> = {};
  for (const name of Object.keys(written?.value ?? {})) {
    const entry = written && readRecord(context, memberOf(written, name), `The encoding of ${name}`);
    const binding = entry && readEntry(context, owner, entry, `encoding.${name}`);
    if (binding !== undefined && Object.keys(binding).length > 0) setOwn(encoding, name, binding);
  }
  return Object.keys(encoding).length === 0 ? undefined : encoding;
}

function readPrefix(context: ReadContext, owner: Owner): EncodingBinding[] {
  const list = memberOf(owner.node, 'prefixEncoding');
  return readList(context, list, '`prefixEncoding`').map((value, index) => {
    const what = `prefixEncoding[${index}]`;
    const entry = readRecord(context, childOf(list, index, value), `\`${what}\``);
    return entry === undefined ? {} : readItemEntry(context, owner, entry, what);
  });
}

function readItem(context: ReadContext, owner: Owner): EncodingBinding | undefined {
  const entry = readRecord(context, memberOf(owner.node, 'itemEncoding'), '`itemEncoding`');
  return entry && readItemEntry(context, owner, entry, 'itemEncoding');
}

/** "The Encoding Object's `headers` field MUST be used to provide the `Content-Disposition` and part name". */
function readItemEntry(context: ReadContext, owner: Owner, entry: RecordNode, what: string): EncodingBinding {
  const binding = readEntry(context, owner, entry, what);
  const name = isFormData(owner) ? nameOfPart(context, entry) : undefined;
  return name === undefined ? binding : { name, ...binding };
}

function readEntry(context: ReadContext, owner: Owner, entry: RecordNode, what: string): EncodingBinding {
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

/** Reads the style fields of a query parameter. Each one that is written turns style serialisation on. */
function readEncodingStyle(
  context: ReadContext,
  owner: Owner,
  entry: RecordNode,
): Pick<EncodingBinding, 'style' | 'explode' | 'allowReserved'> {
  const { style, explode, allowReserved } = entry.value;
  if (!isForm(owner) && !isFormData(owner)) {
    for (const field of ['style', 'explode', 'allowReserved']) {
      if (entry.value[field] !== undefined)
        reportIdle(context, owner, entry, field, `${owner.mediaType} is no form`);
    }
    return {};
  }
  const known = isStyleOf('query', style) ? style : undefined;
  if (style !== undefined && known === undefined)
    reportIdle(context, owner, entry, 'style', `${JSON.stringify(style)} is none of a form`);
  return {
    ...definedMembers({ style: known }),
    ...(typeof explode === 'boolean' ? { explode } : {}),
    ...(typeof allowReserved === 'boolean' ? { allowReserved } : {}),
  };
}

function readPartHeaders(
  context: ReadContext,
  owner: Owner,
  entry: RecordNode,
): Pick<EncodingBinding, 'headers'> {
  if (entry.value.headers === undefined) return {};
  if (!isMultipart(owner)) {
    reportIdle(context, owner, entry, 'headers', 'only parts of a multipart body have headers');
    return {};
  }
  const headers = fixedHeaders(context, entry);
  return headers === undefined ? {} : { headers };
}

function reportIdle(
  context: ReadContext,
  owner: Owner,
  node: RecordNode,
  field: string,
  because: string,
): void {
  const at = keyOriginOf(memberOf(node, field));
  context.report('field-without-effect', { field: `${owner.path}${field}`, because }, { at });
}
