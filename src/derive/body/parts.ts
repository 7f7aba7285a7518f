/** The parts of a multipart body. Each is bytes, another value, or either where the document leaves it open. */
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import type { EncodingBinding, PartBinding, PartsBinding } from '../../model/bindings.ts';
import { mediaTypeEssence, isMediaRange } from '../../util/http-syntax.ts';
import type { JsonSchema } from '../../util/json-schema.ts';
import {
  OTHER_MEMBERS,
  PARTS,
  collectParts,
  isSchemaObject,
  keywordsThatJudge,
  subschemasOf,
} from '../../model/schema-walk.ts';
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
import { type XmlSource, bindXmlPart } from './xml-binding.ts';
import { isXmlType } from './xml-names.ts';

type PartsRules = Pick<MediaType, 'encoding' | 'untypedParts'> & Partial<Pick<MediaType, 'kind'>>;

export function findPartRules(
  { encoding, kind, untypedParts: untyped }: PartsRules,
  name: string,
): PartRules {
  const { contentType } = ownMember(encoding, name) ?? {};
  const isDecoded = kind === 'multipart' && untyped === undefined;
  return { ...omitUndefined({ contentType, untyped }), ...(isDecoded && { isDecoded }) };
}

function isMultipartType(contentType: string | undefined): boolean {
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

/** Members of any name are parts, and so are the items of a list. */
const UNNAMED = [...OTHER_MEMBERS, ...keywordsThatJudge('item')];

export interface WholeParts {
  parts: Map<string, PartBinding>;
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
  const parts: WholeParts = { parts: new Map(), hasBytesInside: false };
  for (const branch of collectParts(schema, PARTS, view)) {
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
    for (const other of subschemasOf(branch, UNNAMED))
      if (isSchemaObject(other))
        parts.rest = joinBindings(parts.rest, bindPart(other, findPartRules(media, ''), view));
  }
  return parts;
}

export function bindWholeParts({ parts, rest }: WholeParts): Omit<PartsBinding, 'encoding'> {
  return {
    ...(parts.size === 0 ? {} : { parts: Object.fromEntries(parts) }),
    ...omitUndefined({ otherParts: rest }),
  };
}

/** Tells the model how to send bytes, which the schema does not show. */
export function describeBinaryParts({ parts }: WholeParts): string {
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

/** The Encoding Objects, with the XML of parts that are documents. */
export function bindEncodings(
  { encoding = {}, schema }: MediaType,
  source: XmlSource,
): Pick<PartsBinding, 'encoding'> {
  const bound = Object.entries(encoding).map(([name, rule]): [string, EncodingBinding] => [
    name,
    isXmlType(rule.contentType ?? '') ? { ...rule, xml: bindXmlPart(schema, name, source) } : rule,
  ]);
  return bound.length === 0 ? {} : { encoding: Object.fromEntries(bound) };
}
