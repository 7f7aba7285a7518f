/** The files of the runtime that a project gets, and the manifest that lists their hashes. */
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import type { FeatureEntry } from '../../templates/runtime/features.ts';
import { type RuntimeFile, readRuntime } from './assets.ts';
import { type GeneratedFile, isSafePath } from './generated-file.ts';
import { omitUndefined } from '../util/collections.ts';
import { hashContents, hashEntry } from './hash.ts';

/** The first line of each file of the runtime, byte for byte. */
export const RUNTIME_HEADER =
  "// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.";

/** Emits the runtime's source and build; of features, only modules that `entries` reach. */
export function emitRuntime(entries: readonly FeatureEntry[]): GeneratedFile[] {
  const modules = new Set(entries.map(({ module }) => module));
  const isModuleNeeded = ({ entries: needing }: RuntimeFile): boolean =>
    needing?.some((entry) => modules.has(entry)) ?? true;
  const { sources, built } = readRuntime();
  const loaders = new Set<string>(entries.map(({ loader }) => loader));
  const cutUnusedRegions = (file: RuntimeFile): RuntimeFile => {
    const contents = withoutRegions(file.contents, loaders);
    return contents === file.contents ? file : { path: file.path, contents };
  };
  return [
    ...toGeneratedFiles('src/runtime', sources.filter(isModuleNeeded).map(cutUnusedRegions), 'generated'),
    ...toGeneratedFiles('dist/runtime', built.filter(isModuleNeeded), 'built'),
  ];
}

const REGION = /^ *\/\/ #region ([\w ]+)\n[^]*?^ *\/\/ #endregion\n\n?/gm;

/**
 * Types between `// #region ask functions` and `// #endregion` are for projects with one of these features. Other projects may
 * lack the modules that they are imported from.
 */
export function withoutRegions(text: string, loaders: ReadonlySet<string>): string {
  if (!text.includes('// #region ')) return text;
  return text.replace(REGION, (region, names: string) =>
    names.split(' ').some((name) => loaders.has(name)) ? region : '',
  );
}

export function toGeneratedFiles(
  folder: string,
  files: RuntimeFile[],
  ownership: 'generated' | 'built',
): GeneratedFile[] {
  return files.map(({ path, contents, hash }) => ({
    path: `${folder}/${path}`,
    contents,
    ownership,
    ...omitUndefined({ hash }),
  }));
}

const FOLDER = 'src/runtime/';

export const manifestPath = `${FOLDER}manifest.json`;

/** Entries by path from the project's folder: hashes of the file's bytes, and of its tokens. */
type Entries = Record<string, string>;

/** Adds the manifest of the runtime's files. The lock has its digest instead of their hashes. */
export function addManifest(files: readonly GeneratedFile[]): GeneratedFile[] {
  const listed = files.filter(({ path, ownership }) => ownership === 'generated' && isInManifest(path));
  const last = listed.at(-1);
  if (last === undefined) return [...files];
  const lines = listed.map(({ path, contents, hash }) => {
    const hashes = (hash ?? hashEntry(path, contents)).replaceAll(/bytes-|tokens-/g, '').split(' ');
    return `${JSON.stringify(path.slice(FOLDER.length))}: ${JSON.stringify(hashes)}`;
  });
  const contents = `{\n  "files": {\n    ${lines.join(',\n    ')}\n  }\n}\n`;
  return files.flatMap((file) =>
    file === last ? [file, { path: manifestPath, contents, ownership: 'generated' as const }] : [file],
  );
}

/** Whether the path is listed in the manifest instead of the lock. */
export function isInManifest(path: string): boolean {
  return path.startsWith(FOLDER) && path !== manifestPath;
}

/** Reads a manifest; `undefined` if the text is none. Paths that lead out of the folder are left out. */
export function parseManifest(text: string): { entries: Entries; digest: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || !isRecord(value['files'])) return undefined;
    const { files } = value;
    const entries = Object.entries(files).flatMap(([path, hashes]): [string, string][] =>
      isSafePath(path)
        ? [
            [
              `${FOLDER}${path}`,
              Array.isArray(hashes) ? `bytes-${String(hashes[0])} tokens-${String(hashes[1])}` : '',
            ],
          ]
        : [],
    );
    return { entries: Object.fromEntries(entries), digest: hashContents(JSON.stringify(files)) };
  } catch {
    return undefined;
  }
}
