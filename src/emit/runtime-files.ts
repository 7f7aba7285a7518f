import type { FeatureEntry } from '../../templates/runtime/features.ts';
import { readBundledRuntime, readRuntime, type RuntimeFile } from './assets.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The first line of each file of the runtime, byte for byte. */
export const RUNTIME_HEADER =
  "// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.";

/**
 * The runtime: its source, byte for byte, under `src/runtime/`, and ready to run under `dist/runtime/`. Of its features,
 * what these modules lead to.
 */
export function emitRuntime(
  entries: readonly FeatureEntry[],
  form: 'vendored' | 'bundled' = 'vendored',
): GeneratedFile[] {
  const modules = new Set(entries.map(({ module }) => module));
  const isNeeded = (file: RuntimeFile): boolean => file.entries?.some((entry) => modules.has(entry)) ?? true;
  if (form === 'bundled') return emitBundled(entries, isNeeded);
  const { sources, built } = readRuntime();
  return [
    ...under('src/runtime', sources.filter(isNeeded), 'generated'),
    ...under('dist/runtime', built.filter(isNeeded), 'built'),
  ];
}

/** The modules run as they are, and those of TypeScript only pass on what `start.js` exports. */
function emitBundled(
  entries: readonly FeatureEntry[],
  isNeeded: (file: RuntimeFile) => boolean,
): GeneratedFile[] {
  const { files, loaders } = readBundledRuntime();
  const lines = entries.map((entry) => loaders[entry.loader] ?? '').join(',\n');
  const sources = files.filter(isNeeded).map((file) => {
    if (file.path !== 'start.js') return file;
    // The hash is of the text without these lines.
    return { path: file.path, contents: file.contents.replace('/* loaders */', () => lines) };
  });
  const built = sources
    .filter(({ path }) => !path.endsWith('.d.ts'))
    .map(({ path, contents }) => ({
      path: path.replace(/\.ts$/, '.js'),
      contents: path === 'definition.ts' ? contents.replace(/export .*/, 'export {};') : contents,
    }));
  return [...under('src/runtime', sources, 'generated'), ...under('dist/runtime', built, 'built')];
}

function under(folder: string, files: RuntimeFile[], ownership: 'generated' | 'built'): GeneratedFile[] {
  return files.map(({ path, contents, hash }) => ({
    path: `${folder}/${path}`,
    contents,
    ownership,
    ...(hash === undefined ? {} : { hash }),
  }));
}
