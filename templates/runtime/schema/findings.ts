// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Failures as they are found, and the words they become. */
import type { JsonObject } from '../contract/json-schema.ts';
import { Halt, type Check, type Run } from './run.ts';
import { escapeToken } from '../contract/subschemas.ts';
import type { SchemaNode } from './schema-node.ts';

/** One way in which a value does not satisfy its schema. */
export interface SchemaError {
  /** JSON Pointer (RFC 6901) to the value at fault; `''` is the whole value. */
  instancePath: string;
  /** The keyword's place in the schema: `#/properties/limit/maximum`. */
  schemaPath: string;
  keyword: string;
  /** A sentence that a model can act upon: "`limit` must be ≤ 100 but is 500". */
  message: string;
  /** The keyword's facts: `{ limit: 100 }`, `{ missingProperty: 'id' }`. */
  params?: JsonObject;
}

/** A failure before it is put into words. */
export interface Finding {
  node: SchemaNode;
  keyword: string;
  /** Where in the value. */
  path: (string | number)[];
  /** The subject of the sentence, if that is not the value at `path`: a member that is missing or too much. */
  member?: string | number;
  /** The rest of the sentence: "must be ≤ 100 but is 500". */
  words: string;
  params?: JsonObject;
}

export type Failure = Pick<Finding, 'words' | 'params' | 'member'>;

/** Gathers findings up to a limit. */
export class Findings {
  readonly list: Finding[] = [];
  readonly #limit: number;
  readonly #whenFull: 'halt' | 'ignore';

  /** Past the limit the run is halted, or (where its outcome is still needed) further findings are dropped. */
  constructor(limit: number, whenFull: 'halt' | 'ignore') {
    this.#limit = limit;
    this.#whenFull = whenFull;
  }

  add(finding: Finding): void {
    if (this.list.length < this.#limit) this.list.push(finding);
    if (this.list.length >= this.#limit && this.#whenFull === 'halt') throw new Halt();
  }
}

/** Reports a failure if anybody listens. Always false, so that a keyword can return it. */
export function fail(run: Run, node: SchemaNode, keyword: string, failure: Failure): false {
  run.findings?.add({ node, keyword, path: [...run.path], ...failure });
  return false;
}

/** A keyword that is a test of the value alone. Words are only made when somebody listens. */
export function assertion<T>(
  node: SchemaNode,
  keyword: string,
  test: (value: T) => boolean,
  failure: (value: T) => Failure,
): Check<T> {
  return (value, run) =>
    test(value) || (run.findings !== undefined && fail(run, node, keyword, failure(value)));
}

export function toSchemaError(finding: Finding): SchemaError {
  const { node, keyword, path, params } = finding;
  return {
    instancePath: path.map((token) => `/${escapeToken(token)}`).join(''),
    schemaPath: keyword === 'false' ? node.path : `${node.path}/${escapeToken(keyword)}`,
    keyword,
    message: sentence(finding),
    ...(params === undefined ? {} : { params }),
  };
}

/** The finding as a sentence, without a full stop. */
export function sentence({ path, member, words }: Finding): string {
  return `${nameOf(member === undefined ? path : [...path, member])} ${words}`;
}

/** A place in the value as people write it: `` `filter.tags[2]` ``. */
export function nameOf(path: readonly (string | number)[]): string {
  if (path.length === 0) return 'The value';
  let name = '';
  for (const token of path) {
    if (typeof token === 'number') name += `[${token}]`;
    else if (!/^[\w$@-]+$/.test(token)) name += `[${show(token)}]`;
    else name += name === '' ? token : `.${token}`;
  }
  return `\`${name}\``;
}

const longestShown = 60;

/** A value in few words. */
export function show(value: unknown): string {
  if (Array.isArray(value))
    return value.length === 0 ? 'an empty array' : `an array of ${count(value.length, 'item')}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(clip(value)) : String(value);
  return typeof value === 'function' || typeof value === 'symbol' ? `a ${typeof value}` : text;
}

/** A value of the schema as it is to be written, when it is short. */
export function literal(value: unknown): string {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 8) return show(value);
  try {
    const text = JSON.stringify(value);
    return text.length <= 80 ? text : show(value);
  } catch {
    // Nested deeper than JSON.stringify can follow.
    return show(value);
  }
}

function clip(text: string): string {
  return text.length <= longestShown
    ? text
    : `${text.slice(0, longestShown).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** `1 item`, `3 items`. */
export function count(number: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${number} ${number === 1 ? noun : plural}`;
}

/** `"a", "b" or "c"`; long lists are cut. */
export function list(items: readonly string[], word = 'or', most = 12): string {
  if (items.length > most) return `${items.slice(0, most).join(', ')}, … (${items.length} in all)`;
  const last = items.at(-1) ?? '';
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${word} ${last}`;
}
