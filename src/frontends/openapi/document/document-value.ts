/** Nothing depends on examples, so hostile ones are dropped silently. */
import { pointerTokens, type Json } from '../../../util/json-schema.ts';
import { isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { JsonIndex } from '../../../diagnostics/locate/json-index.ts';
import type { DocumentIndex } from '../../../diagnostics/locate/text-places.ts';
import { YamlIndex } from '../../../diagnostics/locate/yaml-index.ts';
import type { LoadedDocument } from '../load/loaded-document.ts';
import type { SourceNode } from '../reference/source-node.ts';

/** Limits of YAML data with aliases, which can be huge or endless. */
const exampleLimits = {
  /** Approximate UTF-16 code units as JSON. */
  size: 32 * 1024,
  /** Defaults, constants and enum members. */
  dataSize: 1024 * 1024,
  depth: 64,
} as const;

/** Reads an example. Undefined for null, which mostly means "no example", and for a reference instead. */
export function readExampleValue(value: unknown, document: LoadedDocument): Json | undefined {
  if (value === undefined || value === null) return undefined;
  if (isRecord(value) && Object.hasOwn(value, '$ref')) return undefined;
  return isWithinSize(value, document, exampleLimits.size) ? (value as Json) : undefined;
}

export function hasBoundedSize(value: unknown, document: LoadedDocument): boolean {
  return isWithinSize(value, document, exampleLimits.dataSize);
}

function isWithinSize(value: unknown, { aliases }: LoadedDocument, size: number): boolean {
  return aliases === 0 || sizeUpTo(value, size, 0) !== undefined;
}

function sizeUpTo(value: unknown, limit: number, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null) return scalarSizeUpTo(value, limit);
  if (depth > exampleLimits.depth) return undefined;
  let size = 2;
  for (const [name, member] of Object.entries(value)) {
    const own = sizeUpTo(member, limit - size, depth + 1);
    if (own === undefined) return undefined;
    size += own + (Array.isArray(value) ? 1 : name.length + 4);
    if (size > limit) return undefined;
  }
  return size;
}

function scalarSizeUpTo(value: unknown, limit: number): number | undefined {
  const size = typeof value === 'string' ? value.length + 2 : 5;
  return size > limit ? undefined : size;
}

/** An unquoted `version: 1.10` is the number 1.1 to a parser, so numbers are looked up in the document. */
export function readAsWritten(node: SourceNode): unknown {
  const { value } = node;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' ? (findNumberText(node) ?? String(value)) : value;
}

/** Finds how a number is written; undefined if it is not found, as behind a YAML alias. */
export function findNumberText({ document, pointer, value }: SourceNode): string | undefined {
  for (const open of [jsonIndex, yamlIndex]) {
    const opened = open(document);
    if (opened === undefined) continue;
    const { start, end } = opened.index.find(pointerTokens(pointer), 'value');
    const text = opened.text.slice(start, end).trim();
    if (text !== '' && Number(text) === value) return text;
  }
  return undefined;
}

interface OpenedText {
  text: string;
  index: DocumentIndex;
}

type Open = (document: LoadedDocument) => OpenedText | undefined;

/** Opens the text of a document once and keeps the index, which takes as long as parsing. */
function cacheOpenedText(open: (text: string) => OpenedText | undefined): Open {
  const opened = new WeakMap<LoadedDocument, OpenedText | undefined>();
  return (document) => {
    if (!opened.has(document)) opened.set(document, open(document.text));
    return opened.get(document);
  };
}

const jsonIndex = cacheOpenedText((text) =>
  /^\s*\{/.test(text) ? { text, index: new JsonIndex(text) } : undefined,
);
const yamlIndex = cacheOpenedText((text) => ({ text, index: new YamlIndex(text) }));

/** JSON cannot express `.inf`, `.nan` or `1e999`, and most of its readers round integers beyond 2^53. */
export function findUnfitNumber(value: unknown): number | undefined {
  if (typeof value === 'number')
    return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value))
      ? undefined
      : value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const member of Object.values(value)) {
    const unfit = findUnfitNumber(member);
    if (unfit !== undefined) return unfit;
  }
  return undefined;
}

export function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Converts a value that was only written differently: `1` under `type: string`. */
export function convertToType(value: Json, type: string): Json | undefined {
  if (isOfType(value, type)) return undefined;
  if (type === 'string')
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : undefined;
  if (!/^-?\d+(?:\.\d+)?$/.test(value)) return undefined;
  const number = Number(value);
  return isOfType(number, type) ? number : undefined;
}
