/** Finds faults in files that npm, registries and clients read, which would make the server unusable. */
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { tryParseJson } from '../util/try-parse-json.ts';
import { packagePath } from './lock.ts';

const DATA: ReadonlySet<string> = new Set([packagePath, 'server.json', 'manifest.json']);

/** The README, the workflow and Node itself need these members of `package.json`. */
const NEEDED: readonly (readonly string[])[] = [
  ['name'],
  ['version'],
  ['type'],
  ['scripts', 'build'],
  ['scripts', 'test'],
];

/** Finds the fault of such a file, in words that follow its name; `undefined` if it has none, or if no program needs the file. */
export async function findManifestProblem(path: string, text: string): Promise<string | undefined> {
  if (!DATA.has(path)) return undefined;
  const value = tryParseJson(text);
  if (value === undefined) {
    const { findJsonSyntaxError } = await import('../diagnostics/locate/json-syntax.ts');
    return `is not JSON: ${findJsonSyntaxError(text)?.problem ?? ''}`;
  }
  if (!isRecord(value)) return 'is not a JSON object';
  if (path !== packagePath) return undefined;
  const lacking = NEEDED.filter(
    (keys) =>
      typeof keys.reduce<unknown>((object, key) => (isRecord(object) ? object[key] : undefined), value) !==
      'string',
  );
  if (lacking.length > 0) {
    const names = lacking.map((keys) => `"${keys.join('.')}"`).join(', ');
    return `lacks ${names}: each is a text, and the project does not work without`;
  }
  return value['type'] === 'module' ? undefined : 'has another "type" than "module", and its code is modules';
}
