/** What the parts of a multipart body are: bytes, other values, or either, where the document leaves it open. */
import type { PartBinding } from '../../templates/runtime/bindings.ts';
import type { JsonSchema } from '../../templates/runtime/schema/json-schema.ts';
import { isSchemaObject } from '../model/schema-walk.ts';
import type { MediaType } from '../model/source-model.ts';
import { bytesSchema, contentEncodingOf, mayBeBytes, type PartRules, reachesBytes } from './bytes-schema.ts';
import { plainLine } from './plain-text.ts';
import { resolveAlone, type SchemaView } from './schema-view.ts';

/** What a body says of the part called `name` beside the schema. */
export function partRules({ encoding, untypedParts }: MediaType, name: string): PartRules {
  const own = encoding !== undefined && Object.hasOwn(encoding, name) ? encoding[name] : undefined;
  return {
    ...(own?.contentType === undefined ? {} : { contentType: own.contentType }),
    ...(untypedParts === undefined ? {} : { untyped: untypedParts }),
  };
}

export function bindPart(schema: JsonSchema, rules: PartRules, view: SchemaView): PartBinding {
  // What is required but described nowhere accepts anything (`true`), and bytes are not what is meant by that.
  if (schema !== true && bytesSchema(schema, rules, view) !== undefined) return { binary: true };
  if (mayBeBytes(schema, rules, view)) return { mayBeFile: true };
  // Before 3.1 `format: byte` is text like any other.
  const contentEncoding = rules.untyped === undefined ? undefined : encodingOf(schema, view);
  return contentEncoding === undefined ? {} : { contentEncoding };
}

/** Of an array it is that of the items. */
function encodingOf(schema: JsonSchema, view: SchemaView): string | undefined {
  const own = resolveAlone(schema, view);
  const items = isSchemaObject(own) ? own.items : undefined;
  return contentEncodingOf(schema, view) ?? contentEncodingOf(items ?? true, view);
}

/** The parts of a body that is one argument. */
export interface WholeParts {
  parts: Map<string, PartBinding>;
  /** Of the parts that no schema names; absent when anything may stand there. */
  others?: PartBinding;
  /** Bytes stand where only text can: inside of a part that is JSON. */
  hasBytesInside: boolean;
}

/** Of every branch: which one a call means, its arguments say. What branches call differently may be either. */
export function wholeParts(media: MediaType, schema: JsonSchema, view: SchemaView): WholeParts {
  const found: WholeParts = { parts: new Map(), hasBytesInside: false };
  for (const branch of branchesOf(schema, view)) {
    for (const [name, property] of Object.entries(branch.properties ?? {})) {
      const part = bindPart(property, partRules(media, name), view);
      found.parts.set(name, common(found.parts.get(name), part));
      found.hasBytesInside ||= isPlain(part) && reachesBytes(property, view);
    }
    const { additionalProperties } = branch;
    if (isSchemaObject(additionalProperties)) {
      found.others = common(found.others, bindPart(additionalProperties, partRules(media, ''), view));
    }
  }
  return found;
}

/** For a model, which sees nothing of it in the schema. */
export function wordsOfParts({ parts }: WholeParts): string {
  const names = [...parts]
    .filter(([, part]) => part.binary === true)
    .map(([name]) => `\`${plainLine(name)}\``);
  return names.length === 0
    ? 'A member that is a data: URI is sent as a file.'
    : `Bytes as base64 or as a data: URI: ${names.join(', ')}.`;
}

function isPlain(part: PartBinding): boolean {
  return part.binary !== true && part.mayBeFile !== true;
}

function common(one: PartBinding | undefined, other: PartBinding): PartBinding {
  if (one === undefined) return other;
  const isSame = (['binary', 'mayBeFile', 'contentEncoding'] as const).every(
    (name) => one[name] === other[name],
  );
  return isSame ? one : { mayBeFile: true };
}

const lists = ['allOf', 'anyOf', 'oneOf'] as const;

/** The schema and everything it is composed of, each once. */
function branchesOf(schema: JsonSchema, view: SchemaView): Set<Exclude<JsonSchema, boolean>> {
  const found = new Set<Exclude<JsonSchema, boolean>>();
  const open: JsonSchema[] = [schema];
  for (const next of open) {
    const own = resolveAlone(next, view);
    if (!isSchemaObject(own) || found.has(own)) continue;
    found.add(own);
    const target = view.target(own.$ref);
    if (target !== undefined) open.push(target);
    for (const keyword of lists) open.push(...(own[keyword] ?? []));
    for (const keyword of ['then', 'else'] as const) if (own[keyword] !== undefined) open.push(own[keyword]);
  }
  return found;
}
