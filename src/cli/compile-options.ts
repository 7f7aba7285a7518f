import { resolve } from 'node:path';
import { namesIn, type Permissions } from '../config/options/permissions.ts';
import { shellWord } from '../diagnostics/code-span.ts';
import { shownUrl } from '../model/without-credentials.ts';
import type { CompileOptions } from '../api/compile.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Observer } from '../model/observer.ts';
import { readRouteMap } from '../config/load/read-route-map.ts';
import type { CompileFlags, PermissionFlags } from './flags.ts';
import type { Host } from './host.ts';
import { definedMembers } from '../util/defined-members.ts';

export type CommandOptions = CompileOptions & { cwd: string; routeMapFile?: string };

/** Flags as options of the programmatic API. `undefined` when the route map cannot be used. */
export async function compileOptions(
  source: string,
  flags: CompileFlags,
  host: Host,
  diagnostics: DiagnosticCollector,
  observer?: Observer,
): Promise<CommandOptions | undefined> {
  const { name, serverVersion, baseUrl, include, exclude, maxNameLength, outputSchema, strict } = flags;
  const { overlay: overlays, allowRemoteRefs, refRoot, bodyMediaType, auth, routeMap: file } = flags;
  if (file !== undefined) observer?.file(resolve(host.cwd, file));
  const routeMap = file === undefined ? undefined : await readRouteMap(file, host.cwd, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  return {
    ...runOptions(host, flags),
    ...definedMembers({ observer }),
    source,
    ...definedMembers({
      overlays,
      name,
      serverVersion,
      baseUrl,
      include,
      exclude,
      bodyMediaType,
      routeMap,
      routeMapFile: file,
      maxNameLength,
      outputSchema,
      allowRemoteRefs,
      refRoot,
      auth,
      strict,
    }),
  };
}

/** What every run gets from the process. */
export function runOptions(
  { cwd, env, readStdin, signal }: Host,
  flags: PermissionFlags,
): Pick<CompileOptions, 'stdin' | 'signal' | 'noCode'> & { cwd: string } {
  return { cwd, stdin: readStdin, signal, ...(refusesCode(flags, env) ? { noCode: true } : {}) };
}

/** What a configuration is read with. */
export function permissions(flags: PermissionFlags, host: Host): Permissions {
  const { env } = host;
  return {
    ...(refusesCode(flags, env) ? { noCode: true } : {}),
    allowEnv: [...(flags.allowEnv ?? []), ...namesIn(env['MCPGEN_ALLOW_ENV'])],
    allowOutput: flags.allowOutput ?? [],
    command: commandLine(host),
  };
}

export function refusesCode({ code = true }: PermissionFlags, env: Host['env']): boolean {
  return !code || isOn(env['MCPGEN_NO_CODE']);
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && /^(?:1|true)$/i.test(value);
}

/** The command line, for messages that say how to run it again. A URL shows neither password nor query. */
export function commandLine({ args }: Host): string {
  const shown = (arg: string): string => arg.replace(/[a-z][a-z0-9+.-]*:\/\/[^]*/i, shownUrl);
  return ['mcpgen', ...args.map((arg) => shellWord(shown(arg)))].join(' ');
}
