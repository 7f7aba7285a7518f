/** `${NAME}` in the texts of a configuration: variables of the environment. Keys are never looked at. */
import type { Json, JsonObject } from '../../../templates/runtime/contract/json-schema.ts';
import { withoutCredentials } from '../../model/without-credentials.ts';
import type { Fault, Path } from '../options/fault.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A text that variables of the environment were put into. */
export interface FilledText {
  path: Path;
  /** As the configuration has it. */
  written: string;
  filled: string;
  /** Names of the variables. */
  names: string[];
}

export interface Interpolated {
  value: unknown;
  texts: FilledText[];
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
  const found: Interpolated = { value, texts: [], variables: {}, unset: [], faults: [] };
  found.value = filled(value, [], env, found);
  return found;
}

/**
 * A value that is read as `value` again. Those of `texts` which it has at the same places come as they were written: their
 * variables may be secrets, and the file is meant to be committed.
 */
export function asWritten(value: JsonObject, texts: readonly FilledText[] = []): JsonObject {
  const byPath = new Map(texts.toReversed().map((text) => [text.path.join('/'), text]));
  return writtenMembers(value, '', byPath);
}

/** Credentials of a URL that no variable holds. */
const LITERAL_USER = /^(https?:\/\/)[^/@$]*@/i;

type TextsByPath = ReadonlyMap<string, FilledText>;

function writtenMembers(value: JsonObject, path: string, texts: TextsByPath): JsonObject {
  const members = Object.entries(value).flatMap(([key, each]): [string, Json][] =>
    each === undefined ? [] : [[key, writtenValue(each, `${path}${key}`, texts)]],
  );
  return Object.fromEntries(members);
}

function writtenValue(value: Json, path: string, texts: TextsByPath): Json {
  if (Array.isArray(value)) return value.map((each, index) => writtenValue(each, `${path}/${index}`, texts));
  if (typeof value === 'object' && value !== null) return writtenMembers(value, `${path}/`, texts);
  if (typeof value !== 'string') return value;
  const text = texts.get(path);
  // A path is written anew, since it is taken from another folder.
  if (text !== undefined && [text.filled, withoutCredentials(text.filled)].includes(value))
    return text.written.replace(LITERAL_USER, '$1');
  return value.replaceAll('${', () => '$${');
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

function filledText(written: string, path: Path, env: Environment, found: Interpolated): string {
  const names: string[] = [];
  const filled = written.replace(REFERENCE, (reference, inner?: string) => {
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
    names.push(name);
    return value;
  });
  if (names.length > 0) found.texts.push({ path, written, filled, names });
  return filled;
}
