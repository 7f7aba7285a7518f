/** A tool's result as the revision and the tool's output schema allow it. */
import { isRecord } from '../../protocol/json-rpc.ts';
import type { RevisionFeatures } from '../../protocol/revisions.ts';
import type { Json, JsonObject } from '../../schema/json-schema.ts';
import { knownContent } from '../known-content.ts';
import type { ToolParts } from '../parts.ts';
import { without } from '../without.ts';
import type { LooseResult } from './do-tool.ts';
import { prune } from './prune.ts';
import { outputValidator } from './tool-parts.ts';

export function fitResult(result: LooseResult, tool: ToolParts, features: RevisionFeatures): object {
  const { structuredContent: value, ...rest } = result;
  const isKnown = !features.unknownMembers.toolResult.includes('structuredContent');
  const structured = isKnown ? structuredFor(value, tool, result.isError === true) : undefined;
  return {
    ...without(rest, features.unknownMembers.toolResult),
    content: result.content.map((block) => knownContent(block, features)),
    ...(structured === undefined ? {} : { structuredContent: structured }),
  };
}

/**
 * Clients refuse a result whose structure breaks the schema, and one without structure where a schema promises it.
 * So an answer that drifted from its description is pruned to what conforms; its text stays whole.
 */
function structuredFor(value: Json | undefined, tool: ToolParts, isError: boolean): JsonObject | undefined {
  const validate = outputValidator(tool);
  if (validate === undefined) return isRecord(value) ? value : undefined;
  const wanted = objectFor(value, tool);
  if (wanted !== undefined && validate(wanted).length === 0) return wanted;
  if (isError) return undefined;
  return prune(wanted ?? {}, validate);
}

/** A handler's plain value is put where a wrapping schema wants it. */
function objectFor(value: Json | undefined, { listed }: ToolParts): JsonObject | undefined {
  if (value === undefined || isRecord(value)) return value;
  const { properties = {} } = listed.outputSchema ?? {};
  return Object.hasOwn(properties, 'result') ? { result: value } : undefined;
}
