/** Finds faults in files that npm, registries and clients read, which would make the server unusable. */
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { findJsonSyntaxError } from '../diagnostics/locate/json-syntax.ts';
import { packagePath } from './lock.ts';

export interface DataProblem {
  /** Continues a sentence that begins with the name of the file. */
  problem: string;
  /** Offset of the fault in the file's text. */
  offset: number;
}

const DATA: ReadonlySet<string> = new Set([packagePath, 'server.json', 'manifest.json']);

/** The README, the workflow and Node itself need these members of `package.json`. */
const NEEDED: readonly (readonly string[])[] = [
  ['name'],
  ['version'],
  ['type'],
  ['scripts', 'build'],
  ['scripts', 'test'],
];

/** Finds the fault of such a file; `undefined` if it has none, or if no program needs the file. */
export function findManifestProblem(path: string, text: string): DataProblem | undefined {
  if (!DATA.has(path)) return undefined;
  const parsed = parseJson(text);
  if ('offset' in parsed) return parsed;
  const { value } = parsed;
  if (!isRecord(value)) return { problem: 'is not a JSON object', offset: 0 };
  if (path !== packagePath) return undefined;
  const lacking = NEEDED.filter((keys) => typeof readNestedMember(value, keys) !== 'string');
  if (lacking.length > 0) {
    const names = lacking.map((keys) => `"${keys.join('.')}"`).join(', ');
    return { problem: `lacks ${names}: each is a text, and the project does not work without`, offset: 0 };
  }
  if (value['type'] === 'module') return undefined;
  return { problem: 'has another "type" than "module", and its code is modules', offset: 0 };
}

function parseJson(text: string): { value: unknown } | DataProblem {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const { problem = '', offset = 0 } = findJsonSyntaxError(text) ?? {};
    return { problem: `is not JSON: ${problem}`, offset };
  }
}

function readNestedMember(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((object, key) => (isRecord(object) ? object[key] : undefined), value);
}
