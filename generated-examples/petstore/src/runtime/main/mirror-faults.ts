/** What is wrong with a schema's `x-mcp-header`: clients drop a tool with a bad one ("Custom Headers from Tool Parameters"). */
import { isRecord } from '../contract/json-value.ts';
import { isHttpToken } from '../contract/token-syntax.ts';

const TYPES = new Set<unknown>(['string', 'integer', 'boolean']);

export function* mirrorFaults(place: string, schema: unknown): Generator<string> {
  yield* faultsIn(place, schema, true, new Set());
}

/** `isPlain`: everything on the way here is `properties`. */
function* faultsIn(place: string, value: unknown, isPlain: boolean, taken: Set<string>): Generator<string> {
  if (Array.isArray(value)) {
    for (const each of value) yield* faultsIn(place, each, false, taken);
    return;
  }
  if (!isRecord(value)) return;
  if (Object.hasOwn(value, 'x-mcp-header')) yield* headerFaults(place, value, isPlain, taken);
  const { properties, ...others } = value;
  for (const member of Object.values(isRecord(properties) ? properties : {}))
    yield* faultsIn(place, member, isPlain, taken);
  for (const [keyword, member] of Object.entries(others))
    if (!DATA.has(keyword)) yield* faultsIn(place, member, false, taken);
}

/** Keywords whose value is no schema, whatever it looks like. */
const DATA = new Set(['const', 'enum', 'default', 'examples', 'required', 'x-mcp-header']);

function* headerFaults(
  place: string,
  { 'x-mcp-header': name, type }: Record<string, unknown>,
  isPlain: boolean,
  taken: Set<string>,
): Generator<string> {
  const what = `${place}: \`x-mcp-header\` ${JSON.stringify(name)}`;
  if (typeof name !== 'string' || !isHttpToken(name)) return yield `${what} is no name of a header.`;
  if (!isPlain) yield `${what} must be on a property that is reached through \`properties\` alone.`;
  if (!TYPES.has(type)) yield `${what} must be on a property of the type string, integer or boolean.`;
  if (taken.has(name.toLowerCase())) yield `${what} is given twice.`;
  taken.add(name.toLowerCase());
}
