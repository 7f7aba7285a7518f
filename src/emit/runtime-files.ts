import type { Runtime, RuntimeFile, RuntimePart } from './assets.ts';
import type { GeneratedFile } from './generated-file.ts';

/**
 * The runtime: its source, byte for byte, under `src/runtime/`, and ready to run under `dist/runtime/`. Of what only some
 * projects need, what goes with one of the `parts`.
 */
export function emitRuntime(
  runtime: Runtime,
  parts: Readonly<Record<RuntimePart, boolean>>,
): GeneratedFile[] {
  const isNeeded = (file: RuntimeFile): boolean =>
    file.insteadOf === undefined ? (file.parts?.some((part) => parts[part]) ?? true) : !parts[file.insteadOf];
  const [sources, built] = [runtime.sources.filter(isNeeded), runtime.built.filter(isNeeded)];
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
