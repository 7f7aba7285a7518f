/** Reports tools that no call can satisfy. */
import { ownMember } from '../../../templates/runtime/json-rpc.ts';
import { makeSample } from '../../../templates/runtime/features/mock/sample.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { followRefs, isSchemaObject } from '../../model/schema-walk.ts';
import type { Tool } from '../../model/server-model.ts';
import { makeSchemaTest } from '../../util/check-values.ts';
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';

export function reportToolsWithoutArguments(tools: readonly Tool[], diagnostics: DiagnosticCollector): void {
  for (const { name, inputSchema, origin } of tools) {
    const { $defs = {}, required = [] } = inputSchema;
    // Without required members, a call without arguments is valid.
    if (required.length === 0 || isPlain(inputSchema, $defs) || isPossible(inputSchema, $defs)) continue;
    const { place, schema } = findImpossibleMember(inputSchema, $defs);
    // No sample is made of two patterns at once.
    if ((JSON.stringify(schema).match(/"pattern":/g) ?? []).length > 1) continue;
    diagnostics.report('no-valid-arguments', { tool: name, place }, { at: origin });
  }
}

type Definitions = Record<string, JsonSchema>;

/** Keywords that contradict no other: samples of all tools would take a fifth of GitHub's compilation. */
const PLAIN =
  /^(?:type|title|description|properties|required|items|format|default|examples?|deprecated|additionalProperties|\$defs|x-.*)$/;

function isPlain(schema: JsonSchema, $defs: Definitions, depth = 0): boolean {
  const target = followRefs(schema, $defs);
  // A schema may require itself.
  if (target === undefined || depth > 20 || !Object.keys(target).every((keyword) => PLAIN.test(keyword)))
    return false;
  const { required = [], properties = {} } = target;
  return required.every((name) => isPlain(ownMember(properties, name) ?? false, $defs, depth + 1));
}

function isPossible(schema: JsonSchema, $defs: Definitions): boolean {
  if (!isSchemaObject(schema)) return schema;
  // Patterns of documents may need the matcher that takes linear time.
  const compile = (part: JsonSchemaObject): ((value: unknown) => boolean) => makeSchemaTest(part, $defs);
  return makeSample({ ...schema, $defs }, { compile }) !== undefined;
}

/** The innermost required member that no value fits. */
function findImpossibleMember(
  schema: JsonSchema,
  $defs: Definitions,
  place = '',
): { place: string; schema: JsonSchema } {
  const { required = [], properties } = followRefs(schema, $defs) ?? {};
  const memberOf = (name: string): JsonSchema => ownMember(properties, name) ?? true;
  const name = required.find((member) => !isPossible(memberOf(member), $defs));
  if (name === undefined || place.length > LONGEST_PLACE) return { place, schema };
  return findImpossibleMember(memberOf(name), $defs, place === '' ? name : `${place}.${name}`);
}

/** A schema may require itself. */
const LONGEST_PLACE = 300;
