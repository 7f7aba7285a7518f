import type { JsonSchemaObject, JsonType } from '../../../../templates/runtime/contract/json-schema.ts';
import { readJson } from '../../../../templates/runtime/contract/json-value.ts';

/** Parses JSON; a string needs no quotes. An integer that a double would round is a `bigint`. */
export function readValue(text: string, types: ReadonlySet<JsonType>): unknown {
  const source = stripBackticks(text);
  const digits = types.has('integer') ? /^(-?\d+)n$/.exec(source)?.[1] : undefined;
  const value = tryParseJsonExactly(digits ?? source);
  if (value === undefined) {
    const isText = source !== '' && (types.size === 0 || types.has('string'));
    return isText ? (parseSingleQuoted(source) ?? source) : undefined;
  }
  const isText = types.size === 1 && types.has('string') && typeof value !== 'string' && value !== null;
  return isText ? source : value;
}

const NAME = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]*`;

const EXPRESSION = new RegExp(
  String.raw`^(?:(?:new|await)\s+)?${NAME}(?:\??\.${NAME}|(?:\?\.)?[([].*[)\]])+$`,
  'u',
);

/** TSDoc writes defaults as code. A value in the schema's enum is no code. */
export function isCode(text: string, { enum: values = [], const: only }: JsonSchemaObject): boolean {
  const source = stripBackticks(text);
  if (tryParseJsonExactly(source) !== undefined || parseSingleQuoted(source) !== undefined) return false;
  if (only === source || values.includes(source)) return false;
  return source !== text || source === 'undefined' || EXPRESSION.test(source);
}

function stripBackticks(text: string): string {
  return /^`(.+)`$/.exec(text)?.[1] ?? text;
}

function parseSingleQuoted(source: string): string | undefined {
  return /^'([^']*)'$/.exec(source)?.[1];
}

export function tryParseJsonExactly(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}
