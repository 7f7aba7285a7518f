// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** What results are made of: errors, content, the place for what an API said beside its answer, and texts without secrets. */
import { isRecord, ownMember, RpcError } from './json-rpc.ts';
import type { Content, Json, Outcome, ResourceContents, SchemaObject, ToolResult } from './types.ts';
import { nearest } from './validate.ts';

export function errorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

export function cancelledOutcome(): Outcome {
  return { result: errorResult('The call was cancelled.'), cause: 'cancelled' };
}

/** A refusal by the protocol reaches the client as such; anything else is a failed tool. */
export function failedOutcome(thrown: unknown): Outcome {
  const result = errorResult(describeThrown(thrown));
  return thrown instanceof RpcError
    ? { result, cause: 'refused', error: thrown }
    : { result, cause: 'handler' };
}

/** Code may throw anything. */
export function describeThrown(thrown: unknown): string {
  const unknown = 'The work failed without saying why.';
  try {
    return String(thrown instanceof Error ? thrown.message : (thrown ?? '')) || unknown;
  } catch {
    return unknown;
  }
}

export function describeUnknown(kind: string, name: string, names: Iterable<string>): string {
  const suggestion = nearest(name, names);
  return `Unknown ${kind}: ${name}${suggestion === undefined ? '' : `. Did you mean ${JSON.stringify(suggestion)}?`}`;
}

/** @throws {Error} what the protocol, or code that called, is told in place of the result */
export function resultOf({ result, error }: Outcome): Outcome['result'] {
  if (error !== undefined) throw error;
  return result;
}

/** The text of a result: what an error says. */
export function textOf(result: Outcome['result']): string {
  const { content = [] } = result as Partial<ToolResult>;
  return content
    .map(textOfBlock)
    .filter((text) => text !== '')
    .join('\n');
}

export function textOfBlock(block: Content): string {
  if (block.type === 'text') return block.text;
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : '';
}

/** Data that happens to have a `type` stays data. */
export function isContent(value: unknown): value is Content {
  if (!isRecord(value)) return false;
  const { type, text, data, mimeType, resource, uri, name } = value;
  if (type === 'text') return typeof text === 'string';
  if (type === 'image' || type === 'audio') return typeof data === 'string' && typeof mimeType === 'string';
  if (type === 'resource') return isContents(resource);
  return type === 'resource_link' && typeof uri === 'string' && typeof name === 'string';
}

export function isContents(value: unknown): value is ResourceContents {
  if (!isRecord(value) || typeof value['uri'] !== 'string') return false;
  return typeof value['text'] === 'string' || typeof value['blob'] === 'string';
}

/** The member of a structure for what an API said beside its answer: `_response`, or with a number if that is taken. */
export function responseMember(schema: SchemaObject | undefined, value: object = {}): string {
  const declared = Object.keys(schema?.properties ?? {}).findLast((name) =>
    /^_response(?:_\d+)?$/.test(name),
  );
  if (declared !== undefined) return declared;
  let name = '_response';
  for (let number = 2; Object.hasOwn(value, name); number++) name = `_response_${number}`;
  return name;
}

// Secrets.

export type Redact = (text: string) => string;
const REDACTED = '[redacted]';
/** Shorter secrets would match ordinary text. */
const SHORTEST_SECRET = 6;

/** Of longer secrets, such as tokens, no encoder escapes letters and digits. An expression for that would need more stack than there is. */
const FULLY_ESCAPED = 32;
/** Making an expression takes longer than a quick call. */
const redactors = new Map<string, Redact>();
const MAX_REDACTORS = 100;

/**
 * Replaces secrets however their characters are escaped: plain, for JSON, a URL, a form, XML or HTML, and in Base64 at each offset.
 * @throws {Error} before anything is sent, if there is no such expression
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const key = JSON.stringify(secrets);
  const compiled = redactors.get(key);
  if (compiled !== undefined) return compiled;
  const redact = compileRedactor(secrets);
  if (redactors.size >= MAX_REDACTORS) redactors.clear();
  redactors.set(key, redact);
  return redact;
}

function compileRedactor(secrets: readonly string[]): Redact {
  // Headers are sent without the blanks around a value, which an API may echo.
  const forms = [...new Set(secrets.map((secret) => secret.trim()))]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    // The longest goes first: secrets may begin alike.
    .sort((a, b) => b.length - a.length)
    .flatMap((secret) => [escapedForm(secret), ...base64Forms(secret)]);
  if (forms.length === 0) return (text) => text;
  try {
    const expression = new RegExp(forms.join('|'), 'gi');
    // The engine compiles it now.
    expression.test('');
    return (text) => text.replace(expression, REDACTED);
  } catch {
    // The engine's message would show the secret.
    throw new Error('A credential is too long to be kept out of answers and logs, so nothing was sent.');
  }
}

/** Redacts texts, numbers and names of members. */
export function redactJson(value: Json, redact: Redact): Json {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  if (!isRecord(value)) return redact(String(value)) === String(value) ? value : REDACTED;
  const members = Object.entries(value) as [string, Json][];
  return Object.fromEntries(members.map(([name, member]) => [redact(name), redactJson(member, redact)]));
}

export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]|/{}-]/g, '\\$&');
const NAMED: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** Each repetition is bounded, and the start repeats nothing, so that the expression takes linear time also over a run of backslashes. */
function escapedForm(secret: string): string {
  return Array.from(secret, (character, index) => {
    if (secret.length > FULLY_ESCAPED && /[\w.~-]/.test(character))
      return character === '.' ? '\\.' : character;
    const [backslashes, escape] = index === 0 ? ['', '\\\\'] : ['\\\\{0,4}', '\\\\{1,4}'];
    const code = character.codePointAt(0) ?? 0;
    const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
    const plain = character === ' ' ? '[ +]' : escapeRegExp(character);
    const units = character.split('').map((unit) => `${escape}u${hex(unit.charCodeAt(0), 4)}`);
    const bytes = Array.from(Buffer.from(character), (byte) => `%(?:25){0,3}${hex(byte, 2)}`);
    const entities = [`#0{0,5}${code}`, `#x0{0,5}${hex(code, 1)}`, ownMember(NAMED, character) ?? []].flat();
    const forms = [
      backslashes + plain,
      units.join(''),
      bytes.join(''),
      `&(?:amp;){0,3}(?:${entities.join('|')});`,
    ];
    return `(?:${forms.join('|')})`;
  }).join('');
}

/** Without the characters at both ends that depend on the text beside it. */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    const text = bytes.toString('base64').slice(start, end);
    const form = escapeRegExp(text)
      .replace(/\\\+/g, '(?:[+-]|%2b)')
      .replace(/\\\//g, '(?:\\\\{0,4}[/_]|%2f)');
    return text.length < SHORTEST_SECRET ? [] : [form];
  });
}
