import type { Flags } from '../config/options/option-types.ts';
import { resolve } from 'node:path';
import { parseNameList, type Permissions } from '../config/options/permissions.ts';
import { pickOptions } from '../config/options/rows.ts';
import { quoteShellWord } from '../diagnostics/quoting.ts';
import { removeSecretPartsOfUrl } from '../model/without-credentials.ts';
import type { CompileOptions, GenerateOptions } from '../api/options.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { Observer } from '../model/observer.ts';
import { readRouteMap } from '../config/load/read-route-map.ts';
import type { ConfigRun } from '../config/load/read-config.ts';
import type { SendingConsent } from '../project/check-sending.ts';
import type { Host } from './host.ts';
import { omitUndefined } from '../util/collections.ts';

export type CommandOptions = CompileOptions & { cwd: string; routeMapFile?: string };

/** Converts flags to options of the programmatic API. `undefined` if the route map cannot be used. */
export async function makeCompileOptions(
  source: string,
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
  observer?: Observer,
): Promise<CommandOptions | undefined> {
  const { routeMap: file, ...documentOptions } = pickOptions(flags, 'document', 'server');
  if (file !== undefined) observer?.file(resolve(host.cwd, file));
  const routeMap = file === undefined ? undefined : await readRouteMap(file, host.cwd, diagnostics);
  if (diagnostics.hasErrors) return undefined;
  return {
    ...pickRunOptions(host, flags),
    source,
    ...documentOptions,
    ...omitUndefined({ observer, routeMap, routeMapFile: file }),
  };
}

export function makeFunctionOptions(
  files: string[],
  flags: Flags,
  host: Host,
): CompileOptions & { cwd: string } {
  const [first = '', ...others] = files;
  return {
    ...pickRunOptions(host, flags),
    // The shell may have expanded a glob.
    source: others.length === 0 ? first : `${first} and ${others.length} more`,
    typescript: { files, ...omitUndefined({ tsconfig: flags.tsconfig }) },
    ...pickOptions(flags, 'server'),
  };
}

export function pickWriteOptions(
  flags: Flags,
): Omit<GenerateOptions, keyof CompileOptions> & { dir?: string } {
  const { output, features, ...projectOptions } = pickOptions(flags, 'project', 'run');
  return { ...projectOptions, ...omitUndefined({ dir: output, addFeatures: features }) };
}

export function pickRunOptions(
  { cwd, env, readStdin, signal }: Host,
  flags: Flags,
): Pick<CompileOptions, 'stdin' | 'signal' | 'noCode'> & { cwd: string } {
  return { cwd, stdin: readStdin, signal, noCode: isCodeRefused(flags, env) };
}

export function readPermissions(flags: Flags, host: Host): Permissions {
  const { env } = host;
  return {
    noCode: isCodeRefused(flags, env),
    allowEnv: [...(flags.allowEnv ?? []), ...parseNameList(env['MCPGEN_ALLOW_ENV'])],
    allowOutput: flags.allowOutput ?? [],
    command: printCommandLine(host),
  };
}

export function readSendingConsent(flags: Flags, host: Host): SendingConsent {
  return { ...readPermissions(flags, host), baseUrl: flags.baseUrl };
}

export function makeConfigRun(
  flags: Flags,
  host: Host,
  diagnostics: DiagnosticCollector,
  observer?: Observer,
): ConfigRun {
  const { cwd, env } = host;
  return { ...readPermissions(flags, host), cwd, env, diagnostics, server: flags.server, observer };
}

export function isCodeRefused({ noCode = false }: Flags, env: Host['env']): boolean {
  return noCode || /^(?:1|true)$/i.test(env['MCPGEN_NO_CODE'] ?? '');
}

/** The command line, for messages that show how to run it again. Passwords and queries of URLs are left out. */
export function printCommandLine({ args }: Host): string {
  const hideUrlSecrets = (arg: string): string =>
    arg.replace(/[a-z][a-z0-9+.-]*:\/\/[^]*/i, removeSecretPartsOfUrl);
  return ['mcpgen', ...args.map((arg) => quoteShellWord(hideUrlSecrets(arg)))].join(' ');
}
