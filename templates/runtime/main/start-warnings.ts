// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Warnings at the start of a server, for its operator, who reads stderr. */
import { dirname } from 'node:path';
import type { FeatureLoaders } from '../feature-loaders.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import type { Settings } from './settings.ts';

export async function warnOperator(
  server: ServerInstance,
  settings: Settings,
  tell: (words: string) => void,
): Promise<void> {
  const warnings = [
    ...(await insecureSettings(settings, server.features)),
    ...(await missingSettings(server, settings)),
  ];
  if (warnings.length === 0) return;
  const { isWanted } = await import('../core/log-level.ts');
  if (isWanted('warning', settings.logLevel)) for (const each of warnings) tell(`warning: ${each}`);
}

/** Warns about settings that weaken the server's protection. */
export async function insecureSettings(settings: Settings, features: FeatureLoaders): Promise<string[]> {
  const { filesRoot, http } = settings;
  const words =
    `--files is ${filesRoot}: calls may send every file that this process can read, keys and tokens among them. ` +
    'Name a folder that holds nothing else.';
  return [
    ...(filesRoot !== undefined && dirname(filesRoot) === filesRoot ? [words] : []),
    ...((http && (await features.http?.())?.insecureHttpSettings(settings)) ?? []),
  ];
}

/** Warns about settings without which tools can't be called. */
async function missingSettings(
  server: ServerInstance,
  { include, exclude, mock }: Settings,
): Promise<string[]> {
  if (mock) return [];
  const bindings = await server.bindings();
  if (bindings.upstream === undefined && bindings.upstreams === undefined) return [];
  const api = await server.features.apiSettings?.();
  const isSelected = include.length + exclude.length > 0;
  const listed = isSelected ? new Set(server.catalog.items('tools').map(({ name }) => name)) : undefined;
  return api?.missing(server, bindings, (name) => listed?.has(name) ?? true) ?? [];
}
