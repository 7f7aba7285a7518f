import { isHttpToken } from '../../../../templates/runtime/contract/token-syntax.ts';
import { isJson } from '../../../../templates/runtime/contract/media-type.ts';
import { setOwn } from '../document/record.ts';
import { type ReadContext, readRecord } from '../read-context.ts';
import { type RecordNode, type SourceNode, keyOriginOf, memberOf } from '../reference/source-node.ts';

/** Keeps headers with one possible value. Others are reported, since arguments cannot set them. */
export function fixedHeaders(context: ReadContext, entry: RecordNode): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const { name, header, key } of listHeaders(context, entry)) {
    // The part's own fields set these headers ("Encoding Object": `Content-Type` "SHALL be ignored in this section").
    if (/^content-(?:type|disposition)$/i.test(name)) continue;
    const { value, isForbidden } = fixedValue(context, name, header);
    if (isForbidden) continue;
    if (isHttpToken(name) && value !== undefined) setOwn(headers, name, value);
    else reportHeader(context, name, key, header);
  }
  return Object.keys(headers).length === 0 ? undefined : headers;
}

/** The `name` that a fixed `Content-Disposition` has. */
export function nameOfPart(context: ReadContext, entry: RecordNode): string | undefined {
  const own = listHeaders(context, entry).find(({ name }) => /^content-disposition$/i.test(name));
  const { value = '' } = own === undefined ? {} : fixedValue(context, own.name, own.header);
  const [, quoted, token] = /;\s*name=(?:"([^"]*)"|([^\s;]+))/i.exec(value) ?? [];
  return quoted ?? token;
}

function listHeaders(
  context: ReadContext,
  entry: RecordNode,
): { name: string; header: RecordNode; key: SourceNode }[] {
  const written = readRecord(context, memberOf(entry, 'headers'), '`headers` of an encoding');
  return Object.keys(written?.value ?? {}).flatMap((name) => {
    if (written === undefined) return [];
    const key = memberOf(written, name);
    const header = readRecord(context, key, `The header ${name}`);
    return header === undefined ? [] : [{ name, header, key }];
  });
}

/** `schema: false` forbids the header. */
function fixedValue(
  context: ReadContext,
  name: string,
  header: RecordNode,
): { value?: string; isForbidden?: boolean } {
  const { mediaType = '', owner } = describing(context, name, header);
  const written = memberOf(owner, 'schema');
  if (written.value === false) return { isForbidden: true };
  const schema =
    written.value === true ? undefined : readRecord(context, written, `The schema of the header ${name}`);
  const { const: only, enum: choices, default: fallback } = schema?.value ?? {};
  const value: unknown = only ?? (Array.isArray(choices) && choices.length === 1 ? choices[0] : fallback);
  const text = isJson(mediaType) && value !== undefined ? JSON.stringify(value) : value;
  return isHeaderValue(text) ? { value: String(text) } : {};
}

function describing(
  context: ReadContext,
  name: string,
  header: RecordNode,
): { mediaType?: string; owner: RecordNode } {
  if (header.value.content === undefined || header.value.schema !== undefined) return { owner: header };
  const content = readRecord(context, memberOf(header, 'content'), `\`content\` of the header ${name}`);
  const [mediaType] = Object.keys(content?.value ?? {});
  if (content === undefined || mediaType === undefined) return { owner: header };
  const owner = readRecord(context, memberOf(content, mediaType), `The media type ${mediaType}`);
  return owner === undefined ? { owner: header } : { mediaType, owner };
}

function reportHeader(context: ReadContext, name: string, key: SourceNode, { value }: RecordNode): void {
  const kind = value.required === true ? 'required-part-header-left-out' : 'part-header-left-out';
  context.report(kind, { name }, { at: keyOriginOf(key) });
}

function isHeaderValue(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return /^[\t\u0020-\u007e]*$/.test(value);
  return typeof value === 'number' || typeof value === 'boolean';
}
