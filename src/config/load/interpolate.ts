/**
 * Replaces `${NAME}` in the texts of a configuration by variables of the environment. Keys stay as they are, and so do `headers`:
 * the server reads their variables when it runs.
 */
import type { Json } from '../../util/json-schema.ts';
import { NO_REFERENCES, isArgumentValuePath } from '../options/tool-rules.ts';
import type { Fault, Path } from '../options/shape.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A text with variables of the environment. */
export interface FilledText {
  path: Path;
  template: string;
  filled: string;
  names: string[];
}

export interface Interpolated {
  value: unknown;
  texts: FilledText[];
  variables: Record<string, string>;
  /** Variables that are not set and have no default. Their texts stay unchanged. */
  unset: { path: Path; name: string }[];
  faults: Fault[];
}

const REFERENCE = /\$\$\{|\$\{([^}]*)\}|\$\{/g;
const VARIABLE = /^([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s;

/** As in shells, `${NAME:-default}` is the default for an empty variable, too. */
export function fillInVariables(value: unknown, env: Environment): Interpolated {
  const result: Interpolated = { value, texts: [], variables: {}, unset: [], faults: [] };
  result.value = fillVariablesInValue(value, [], env, result);
  return result;
}

/** A value that will be read as `value` again. */
export function escapeReferences(value: Json): Json {
  if (typeof value === 'string') return value.replaceAll('${', () => '$${');
  if (Array.isArray(value)) return value.map(escapeReferences);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([key, member]): [string, Json][] =>
    member === undefined ? [] : [[key, key === 'headers' ? member : escapeReferences(member)]],
  );
  return Object.fromEntries(members);
}

function fillVariablesInValue(
  value: unknown,
  path: Path,
  env: Environment,
  interpolated: Interpolated,
): unknown {
  if (typeof value === 'string') return interpolateText(value, path, env, interpolated);
  if (Array.isArray(value))
    return value.map((item, index) => fillVariablesInValue(item, [...path, index], env, interpolated));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [
    key,
    // Whether the member is the setting `headers`, rather than a server or a tool of that name.
    key === 'headers' && path.at(-1) !== 'servers' && path.at(-1) !== 'tools'
      ? member
      : fillVariablesInValue(member, [...path, key], env, interpolated),
  ]);
  return Object.fromEntries(members);
}

function interpolateText(template: string, path: Path, env: Environment, interpolated: Interpolated): string {
  const names: string[] = [];
  if (isArgumentValuePath(path) && REFERENCE.test(template)) {
    REFERENCE.lastIndex = 0;
    interpolated.faults.push({ path, problem: NO_REFERENCES });
    return template;
  }
  const filled = template.replace(REFERENCE, (reference, inner?: string) => {
    if (reference === '$${') return '${';
    const [, name, fallback] = VARIABLE.exec(inner ?? '') ?? [];
    if (name === undefined) {
      const problem = `has ${JSON.stringify(reference)}, which names no variable: write \${NAME} or \${NAME:-default}, or $\${ for the characters themselves`;
      interpolated.faults.push({ path, problem });
      return reference;
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined && fallback === undefined) {
      interpolated.unset.push({ path, name });
      return reference;
    }
    if (value === undefined || (value === '' && fallback !== undefined)) return fallback ?? '';
    interpolated.variables[name] = value;
    names.push(name);
    return value;
  });
  if (names.length > 0) interpolated.texts.push({ path, template, filled, names });
  return filled;
}
