/** A tool's result as the revision and the tool's output schema allow it. */
import { isRecord } from '../../contract/json-value.ts';
import type { Limits } from '../../limits.ts';
import { type RevisionFeatures, without } from '../../protocol/revisions.ts';
import type { Json, JsonObject } from '../../contract/json-schema.ts';
import { knownContent } from '../handler-result.ts';
import type { ToolEntry } from '../server-instance.ts';
import type { LooseResult } from '../../protocol/content.ts';
import { outputValidator } from './tool-entry.ts';
import { writeJson } from '../../contract/json-text.ts';
import type { SchemaError, Validator } from '../../schema/index.ts';

/**
 * A tool with an output schema must answer with structure that matches it, errors excepted ("Structured Content"), and
 * clients refuse any other result. So an answer of the API that drifted from its description is pruned to what
 * conforms, its text staying whole; where nothing is left of what the project's own code answered, or `{}` breaks the
 * schema too, the result becomes an error that keeps the text.
 *
 * `onMismatch` is there for the project's own code, and hears what does not match.
 */
export function fitResult(
  result: LooseResult,
  tool: ToolEntry,
  features: RevisionFeatures,
  { pruneRounds }: Pick<Limits, 'pruneRounds'>,
  onMismatch?: (fault: string) => void,
): object {
  const unknown = features.unknownMembers.toolResult;
  const content = withText(result).map((block) => knownContent(block, features));
  const fitted = { ...without(result, unknown), content };
  if (unknown.includes('structuredContent')) return fitted;
  const { value, fault } = structureOf(result.structuredContent, tool, onMismatch !== undefined, pruneRounds);
  if (fault === undefined) return withStructure(fitted, value);
  if (result.isError === true) return withStructure(fitted, undefined);
  onMismatch?.(fault);
  if (value !== undefined) return withStructure(fitted, value);
  return {
    ...withStructure(fitted, undefined),
    content: [...content, { type: 'text', text: mismatchText(tool, fault) }],
    isError: true,
  };
}

/** Structure that no content repeats would be lost on clients that read text only ("Structured Content"). */
function withText({ content, structuredContent }: LooseResult): LooseResult['content'] {
  if (content.length > 0 || !isRecord(structuredContent)) return content;
  return [{ type: 'text', text: writeJson(structuredContent) }];
}

function withStructure(result: { structuredContent?: Json }, value: JsonObject | undefined): object {
  if (value === result.structuredContent) return result;
  return value === undefined ? without(result, STRUCTURE) : { ...result, structuredContent: value };
}

const STRUCTURE = ['structuredContent'];

interface Structure {
  /** What conforms. */
  value?: JsonObject;
  /** Why it is not the whole answer. */
  fault?: string;
}

function structureOf(
  given: Json | undefined,
  tool: ToolEntry,
  isOwn: boolean,
  pruneRounds: number,
): Structure {
  const validate = outputValidator(tool);
  if (validate === undefined) return isRecord(given) ? { value: given } : {};
  const whole = objectFor(given, tool);
  if (whole === undefined && isOwn) return { fault: 'The answer is no object' };
  const [error] = validate(whole ?? {});
  if (whole !== undefined && error === undefined) return { value: whole };
  const fault = error?.message ?? 'The answer is no object';
  const value = prune(whole ?? {}, validate, pruneRounds);
  const isNothing = value === undefined || (isOwn && Object.keys(value).length === 0);
  return isNothing ? { fault } : { value, fault };
}

/** A plain value is put where a wrapping schema wants it. */
function objectFor(value: Json | undefined, { listed }: ToolEntry): JsonObject | undefined {
  if (value === undefined) return undefined;
  if (isRecord(value)) return value;
  const { properties = {} } = listed.outputSchema ?? {};
  return Object.hasOwn(properties, 'result') ? { result: value } : undefined;
}

function mismatchText({ listed }: ToolEntry, fault: string): string {
  return `This is an error because the answer does not match the output schema of ${listed.name}: ${fault}.`;
}

/**
 * A copy of `value` that `validate` accepts: each fault costs the nearest property around it. Where that does not
 * come to an end in `rounds`, the result is `{}`, or undefined when that is refused too. Conforming siblings keep their
 * values.
 */
export function prune(value: JsonObject, validate: Validator, rounds: number): JsonObject | undefined {
  const copy = structuredClone(value);
  for (let round = 0; round < rounds; round++) {
    const errors = validate(copy);
    if (errors.length === 0) return copy;
    // All at once: several faults are the rule where one is found, and validation is the dear part.
    if (!errors.map((error) => removeFault(copy, error)).includes(true)) break;
  }
  return validate({}).length === 0 ? {} : undefined;
}

/** Whether anything could be removed. */
function removeFault(root: JsonObject, { instancePath, params }: SchemaError): boolean {
  const path = instancePath.split('/').slice(1).map(unescape);
  const extra = params?.['additionalProperty'] ?? params?.['unevaluatedProperty'] ?? params?.['propertyName'];
  if (typeof extra === 'string' && removeProperty(root, [...path, extra])) return true;
  for (let depth = path.length; depth > 0; depth--) {
    if (removeProperty(root, path.slice(0, depth))) return true;
  }
  return false;
}

/** False when the place is none, or an array's: an array less one item would be another answer. */
function removeProperty(root: JsonObject, path: readonly string[]): boolean {
  let parent: unknown = root;
  for (const token of path.slice(0, -1)) parent = memberOf(parent, token);
  const name = path.at(-1);
  if (name === undefined || !isRecord(parent) || !Object.hasOwn(parent, name)) return false;
  return Reflect.deleteProperty(parent, name);
}

function memberOf(parent: unknown, token: string): unknown {
  if (Array.isArray(parent)) return parent[Number(token)];
  return isRecord(parent) && Object.hasOwn(parent, token) ? parent[token] : undefined;
}

/** RFC 6901, section 4. */
function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
