/** What the one who runs a server can mend, who reads stderr: told once, when it serves. Loaded only where there may be something. */
import { dirname } from 'node:path';
import type { ServerInstance } from '../core/server-instance.ts';
import type { Settings } from './settings.ts';

type Tell = (words: string) => void;

/** Over stdio only a folder of files that is the whole file system weakens anything: else nothing is loaded. */
export async function tellWeakened(settings: Settings, tell: Tell): Promise<void> {
  const { http, filesRoot, logLevel } = settings;
  const isRoot = filesRoot !== undefined && dirname(filesRoot) === filesRoot;
  if (http === undefined && !isRoot) return;
  const [{ weakened }, { isWanted }] = await Promise.all([
    import('./weakened.ts'),
    import('../core/log-level.ts'),
  ]);
  if (!isWanted('warning', logLevel)) return;
  for (const words of weakened(settings)) tell(`warning: ${words}`);
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
  const [{ missing }, { isWanted }] = await Promise.all([
    import('./api-settings.ts'),
    import('../core/log-level.ts'),
  ]);
  if (!isWanted('warning', logLevel)) return;
  const isSelected = include.length + exclude.length > 0;
  const listed = isSelected ? new Set(server.catalog.items('tools').map(({ name }) => name)) : undefined;
  for (const words of missing(server, bindings, (name) => listed?.has(name) ?? true))
    tell(`warning: ${words}`);
}
