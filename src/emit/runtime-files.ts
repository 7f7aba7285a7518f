/** The files of the runtime that a project gets. */
import type { RuntimeFile } from './assets.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The first line of each file of the runtime, byte for byte. */
export const RUNTIME_HEADER =
  "// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.";

export function toGeneratedFiles(
  folder: string,
  files: RuntimeFile[],
  ownership: 'generated' | 'built',
): GeneratedFile[] {
  return files.map(({ path, contents }) => ({ path: `${folder}/${path}`, contents, ownership }));
}
