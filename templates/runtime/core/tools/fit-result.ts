// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** A tool's result as the revision and the tool's output schema allow it. */
import { isRecord } from '../../contract/json-value.ts';
import type { Limits } from '../../limits.ts';
import { type RevisionFeatures, without } from '../../protocol/revisions.ts';
import type { Json, JsonObject } from '../../contract/json-schema.ts';
import { knownContent } from '../handler-result.ts';
import type { ToolEntry } from '../server-instance.ts';
import type { ContentBlock, LooseResult } from '../../protocol/content.ts';
import { outputValidator } from './tool-entry.ts';
import { writeJson } from '../../contract/json-text.ts';
import type { SchemaError, Validator } from '../../schema/index.ts';

/**
 * A tool with an output schema must answer with structure that matches it, errors excepted ("Structured Content"), and
 * clients refuse any other result. So an answer of the API that drifted from its description is pruned to what
 * conforms, its text staying whole; where nothing is left of what the project's own code answered, or `{}` breaks the
 * schema too, the result becomes an error that keeps the text.
 *
 * @param onMismatch given for the project's own code; called with the fault
 */
export function fitResult(
  result: LooseResult,
  tool: ToolEntry,
  features: RevisionFeatures,
  { pruneRounds }: Pick<Limits, 'pruneRounds'>,
  onMismatch?: (fault: string) => void,
): object {
  const { structuredContent, isError } = result;
  const unknown = features.unknownMembers.toolResult;
  // Structure that no content repeats would be lost on clients that read text only ("Structured Content").
  const isBare = result.content.length === 0 && isRecord(structuredContent);
  const blocks: ContentBlock[] = isBare
    ? [{ type: 'text', text: writeJson(structuredContent) }]
    : result.content;
  const content = blocks.map((block) => knownContent(block, features));
  const fitted: FittedResult = { ...without(result, unknown), content };
  if (unknown.includes('structuredContent')) return fitted;
  const { value, fault } = fitStructure(structuredContent, tool, onMismatch !== undefined, pruneRounds);
  fitted.structuredContent = fault !== undefined && isError === true ? undefined : value;
  if (fault === undefined || isError === true) return fitted;
  onMismatch?.(fault);
  if (value !== undefined) return fitted;
  const words = `This is an error because the answer does not match the output schema of ${tool.listed.name}: ${fault}.`;
  return { ...fitted, content: [...content, { type: 'text', text: words }], isError: true };
}

interface FittedResult {
  content: object[];
  structuredContent?: Json | undefined;
}

/** Returns the structure that conforms, and why it is not the whole answer. */
function fitStructure(
  given: Json | undefined,
  tool: ToolEntry,
  isOwn: boolean,
  pruneRounds: number,
): { value?: JsonObject; fault?: string } {
  const validate = outputValidator(tool);
  if (validate === undefined) return isRecord(given) ? { value: given } : {};
  const isWrapped = Object.hasOwn(tool.listed.outputSchema?.properties ?? {}, 'result');
  const wrapped = given !== undefined && isWrapped ? { result: given } : undefined;
  const whole = isRecord(given) ? given : wrapped;
  if (whole === undefined && isOwn) return { fault: 'The answer is no object' };
  const [error] = validate(whole ?? {});
  if (whole !== undefined && error === undefined) return { value: whole };
  const fault = error?.message ?? 'The answer is no object';
  const value = prune(whole ?? {}, validate, pruneRounds);
  const isNothing = value === undefined || (isOwn && Object.keys(value).length === 0);
  return isNothing ? { fault } : { value, fault };
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
    // All at once: faults rarely come alone, and validation costs most.
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

/** False if there is no such property, or it is an item: an array without an item would be another answer. */
function removeProperty(root: JsonObject, path: readonly string[]): boolean {
  let parent: unknown = root;
  for (const token of path.slice(0, -1)) parent = childAt(parent, token);
  const name = path.at(-1);
  if (name === undefined || !isRecord(parent) || !Object.hasOwn(parent, name)) return false;
  return Reflect.deleteProperty(parent, name);
}

function childAt(parent: unknown, token: string): unknown {
  if (Array.isArray(parent)) return parent[Number(token)];
  return isRecord(parent) && Object.hasOwn(parent, token) ? parent[token] : undefined;
}

/** RFC 6901, section 4. */
function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
