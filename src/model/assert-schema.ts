import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import { ModelError } from './model-error.ts';
import { composition, eachSubschema, refName, refsIn } from './schema-walk.ts';

/** An object at the top, of properties that are objects: the official client refuses the whole list otherwise. */
export function assertObject(schema: JsonSchemaObject, what: string): void {
  if (schema.type !== 'object') throw new ModelError(`${what} is not \`type: object\` at its top`);
  refuseBoolean(directBoolean(schema), what);
}

/** Beside that without a choice there, which some models' APIs refuse. */
export function assertTop(schema: JsonSchemaObject, what: string): void {
  assertObject(schema, what);
  const composed = composition.find((keyword) => schema[keyword] !== undefined);
  if (composed !== undefined) throw new ModelError(`${what} has ${composed} at its top`);
}

/** Objects alone among `properties` at every depth, no dangling `$ref`, and no `$defs` entry that nothing reaches. */
export function assertSchema(schema: JsonSchemaObject, what: string): void {
  refuseBoolean(booleanProperty(schema), what);
  const { $defs = {}, ...top } = schema;
  const reached = new Set<string>();
  const open = [...refsIn(top)];
  for (let ref = open.pop(); ref !== undefined; ref = open.pop()) {
    if (ref === '#') continue;
    const name = refName(ref);
    const target = name !== undefined && Object.hasOwn($defs, name) ? $defs[name] : undefined;
    if (name === undefined || target === undefined)
      throw new ModelError(`${what} has the dangling $ref ${ref}`);
    if (reached.has(name)) continue;
    reached.add(name);
    open.push(...refsIn(target));
  }
  const unreached = Object.keys($defs).find((name) => !reached.has(name));
  if (unreached !== undefined)
    throw new ModelError(`${what} carries ${unreached} in $defs, which nothing reaches`);
}

function refuseBoolean(property: string | undefined, what: string): void {
  if (property !== undefined) throw new ModelError(`${what} has a boolean as the schema of ${property}`);
}

function directBoolean({ properties = {} }: JsonSchemaObject): string | undefined {
  return Object.keys(properties).find((name) => typeof properties[name] === 'boolean');
}

/** Schemas known to be free of them: tools share most of theirs. */
const free = new WeakSet<JsonSchemaObject>();

/** The name of a property whose schema is a boolean, at any depth. */
function booleanProperty(schema: JsonSchema): string | undefined {
  if (typeof schema === 'boolean' || free.has(schema)) return undefined;
  let found = directBoolean(schema);
  eachSubschema(schema, (subschema) => (found ??= booleanProperty(subschema)));
  if (found === undefined) free.add(schema);
  return found;
}
