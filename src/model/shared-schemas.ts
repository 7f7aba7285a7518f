/** Named schemas that many inputs refer to, once for all of them: Microsoft Graph has 1.7 MB of them, and 270 MB in the inputs of its tools. */
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import type { JsonSchema, ObjectSchema } from '../util/json-schema.ts';
import { omitUndefined } from '../util/collections.ts';
import { reachedDefinitions } from './schema-walk.ts';
import type { ServerModel, Tool } from './server-model.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

/** Collects schemas that inputs share; undefined if there are none. */
export function collectSharedSchemas(
  inputs: readonly ObjectSchema[],
): Record<string, JsonSchema> | undefined {
  const shared = new Map<string, JsonSchema>();
  for (const $defs of new Set(inputs.map((input) => input.$defs ?? {})))
    for (const [name, schema] of Object.entries($defs)) if (!shared.has(name)) shared.set(name, schema);
  return shared.size === 0 ? undefined : Object.fromEntries(shared);
}

/** Several sources may have different schemas of one name: an input keeps its own. */
export function omitSharedDefs({ $defs = {}, ...top }: ObjectSchema, shared: Schemas = {}): ObjectSchema {
  if (Object.keys($defs).every((name) => ownMember(shared, name) === $defs[name])) return top;
  const ownDefs = Object.entries($defs).filter(([name, schema]) => ownMember(shared, name) !== schema);
  return { ...top, $defs: Object.fromEntries(ownDefs) };
}

/** Undoes `omitSharedDefs`. */
export function addSharedDefs({ $defs, ...top }: ObjectSchema, shared: Schemas): ObjectSchema {
  const reached = reachedDefinitions(top, $defs === undefined ? shared : { ...shared, ...$defs });
  return Object.keys(reached).length === 0 ? top : { ...top, $defs: reached };
}

/** Characters of named schemas that a printed model repeats. */
const MOST_REPEATED = 16 * 1024 * 1024;

/** As `mcpgen inspect --json` prints it: a model with more named schemas than `MOST_REPEATED` has each once. */
export function shareRepeatedSchemas(model: ServerModel): ServerModel {
  const { tools } = model;
  if (!areDefsLargerThan(tools, MOST_REPEATED)) return model;
  const schemas = collectSharedSchemas(tools.map(({ inputSchema }) => inputSchema));
  return {
    ...model,
    tools: tools.map((tool) => mapInputSchemas(tool, (input) => omitSharedDefs(input, schemas))),
    ...omitUndefined({ schemas }),
  };
}

/** The inverse of `shareRepeatedSchemas`: each input has what it refers to. */
export function restoreSharedSchemas(model: ServerModel): ServerModel {
  const { schemas, ...ownModel } = model;
  if (schemas === undefined) return model;
  return {
    ...ownModel,
    tools: ownModel.tools.map((tool) => mapInputSchemas(tool, (input) => addSharedDefs(input, schemas))),
  };
}

function mapInputSchemas(tool: Tool, map: (input: ObjectSchema) => ObjectSchema): Tool {
  return { ...tool, inputSchema: map(tool.inputSchema) };
}

function areDefsLargerThan(tools: readonly Tool[], limit: number): boolean {
  const sizes = new Map<JsonSchema, number>();
  const measureSchema = (schema: JsonSchema): number => {
    let size = sizes.get(schema);
    if (size === undefined) sizes.set(schema, (size = JSON.stringify(schema).length));
    return size;
  };
  let sum = 0;
  for (const { inputSchema } of tools) {
    for (const schema of Object.values(inputSchema.$defs ?? {})) sum += measureSchema(schema);
    if (sum > limit) return true;
  }
  return false;
}
