import type { AppFiles } from '../model/app-files.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The user's own code, as it stands under `src/app/` and runs under `dist/app/`. */
export function emitApp(app: AppFiles | undefined): GeneratedFile[] {
  return (app?.files ?? []).flatMap(({ path, contents, built }): GeneratedFile[] => [
    { path, contents, ownership: 'generated' },
    ...(built === undefined ? [] : [{ ...built, ownership: 'built' as const }]),
  ]);
}
