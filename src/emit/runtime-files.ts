import type { FeatureEntry } from '../../templates/runtime/contract/feature.ts';
import type { Runtime, RuntimeFile } from './assets.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The first line of each file of the runtime, byte for byte. */
export const RUNTIME_HEADER =
  "// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.";

/**
 * The runtime: its source, byte for byte, under `src/runtime/`, and ready to run under `dist/runtime/`. Of its features,
 * what these modules lead to.
 */
export function emitRuntime({ sources, built }: Runtime, entries: readonly FeatureEntry[]): GeneratedFile[] {
  const modules = new Set(entries.map(({ module }) => module));
  const isNeeded = (file: RuntimeFile): boolean => file.entries?.some((entry) => modules.has(entry)) ?? true;
  return [
    ...under('src/runtime', sources.filter(isNeeded), 'generated'),
    ...under('dist/runtime', built.filter(isNeeded), 'built'),
  ];
}

function under(folder: string, files: RuntimeFile[], ownership: 'generated' | 'built'): GeneratedFile[] {
  return files.map(({ path, contents, hash }) => ({
    path: `${folder}/${path}`,
    contents,
    ownership,
    ...(hash === undefined ? {} : { hash }),
  }));
}
