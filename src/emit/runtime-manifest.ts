/** `src/runtime/manifest.json`: the runtime's files as they were generated. The lock holds its digest in place of each of them. */
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import { isSafePath } from './claim-paths.ts';
import type { GeneratedFile } from './generated-file.ts';
import { hashContents, hashTokens } from './hash.ts';

const FOLDER = 'src/runtime/';

export const manifestPath = `${FOLDER}manifest.json`;

/** Path, from the project's folder → hash of the file's bytes, and of its tokens. */
type Entries = Record<string, string>;

/** `files` with the manifest of those below `src/runtime/`, which stands after them. */
export function withManifest(files: readonly GeneratedFile[]): GeneratedFile[] {
  const listed = files.filter(({ path, ownership }) => ownership === 'generated' && isListed(path));
  const last = listed.at(-1);
  if (last === undefined) return [...files];
  const lines = listed.map(({ path, contents, hash }) => {
    const [bytes, tokens] = (hash ?? hashEntry(path, contents)).split(' ');
    return `${JSON.stringify(path.slice(FOLDER.length))}: ${JSON.stringify({ bytes, tokens })}`;
  });
  const contents = `{\n  "files": {\n    ${lines.join(',\n    ')}\n  }\n}\n`;
  return files.flatMap((file) =>
    file === last ? [file, { path: manifestPath, contents, ownership: 'generated' as const }] : [file],
  );
}

/** Whether the manifest lists the path, and not the lock. */
export function isListed(path: string): boolean {
  return path.startsWith(FOLDER) && path !== manifestPath;
}

export function hashEntry(path: string, contents: string): string {
  return `${hashContents(contents)} ${hashTokens(path, contents)}`;
}

/** `undefined` where the text is no manifest; what leads out of the folder is no entry. */
export function parseManifest(text: string): { entries: Entries; digest: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || !isRecord(value['files'])) return undefined;
    const { files } = value;
    const entries = Object.entries(files).flatMap(([path, hashes]): [string, string][] =>
      isSafePath(path) && isRecord(hashes) ? [[`${FOLDER}${path}`, Object.values(hashes).join(' ')]] : [],
    );
    return { entries: Object.fromEntries(entries), digest: hashContents(JSON.stringify(files)) };
  } catch {
    return undefined;
  }
}
