/** Loads the user's hooks and helpers: functions of a program, or of a module that the configuration names. */
import { readFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';

import { ownMember, isRecord } from '../../templates/runtime/json-rpc.ts';
import { addSharedSettings } from '../config/options/parse-config.ts';
import { isConfigFile } from '../config/options/project-config.ts';
import { type Check, type Fault, describeFault } from '../config/options/shape.ts';
import { checkHelperFunctions, checkHookFunctions, parseModuleName } from '../config/options/user-code.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { runAndRecord } from '../diagnostics/running-code.ts';
import type { Observer } from '../model/observer.ts';
import type { CodeOrigin } from '../model/origin.ts';
import type { Hooks, TemplateHelpers } from '../model/user-code.ts';

/**
 * A string is the path of a module, relative to `cwd`. Its default export is used, else its named exports; of a
 * configuration file, the member with the option's name.
 */
export interface UserCodeOptions {
  /** Called while the server is made. Default: none. */
  hooks?: Hooks | string;
  helpers?: TemplateHelpers | string;
  /** Modules of hooks and helpers are refused. Functions that a program hands over are its own. Default false. */
  noCode?: boolean;
}

export interface UserCode {
  hooks: LoadedCode<Hooks>;
  helpers: LoadedCode<TemplateHelpers>;
}

export interface LoadedCode<T> {
  functions: T;
  file: string;
  placeOf: (thrown: unknown) => CodeOrigin | undefined;
}

interface Kind<T> {
  member: 'hooks' | 'helpers';
  is: (value: unknown) => value is T;
  check: Check;
  none: T;
}

const HOOKS: Kind<Hooks> = {
  member: 'hooks',
  is: (value): value is Hooks => checkHookFunctions(value, []).length === 0,
  check: checkHookFunctions,
  none: {},
};

const HELPERS: Kind<TemplateHelpers> = {
  member: 'helpers',
  is: (value): value is TemplateHelpers => checkHelperFunctions(value, []).length === 0,
  check: checkHelperFunctions,
  none: {},
};

interface Loading {
  cwd: string;
  diagnostics: DiagnosticCollector;
  observer?: Observer | undefined;
  noCode: boolean;
}

/** Loads the user's hooks and helpers. Returns undefined, after a report, if some of them cannot be used. */
export async function loadUserCode(
  { hooks, helpers, noCode = false }: UserCodeOptions,
  context: Omit<Loading, 'noCode'>,
): Promise<UserCode | undefined> {
  const loading = { ...context, noCode };
  const loadedHooks = await loadHooksOrHelpers(hooks, HOOKS, loading);
  const loadedHelpers = await loadHooksOrHelpers(helpers, HELPERS, loading);
  return loadedHooks && loadedHelpers && { hooks: loadedHooks, helpers: loadedHelpers };
}

async function loadHooksOrHelpers<T>(
  code: T | string | undefined,
  kind: Kind<T>,
  loading: Loading,
): Promise<LoadedCode<T> | undefined> {
  const nowhere = { file: '', placeOf: () => undefined };
  if (code === undefined) return { ...nowhere, functions: kind.none };
  const { cwd, diagnostics, noCode } = loading;
  if (noCode && typeof code === 'string') {
    const file = relative(cwd, resolve(cwd, parseModuleName(code).path));
    diagnostics.report('code-refused', { file, because: `"${kind.member}" names it` });
    return undefined;
  }
  const loaded =
    typeof code === 'string' ? await readModule(kind.member, code, loading) : { ...nowhere, value: code };
  const file =
    typeof code === 'string' ? relative(cwd, resolve(cwd, parseModuleName(code).path)) : kind.member;
  if (!('problem' in loaded) && kind.is(loaded.value)) return { ...loaded, functions: loaded.value, file };
  const problem = 'problem' in loaded ? loaded.problem : formatFirstFault(kind.check(loaded.value, []));
  const at = 'problem' in loaded && 'at' in loaded ? loaded.at : undefined;
  diagnostics.report('user-code-unusable', { member: kind.member, file, problem }, { at });
  return undefined;
}

function formatFirstFault([fault]: readonly Fault[]): string {
  return fault === undefined ? '' : describeFault(fault);
}

type Found = { value: unknown } & Omit<LoadedCode<unknown>, 'functions' | 'file'>;

async function readModule(
  member: string,
  moduleName: string,
  { cwd, observer }: Loading,
): Promise<Found | { problem: string; at?: CodeOrigin }> {
  const { path, server } = parseModuleName(moduleName);
  const file = resolve(cwd, path);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) {
    observer?.file(file);
    return { problem: 'there is no such file' };
  }
  const { runModule } = await import('../config/load/run-module.ts');
  const ran = await runModule(file, text, observer);
  if ('problem' in ran) {
    const at = ran.place && { kind: 'code' as const, file: relative(resolve(cwd), file), ...ran.place };
    return { problem: `it cannot be run (${ran.problem})`, ...(at && { at }) };
  }
  const placeOf = (thrown: unknown): CodeOrigin | undefined => {
    const place = ran.placeOf(thrown);
    return place && { ...place, file: relative(resolve(cwd), place.file) };
  };
  const { default: exported, ...namedExports } = ran.exports;
  // A configuration may export a promise. It was reported when the configuration was read.
  const main: unknown = isConfigFile(path) ? await runAndRecord(basename(path), () => exported) : exported;
  const value = isConfigFile(path) ? findSetting(main, member, server) : (main ?? namedExports);
  return { value, placeOf };
}

function findSetting(config: unknown, member: string, server: string | undefined): unknown {
  if (!isRecord(config)) return undefined;
  if (server === undefined) return config[member];
  const serverConfig = isRecord(config['servers']) ? ownMember(config['servers'], server) : undefined;
  return isRecord(serverConfig) ? addSharedSettings(config, serverConfig, server)[member] : undefined;
}

export async function callHook<T>(
  hook: keyof Hooks,
  { file, placeOf }: LoadedCode<Hooks>,
  call: () => T | Promise<T>,
  diagnostics: DiagnosticCollector,
): Promise<{ returned: T } | undefined> {
  try {
    return { returned: await runAndRecord(`the hook ${hook} of ${file}`, call) };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    diagnostics.report('hook-failed', { hook, file, reason }, { at: placeOf(thrown) });
    return undefined;
  }
}
