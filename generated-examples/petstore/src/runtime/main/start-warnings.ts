/** What the one who runs a server can mend, who reads stderr: told once, when it serves. Loaded only where there may be something. */
import { dirname } from 'node:path';
import type { FeatureLoaders } from '../feature-loaders.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import type { Settings } from './settings.ts';

type Tell = (words: string) => void;

export async function tellWeakened(
  settings: Settings,
  { features }: Pick<ServerInstance, 'features'>,
  tell: Tell,
): Promise<void> {
  const words = await insecureSettings(settings, features);
  if (words.length === 0) return;
  const { isWanted } = await import('../core/log-level.ts');
  if (isWanted('warning', settings.logLevel)) for (const each of words) tell(`warning: ${each}`);
}

/** What settings take away from the protection of a server, a sentence or two for each. */
export async function insecureSettings(settings: Settings, features: FeatureLoaders): Promise<string[]> {
  const { filesRoot, http } = settings;
  return [
    ...(filesRoot !== undefined && dirname(filesRoot) === filesRoot ? [everyFile(filesRoot)] : []),
    ...((http && (await features.http?.())?.insecureHttpSettings(settings)) ?? []),
  ];
}

function everyFile(root: string): string {
  return (
    `--files is ${root}: calls may send every file that this process can read, keys and tokens among them. ` +
    'Name a folder that holds nothing else.'
  );
}

/** What keeps tools from being called can be mended by the one who runs the server, who reads stderr. */
export async function tellMissing(
  server: ServerInstance,
  { include, exclude, logLevel, mock }: Settings,
  tell: Tell,
): Promise<void> {
  if (mock) return;
  const bindings = await server.bindings();
  if (bindings.upstream === undefined && bindings.upstreams === undefined) return;
  const [ofApi, { isWanted }] = await Promise.all([
    server.features.apiSettings?.(),
    import('../core/log-level.ts'),
  ]);
  if (ofApi === undefined || !isWanted('warning', logLevel)) return;
  const isSelected = include.length + exclude.length > 0;
  const listed = isSelected ? new Set(server.catalog.items('tools').map(({ name }) => name)) : undefined;
  for (const words of ofApi.missing(server, bindings, (name) => listed?.has(name) ?? true))
    tell(`warning: ${words}`);
}
