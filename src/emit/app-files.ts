import type { EmitOptions } from './emit-options.ts';
import type { GeneratedFile } from './generated-file.ts';

/** The user's own code, as it stands under `src/app/` and runs under `dist/app/`; of linked code the latter alone. */
export function emitApp({ app, link = false }: Pick<EmitOptions, 'app' | 'link'>): GeneratedFile[] {
  return (app?.files ?? []).flatMap(({ path, contents, built }): GeneratedFile[] => [
    ...(link ? [] : [{ path, contents, ownership: 'generated' as const }]),
    ...(built === undefined ? [] : [{ ...built, ownership: 'built' as const }]),
  ]);
}
