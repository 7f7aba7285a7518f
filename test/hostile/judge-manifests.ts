/** Judges the manifest for Kubernetes apart from the names that texts become. */
import { loadAll } from 'js-yaml';
import { isRecord } from '../../templates/runtime/json-rpc.ts';

const LABEL = /^[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;
/** A comment of the ConfigMap names a variable that it could set. */
const UNSET = /^ {2}# [A-Z][A-Z0-9_]*: '(?:[^']|'')*'$/;

/** The objects and comments without those names. How many variables and ports there are depends on texts. */
export function manifestIn(contents: string, wrong: string[]): unknown {
  let objects: unknown[];
  try {
    objects = loadAll(contents);
  } catch {
    wrong.push('the manifest is not YAML');
    return undefined;
  }
  const name = /^ {2}name: '(.*)'$/m.exec(contents)?.[1] ?? '';
  if (!LABEL.test(name)) wrong.push(`the objects are called ${name}`);
  const comments = contents.split('\n').filter((line) => /^\s*#/.test(line) && !UNSET.test(line));
  return {
    objects: objects.map((object) => withoutNames(object, name, wrong)),
    comments: comments.map((line) => line.replaceAll(name, '<name>').replace(/:\d+\.\d+\.\d+\S*/, ':<tag>')),
  };
}

function withoutNames(value: unknown, name: string, wrong: string[]): unknown {
  if (value === name) return '<name>';
  if (Array.isArray(value))
    return [...new Set(value.map((each) => JSON.stringify(withoutNames(each, name, wrong))))];
  if (!isRecord(value)) return value;
  const { data, image, ...rest } = value;
  for (const variable of [...Object.keys(isRecord(data) ? data : {}), ...variableNames(rest)])
    if (!VARIABLE.test(variable)) wrong.push(`a variable ${variable}`);
  if (image !== undefined && !/^[a-z][a-z0-9-]*:\d+\.\d+\.\d+[\w.-]*$/.test(String(image)))
    wrong.push(`the image ${String(image)}`);
  if ('valueFrom' in rest) {
    withoutNames(rest['valueFrom'], name, wrong);
    return 'a variable';
  }
  if (typeof rest['port'] === 'number' && rest['port'] !== 53) return 'a port';
  return Object.fromEntries(
    Object.entries(rest).map(([key, each]) => [key, withoutNames(each, name, wrong)]),
  );
}

/** Members of a variable from the Secret. */
function variableNames({ name, valueFrom, key, optional }: Record<string, unknown>): string[] {
  if (valueFrom !== undefined) return [String(name)];
  return key !== undefined || optional !== undefined ? [String(key)] : [];
}
