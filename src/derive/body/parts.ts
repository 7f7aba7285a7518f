/** The parts of a multipart body. Each is bytes, another value, or either where the document leaves it open. */
import type { EncodingBinding, PartBinding, PartsBinding } from '../../model/bindings.ts';
import { mediaTypeEssence, isMediaRange } from '../../util/http-syntax.ts';
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import { asSchemaObject, isSchemaObject } from '../../model/schema-walk.ts';
import type { MediaType } from '../../model/source-model.ts';
import { omitUndefined } from '../../util/collections.ts';
import { type SchemaView, resolveLoneReference } from '../schema/schema-view.ts';
import { htmlToPlainLine } from '../text/plain-text.ts';
import {
  type PartRules,
  bytesSchema,
  readContentEncoding,
  readContentKeyword,
  mayBeBytes,
  reachesBytesSchema,
} from './bytes-schema.ts';
import { type PartPath, type XmlSource, bindXmlParts } from './xml-binding.ts';
import { isXmlType } from './xml-names.ts';

type PartsRules = Pick<MediaType, 'encoding' | 'prefixEncoding' | 'itemEncoding' | 'untypedParts'> &
  Partial<Pick<MediaType, 'kind'>>;

export function findPartRules(media: PartsRules, name: string): PartRules {
  const { encoding } = media;
  return makePartRules(
    encoding !== undefined && Object.hasOwn(encoding, name) ? encoding[name] : undefined,
    media,
  );
}

function makePartRules(
  encoding: EncodingBinding | undefined,
  { kind, untypedParts: untyped }: PartsRules,
): PartRules {
  const isDecoded = kind === 'multipart' && untyped === undefined;
  return {
    ...omitUndefined({ contentType: encoding?.contentType, untyped }),
    ...(isDecoded && { isDecoded }),
  };
}

export function isMultipartType(contentType: string | undefined): boolean {
  return contentType !== undefined && mediaTypeEssence(contentType).startsWith('multipart/');
}

export function bindPart(schema: JsonSchema, rules: PartRules, view: SchemaView): PartBinding {
  // The part is multipart itself, so its own parts are bound instead.
  if (isMultipartType(rules.contentType)) return {};
  return { ...bindPartValue(schema, rules, view), ...bindPartType(schema, rules, view) };
}

/** OpenAPI 3.1, "Encoding Object": `contentMediaType` is the part's type unless its encoding says another. */
function bindPartType(schema: JsonSchema, { contentType }: PartRules, view: SchemaView): PartBinding {
  if (contentType !== undefined) return {};
  const part = readFromSchemaOrItems(
    schema,
    (one) => readContentKeyword(one, 'contentMediaType', view),
    view,
  );
  return part === undefined || isMediaRange(part) || !part.includes('/') ? {} : { contentType: part };
}

function bindPartValue(schema: JsonSchema, rules: PartRules, view: SchemaView): PartBinding {
  // A part that is required and described nowhere accepts anything (`true`); that does not mean bytes.
  if (schema !== true && bytesSchema(schema, rules, view) !== undefined) return { binary: true };
  if (mayBeBytes(schema, rules, view) || hasSeveralTypes(rules)) return { mayBeFile: true };
  const readEncoding = (one: JsonSchema): string | undefined => readContentEncoding(one, view);
  const contentEncoding =
    rules.untyped === undefined ? undefined : readFromSchemaOrItems(schema, readEncoding, view);
  return contentEncoding === undefined ? {} : { contentEncoding };
}

/** A `data:` URI selects one of several content types. */
export function hasSeveralTypes({ contentType = '' }: PartRules): boolean {
  return contentType.includes(',');
}

/** An item of a list is one part. A nested list is sent as JSON. */
function bindListItem(schema: JsonSchema, rules: PartRules, view: SchemaView): PartBinding {
  const target = resolveLoneReference(schema, view);
  return isSchemaObject(target) && [target.type].flat().includes('array')
    ? {}
    : bindPart(schema, rules, view);
}

/** Reads from the items where the schema is an array. */
function readFromSchemaOrItems(
  schema: JsonSchema,
  read: (one: JsonSchema) => string | undefined,
  view: SchemaView,
): string | undefined {
  const target = resolveLoneReference(schema, view);
  const items = isSchemaObject(target) ? target.items : undefined;
  return read(schema) ?? read(items ?? true);
}

export interface WholeParts {
  parts: Map<string, PartBinding>;
  prefix: PartBinding[];
  /** The rules for parts that no schema names; absent if anything is accepted. */
  rest?: PartBinding;
  /** Whether a JSON part contains bytes, which can only be sent as text. */
  hasBytesInside: boolean;
}

