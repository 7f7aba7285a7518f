/** The arguments of a tool that clients repeat in headers, by the schema's `x-mcp-header`. */
import { isRecord } from '../../contract/json-value.ts';
import type { JsonSchema } from '../../contract/json-schema.ts';

export interface MirroredArgument {
  /** `Mcp-Param-Region` */
  header: string;
  /** Names of properties from the arguments on. */
  path: readonly string[];
}

/** Only what is reached through `properties` alone can be annotated. */
export function mirroredArguments(schema: JsonSchema): MirroredArgument[] {
  const known = isRecord(schema) ? found.get(schema) : undefined;
  if (known !== undefined) return known;
  const mirrored = [...walk(schema, [])];
  if (isRecord(schema)) found.set(schema, mirrored);
  return mirrored;
}

const found = new WeakMap<object, MirroredArgument[]>();

function* walk(schema: unknown, path: readonly string[]): Generator<MirroredArgument> {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  if (!isRecord(properties)) return;
  for (const [name, property] of Object.entries(properties)) {
    const header = isRecord(property) ? property['x-mcp-header'] : undefined;
    if (typeof header === 'string') yield { header: `Mcp-Param-${header}`, path: [...path, name] };
    yield* walk(property, [...path, name]);
  }
}
