import type { Runtime, RuntimeFile } from './assets.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The runtime: its source, byte for byte, under `src/runtime/`, and ready to run under `dist/runtime/`. */
export function emitRuntime({ sources, built }: Runtime): GeneratedFile[] {
  return [...under('src/runtime', sources, 'generated'), ...under('dist/runtime', built, 'built')];
}

function under(folder: string, files: RuntimeFile[], ownership: 'generated' | 'built'): GeneratedFile[] {
  return files.map(({ path, contents }) => ({ path: `${folder}/${path}`, contents, ownership }));
}