/**
 * Collects the parts of all branches, since only a call's arguments decide between them. Branches that disagree about
 * a part let it be either.
 */
export function collectBodyParts(media: PartsRules, schema: JsonSchema, view: SchemaView): WholeParts {
  const parts: WholeParts = {
    parts: new Map(),
    prefix: listPrefixParts(media, schema, view),
    hasBytesInside: false,
  };
  for (const branch of listBranches(schema, view)) {
    for (const [name, property] of Object.entries(branch.properties ?? {})) {
      const rules = findPartRules(media, name);
      const part = bindPart(property, rules, view);
      parts.parts.set(name, joinBindings(parts.parts.get(name), part));
      parts.hasBytesInside ||=
        part.binary !== true &&
        part.mayBeFile !== true &&
        !isMultipartType(rules.contentType) &&
        reachesBytesSchema(property, view);
    }
    if (isSchemaObject(branch.additionalProperties))
      parts.rest = joinBindings(
        parts.rest,
        bindPart(branch.additionalProperties, findPartRules(media, ''), view),
      );
    const items = branch.items ?? (media.itemEncoding === undefined ? false : {});
    if (items === false || branch.properties !== undefined) continue;
    const rules = makePartRules(media.itemEncoding, media);
    parts.rest = joinBindings(parts.rest, bindListItem(asSchemaObject(items), rules, view));
  }
  return parts;
}

function listPrefixParts(media: PartsRules, schema: JsonSchema, view: SchemaView): PartBinding[] {
  const { prefixEncoding = [], itemEncoding } = media;
  const described = [...listBranches(schema, view)].map(({ prefixItems }) => prefixItems?.length ?? 0);
  return Array.from({ length: Math.max(prefixEncoding.length, ...described) }, (_, index) => {
    const item = findItemSchema(schema, index, view);
    const rules = makePartRules(prefixEncoding[index] ?? itemEncoding, media);
    return bindListItem(asSchemaObject(item ?? {}), rules, view);
  });
}

function findItemSchema(schema: JsonSchema, index: number, view: SchemaView): JsonSchema | undefined {
  for (const { prefixItems = [], items } of listBranches(schema, view)) {
    const item = index < prefixItems.length ? prefixItems[index] : items;
    if (item !== undefined) return item;
  }
  return undefined;
}

export function bindWholeParts({ parts, prefix, rest }: WholeParts): Omit<PartsBinding, keyof PartsRules> {
  return {
    ...(parts.size === 0 ? {} : { parts: Object.fromEntries(parts) }),
    ...(prefix.length === 0 ? {} : { prefixParts: prefix }),
    ...omitUndefined({ otherParts: rest }),
  };
}

/** Tells the model how to send bytes, which the schema does not show. */
export function describeBinaryParts({ parts, prefix, rest }: WholeParts, isList: boolean): string {
  if (isList) {
    const mayBeFile = [...prefix, rest].some((part) => part?.mayBeFile === true);
    return `Each item is a part of the body.${mayBeFile ? ' One that is a data: URI is sent as a file.' : ''}`;
  }
  const names = [...parts]
    .filter(([, part]) => part.binary === true)
    .map(([name]) => `\`${htmlToPlainLine(name)}\``);
  return names.length === 0
    ? 'A member that is a data: URI is sent as a file.'
    : `Bytes as base64 or as a data: URI: ${names.join(', ')}.`;
}

function joinBindings(one: PartBinding | undefined, other: PartBinding): PartBinding {
  if (one === undefined) return other;
  const isSame = (['binary', 'mayBeFile', 'contentEncoding', 'contentType'] as const).every(
    (name) => one[name] === other[name],
  );
  return isSame ? one : { mayBeFile: true };
}

const lists = ['allOf', 'anyOf', 'oneOf'] as const;

function listBranches(schema: JsonSchema, view: SchemaView): Set<Exclude<JsonSchema, boolean>> {
  const reached = new Set<Exclude<JsonSchema, boolean>>();
  const open: JsonSchema[] = [schema];
  for (const next of open) {
    const own = resolveLoneReference(next, view);
    if (!isSchemaObject(own) || reached.has(own)) continue;
    reached.add(own);
    const target = view.findTarget(own.$ref);
    if (target !== undefined) open.push(target);
    for (const keyword of lists) open.push(...(own[keyword] ?? []));
    for (const keyword of ['then', 'else'] as const) if (own[keyword] !== undefined) open.push(own[keyword]);
  }
  return reached;
}

export type Encodings = Pick<PartsBinding, 'encoding' | 'prefixEncoding' | 'itemEncoding'>;

interface Place {
  schema: JsonSchema;
  path: PartPath;
}

