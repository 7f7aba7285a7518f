/** What must hold of a schema that clients are shown. */
import type { JsonSchemaObject } from '../../templates/runtime/schema/json-schema.ts';
import { ModelError } from './model-error.ts';
import { refName, refsIn } from './schema-walk.ts';

/** An object at the top, no dangling `$ref`, and no `$defs` entry that nothing reaches. */
export function assertSchema(schema: JsonSchemaObject, what: string): void {
  if (schema.type !== 'object') throw new ModelError(`${what} is not \`type: object\` at its top`);
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
