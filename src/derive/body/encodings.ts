/** Binds Encoding Objects: with XML bindings, and for parts inside parts. */
import type { EncodingBinding, PartsBinding } from '../../../templates/runtime/contract/bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../../../templates/runtime/contract/json-schema.ts';
import { essence, isXml } from '../../../templates/runtime/contract/media-type.ts';
import { isSchemaObject } from '../../model/schema-walk.ts';
import type { MediaType } from '../../model/source-model.ts';
import { bytesSchema, type PartRules } from './bytes-schema.ts';
import { bindWholeParts, branchesOf, isMultipartType, itemOf, rulesOf, wholeParts } from './parts.ts';
import { resolveAlone, type SchemaView } from '../schema/schema-view.ts';
import { bindXmlParts, type PartPath, type XmlSource } from './xml-binding.ts';
import { definedMembers } from '../../util/defined-members.ts';

export type Encodings = Pick<PartsBinding, 'encoding' | 'prefixEncoding' | 'itemEncoding'>;

interface Place {
  schema: JsonSchema;
  path: PartPath;
}

export function bindEncodings(media: MediaType, source: XmlSource, view: SchemaView): Encodings {
  const binder = new EncodingBinder(media, source, view);
  return binder.all(media, { schema: view.of(media.schema), path: [] });
}

class EncodingBinder {
  readonly #media: MediaType;
  readonly #source: XmlSource;
  readonly #view: SchemaView;

  constructor(media: MediaType, source: XmlSource, view: SchemaView) {
    this.#media = media;
    this.#source = source;
    this.#view = view;
  }

  all({ encoding, prefixEncoding, itemEncoding }: Encodings, { schema, path }: Place): Encodings {
    const named = (name: string): Place => ({ schema: this.#property(schema, name), path: [...path, name] });
    const item = (index: number): Place => ({
      schema: itemOf(schema, index, this.#view) ?? true,
      path: [...path, index],
    });
    const further = prefixEncoding?.length ?? 0;
    const bound = Object.entries(encoding ?? {}).map(([name, own]) => [name, this.#one(own, named(name))]);
    return definedMembers({
      encoding: encoding && (Object.fromEntries(bound) as Record<string, EncodingBinding>),
      prefixEncoding: prefixEncoding?.map((own, index) => this.#one(own, item(index))),
      itemEncoding: itemEncoding && this.#one(itemEncoding, item(further)),
    });
  }

  #one(own: EncodingBinding, place: Place): EncodingBinding {
    const { contentType = '' } = own;
    if (isXml(contentType)) {
      const xml = bindXmlParts(this.#media.schema, [place.path], this.#source)[0];
      return xml === undefined ? own : { ...own, xml };
    }
    if (essence(contentType) === 'application/x-www-form-urlencoded')
      return { ...own, ...this.all(own, place) };
    if (!isMultipartType(contentType)) return own;
    const { untypedParts } = this.#media;
    const rules = untypedParts === undefined ? own : { ...own, untypedParts };
    const parts = wholeParts(rules, place.schema, this.#view);
    return { ...own, ...this.all(own, place), ...bindWholeParts(parts) };
  }

  #property(schema: JsonSchema, name: string): JsonSchema {
    for (const { properties = {} } of branchesOf(schema, this.#view)) {
      const found = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (found !== undefined) return found;
    }
    return true;
  }
}

/** The argument's schema for a list of parts. Bytes and documents become strings. */
export function listSchema(
  schema: JsonSchema,
  encodings: Encodings,
  untyped: PartRules['untyped'],
  view: SchemaView,
): JsonSchema {
  const own = resolveAlone(schema, view);
  const { prefixEncoding = [], itemEncoding } = encodings;
  if (!isSchemaObject(own) || !isOfItems(own)) return schema;
  const { prefixItems = [], items = itemEncoding && {} } = own;
  // The positions that have an encoding or a schema of their own.
  const count = Math.max(prefixEncoding.length, prefixItems.length);
  const prefix = Array.from({ length: count }, (_, index) =>
    partSchema(prefixItems[index] ?? items ?? true, prefixEncoding[index] ?? itemEncoding, untyped, view),
  );
  return {
    ...own,
    type: 'array',
    ...(count === 0 ? {} : { prefixItems: prefix }),
    ...definedMembers({ items: items && partSchema(items, itemEncoding, untyped, view) }),
  };
}

function partSchema(
  schema: JsonSchema,
  encoding: EncodingBinding | undefined,
  untyped: PartRules['untyped'],
  view: SchemaView,
): JsonSchema {
  const { contentType = '', xml } = encoding ?? {};
  if (isMultipartType(contentType)) return listSchema(schema, encoding ?? {}, untyped, view);
  const own = resolveAlone(schema, view);
  if (isList(own)) return schema;
  if (isXml(contentType) && xml === undefined) return xmlText(own);
  return bytesSchema(schema, rulesOf(encoding, untyped), view) ?? schema;
}

function isOfItems(schema: JsonSchemaObject): boolean {
  return isList(schema) || schema.items !== undefined || schema.prefixItems !== undefined;
}

function isList(schema: JsonSchema | undefined): boolean {
  return schema !== undefined && isSchemaObject(schema) && [schema.type].flat().includes('array');
}

/** The XML document has no known root, so the caller writes all of it. */
function xmlText(schema: JsonSchema | undefined): JsonSchemaObject {
  const words = schema !== undefined && isSchemaObject(schema) ? schema.description : undefined;
  return { type: 'string', description: words ?? 'An XML document.' };
}