/** Binds Encoding Objects, with their XML bindings, also for parts inside parts. */
export function bindEncodings(media: MediaType, source: XmlSource, view: SchemaView): Encodings {
  const binder = new EncodingBinder(media, source, view);
  return binder.bindAllEncodings(media, { schema: view.rewriteSchema(media.schema), path: [] });
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

  bindAllEncodings(
    { encoding, prefixEncoding, itemEncoding }: Encodings,
    { schema, path }: Place,
  ): Encodings {
    const placeOfProperty = (name: string): Place => ({
      schema: this.#findProperty(schema, name),
      path: [...path, name],
    });
    const placeOfItem = (index: number): Place => ({
      schema: findItemSchema(schema, index, this.#view) ?? true,
      path: [...path, index],
    });
    const further = prefixEncoding?.length ?? 0;
    const bound = Object.entries(encoding ?? {}).map(([name, rule]) => [
      name,
      this.#bindEncoding(rule, placeOfProperty(name)),
    ]);
    return omitUndefined({
      encoding: encoding && (Object.fromEntries(bound) as Record<string, EncodingBinding>),
      prefixEncoding: prefixEncoding?.map((rule, index) => this.#bindEncoding(rule, placeOfItem(index))),
      itemEncoding: itemEncoding && this.#bindEncoding(itemEncoding, placeOfItem(further)),
    });
  }

  #bindEncoding(rule: EncodingBinding, place: Place): EncodingBinding {
    const { contentType = '' } = rule;
    if (isXmlType(contentType)) {
      const xml = bindXmlParts(this.#media.schema, [place.path], this.#source)[0];
      return xml === undefined ? rule : { ...rule, xml };
    }
    if (mediaTypeEssence(contentType) === 'application/x-www-form-urlencoded')
      return { ...rule, ...this.bindAllEncodings(rule, place) };
    if (!isMultipartType(contentType)) return rule;
    const { untypedParts } = this.#media;
    const rules = { ...rule, kind: 'multipart' as const, ...omitUndefined({ untypedParts }) };
    const parts = collectBodyParts(rules, place.schema, this.#view);
    return { ...rule, ...this.bindAllEncodings(rule, place), ...bindWholeParts(parts) };
  }

  #findProperty(schema: JsonSchema, name: string): JsonSchema {
    for (const { properties = {} } of listBranches(schema, this.#view)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property !== undefined) return property;
    }
    return true;
  }
}

/** Makes the argument's schema for a list of parts. Bytes and documents become strings. */
export function makePartListSchema(
  schema: JsonSchema,
  encodings: Encodings,
  untyped: PartRules['untyped'],
  view: SchemaView,
): JsonSchema {
  const target = resolveLoneReference(schema, view);
  const { prefixEncoding = [], itemEncoding } = encodings;
  if (!isSchemaObject(target) || !isOfItems(target)) return schema;
  const { prefixItems = [], items = itemEncoding && {} } = target;
  // The positions that have an encoding or a schema of their own.
  const count = Math.max(prefixEncoding.length, prefixItems.length);
  const prefix = Array.from({ length: count }, (_, index) =>
    partSchema(prefixItems[index] ?? items ?? true, prefixEncoding[index] ?? itemEncoding, untyped, view),
  );
  return {
    ...target,
    type: 'array',
    ...(count === 0 ? {} : { prefixItems: prefix }),
    ...omitUndefined({ items: items && partSchema(items, itemEncoding, untyped, view) }),
  };
}

function partSchema(
  schema: JsonSchema,
  encoding: EncodingBinding | undefined,
  untyped: PartRules['untyped'],
  view: SchemaView,
): JsonSchema {
  const { contentType = '', xml } = encoding ?? {};
  if (isMultipartType(contentType)) return makePartListSchema(schema, encoding ?? {}, untyped, view);
  const target = resolveLoneReference(schema, view);
  if (isArraySchema(target)) return schema;
  if (isXmlType(contentType) && xml === undefined) return xmlTextSchema(target);
  const rules = makePartRules(encoding, { kind: 'multipart', ...omitUndefined({ untypedParts: untyped }) });
  return bytesSchema(schema, rules, view) ?? schema;
}

function isOfItems(schema: JsonSchemaObject): boolean {
  return isArraySchema(schema) || schema.items !== undefined || schema.prefixItems !== undefined;
}

function isArraySchema(schema: JsonSchema | undefined): boolean {
  return schema !== undefined && isSchemaObject(schema) && [schema.type].flat().includes('array');
}

/** The XML document has no known root, so the caller writes all of it. */
function xmlTextSchema(schema: JsonSchema | undefined): JsonSchemaObject {
  const description = schema !== undefined && isSchemaObject(schema) ? schema.description : undefined;
  return { type: 'string', description: description ?? 'An XML document.' };
}
