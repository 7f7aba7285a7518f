import { readSurfaceFile, type SurfaceRun } from '../config/load/read-surface-file.ts';
import { SURFACE_FILE, mergeSettingsForServer, addSurfaceSettings } from '../config/options/surface-file.ts';
import type { ReportOptions } from '../config/options/option-types.ts';
import type { CompileOptions, GenerateOptions } from '../api/options.ts';
import { omitUndefined } from '../util/collections.ts';
import type { Host } from './host.ts';

/** Adds what `mcpgen.surface.json` of the working folder says, for a source without a configuration. Flags win. */
export async function addSurfaceFileSettings<T extends CompileOptions>(
  options: T,
  { quiet = false, json = false }: ReportOptions,
  { cwd, stderr }: Host,
  run: Omit<SurfaceRun, 'cwd'>,
): Promise<(T & Pick<GenerateOptions, 'features'>) | undefined> {
  const file = await readSurfaceFile('.', { ...run, cwd });
  if (file === undefined) return undefined;
  const settings = mergeSettingsForServer(file);
  if (Object.keys(settings).length === 0) return options;
  if (!quiet && !json) stderr.write(`  With ${SURFACE_FILE} of this folder; flags win over it.\n`);
  const { overlays, toolWords } = options;
  const { include, exclude, ...surfaceSettings } = addSurfaceSettings(
    omitUndefined({ overlays, toolWords }),
    settings,
  );
  // Functions are selected by their names alone.
  const selection = options.typescript === undefined ? omitUndefined({ include, exclude }) : {};
  const { surface, features } = surfaceSettings;
  return {
    ...selection,
    ...omitUndefined({ surface, features }),
    ...options,
    ...omitUndefined({ overlays: surfaceSettings.overlays, toolWords: surfaceSettings.toolWords }),
  };
}
