/** `${NAME}` in the texts of a configuration: variables of the environment. Keys are never looked at. */
import type { Json, JsonObject } from '../../templates/runtime/schema/json-schema.ts';
import type { Fault, Path } from './fault.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Interpolated {
  value: unknown;
  /** The variables that were put in, by name. */
  variables: Record<string, string>;
  /** Variables that are not set and have no default. Their texts stay as they are written. */
  unset: { path: Path; name: string }[];
  faults: Fault[];
}

const REFERENCE = /\$\$\{|\$\{([^}]*)\}|\$\{/g;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/** The value with every text filled in. `${NAME:-default}` takes the default too where the variable is empty, as shells do. */
export function interpolate(value: unknown, env: Environment): Interpolated {
  const found: Interpolated = { value, variables: {}, unset: [], faults: [] };
  found.value = filled(value, [], env, found);
  return found;
}

/** A value that is read as `value` again. */
export function escaped(value: JsonObject): JsonObject {
  const members = Object.entries(value).flatMap(([key, each]): [string, Json][] =>
    each === undefined ? [] : [[key, escapedValue(each)]],
  );
  return Object.fromEntries(members);
}

function escapedValue(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(escapedValue);
  return typeof value === 'object' && value !== null ? escaped(value) : value;
}

function filled(value: unknown, path: Path, env: Environment, found: Interpolated): unknown {
  if (typeof value === 'string') return filledText(value, path, env, found);
  if (Array.isArray(value)) return value.map((each, index) => filled(each, [...path, index], env, found));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, each]): [string, unknown] => [
    key,
    filled(each, [...path, key], env, found),
  ]);
  return Object.fromEntries(members);
}

function filledText(text: string, path: Path, env: Environment, found: Interpolated): string {
  return text.replace(REFERENCE, (reference, inner?: string) => {
    if (reference === '$${') return '${';
    const [, name, fallback] = VARIABLE.exec(inner ?? '') ?? [];
    if (name === undefined) {
      const problem = `has ${JSON.stringify(reference)}, which names no variable: write \${NAME} or \${NAME:-default}, or $\${ for the characters themselves`;
      found.faults.push({ path, problem });
      return reference;
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined && fallback === undefined) {
      found.unset.push({ path, name });
      return reference;
    }
    if (value === undefined || (value === '' && fallback !== undefined)) return fallback ?? '';
    found.variables[name] = value;
    return value;
  });
}
