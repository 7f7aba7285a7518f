/**
 * Enables Node's compile cache (22.1 and later) in the user's cache folder: mcpgen never writes into its own installation, and in a
 * folder that others can write to they could place code that mcpgen would run.
 */
import { ownMember } from '../../templates/runtime/json-rpc.ts';
import { lstatSync, mkdirSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';

export interface CacheContext {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  home: string;
  /** `module.enableCompileCache`; undefined before Node 22.1. */
  enable: ((folder: string) => unknown) | undefined;
}

/** Without Node's support or a private folder, each run compiles anew. `NODE_DISABLE_COMPILE_CACHE` turns the cache off. */
export function enableCompileCache(cacheContext: CacheContext = defaultCacheContext()): void {
  const { env, enable } = cacheContext;
  if (enable === undefined || env['NODE_DISABLE_COMPILE_CACHE'] !== undefined) return;
  const folder = path.join(userCacheFolder(cacheContext), 'mcpgen', 'compile-cache');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isPrivate(folder, cacheContext.platform)) enable(folder);
  } catch {
    // A missing or read-only home folder must not fail the command.
  }
}

function defaultCacheContext(): CacheContext {
  const { enableCompileCache: enable } = module as { enableCompileCache?: (folder: string) => unknown };
  return { env: process.env, platform: process.platform, home: homedir(), enable };
}

/** The XDG base directory specification ignores a relative path. */
function userCacheFolder({ env, platform, home }: CacheContext): string {
  if (platform === 'win32') return env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local');
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches');
  const folder = env['XDG_CACHE_HOME'] ?? '';
  return path.isAbsolute(folder) ? folder : path.join(home, '.cache');
}

/** Whether nobody but this user can write to the folder. Windows keeps a user's folders private by itself. */
function isPrivate(folder: string, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return true;
  return [path.dirname(folder), folder].every((place) => {
    const stats = lstatSync(place);
    return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
  });
}

/** Flags by V8's major version: eight times the engine's default on Node 20, four times on later ones. */
const patience: Record<string, readonly string[]> = {
  // Node 20
  '11': ['--interrupt-budget=1081344'],
  // V8 12 is in Node 22.
  '12': ['--invocation-count-for-maglev=1600', '--invocation-count-for-turbofan=12000'],
  // Node 24
  '13': ['--invocation-count-for-maglev=1600', '--invocation-count-for-turbofan=12000'],
};

/**
 * Lets V8 optimise functions later, since a run ends before most of that work pays off: without the flags `mcpgen ts` on one file takes
 * 1.3 times as long, and `mcpgen openapi` on GitHub's document 1.17 times. Runs with `--watch` last longer and keep the defaults.
 */
export function tuneEngine(): void {
  for (const flag of engineFlags(process.versions.v8)) v8.setFlagsFromString(flag);
}

/** An unlisted version gets no flags: V8 prints a warning for each flag that it does not know. */
function engineFlags(version: string): readonly string[] {
  const [major = ''] = version.split('.');
  return ownMember(patience, major) ?? [];
}
