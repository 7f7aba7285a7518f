/** Loads the hook of the user: a function of a program, or of a module that the configuration names. */
import { readFile } from 'node:fs/promises';
import { basename, relative, resolve } from 'node:path';

import { ownMember, isRecord } from '../../templates/runtime/json-rpc.ts';
import { addSharedSettings } from '../config/options/parse-config.ts';
import { isConfigFile } from '../config/options/project-config.ts';
import { describeFault } from '../config/options/shape.ts';
import { checkHookFunctions, parseModuleName } from '../config/options/user-code.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { runAndRecord } from '../diagnostics/running-code.ts';
import type { Observer } from '../model/observer.ts';
import type { CodeOrigin } from '../model/origin.ts';
import type { Hooks } from '../model/user-code.ts';

/**
 * A string is the path of a module, relative to `cwd`. Its default export is used, else its named exports; of a
 * configuration file, the member `hooks`.
 */
export interface UserCodeOptions {
  /** Called while the server is made. Default: none. */
  hooks?: Hooks | string;
  /** A module of hooks is refused. Functions that a program hands over are its own. Default false. */
  noCode?: boolean;
}

export interface LoadedHooks extends Hooks {
  file: string;
  placeOf: (thrown: unknown) => CodeOrigin | undefined;
}

interface Loading {
  cwd: string;
  diagnostics: DiagnosticCollector;
  observer?: Observer | undefined;
}

/** Returns undefined without hooks, or after a report if they cannot be used. */
export async function loadHooks(
  { hooks, noCode = false }: UserCodeOptions,
  loading: Loading,
): Promise<LoadedHooks | undefined> {
  if (hooks === undefined) return undefined;
  const { cwd, diagnostics } = loading;
  const isModule = typeof hooks === 'string';
  const file = isModule ? relative(cwd, resolve(cwd, parseModuleName(hooks).path)) : 'hooks';
  if (noCode && isModule) {
    diagnostics.report('code-refused', { file, because: '"hooks" names it' });
    return undefined;
  }
  const refuse = (problem: string, at?: CodeOrigin): undefined => {
    const parameters = {
      file: `${file}, which "hooks" names,`,
      problem,
      fix: 'Export `onModel` from the module.',
    };
    diagnostics.report('invalid-config', parameters, { at });
  };
  const loaded = isModule ? await readModule(hooks, loading) : { value: hooks, placeOf: () => undefined };
  if ('problem' in loaded) return refuse(loaded.problem, loaded.at);
  const [fault] = checkHookFunctions(loaded.value, []);
  return fault === undefined
    ? { ...(loaded.value as Hooks), file, placeOf: loaded.placeOf }
    : refuse(describeFault(fault));
}

interface LoadedValue extends Pick<LoadedHooks, 'placeOf'> {
  value: unknown;
}

async function readModule(
  moduleName: string,
  { cwd, observer }: Loading,
): Promise<LoadedValue | { problem: string; at?: CodeOrigin | undefined }> {
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
    return { problem: `it cannot be run (${ran.problem})`, at };
  }
  const placeOf = (thrown: unknown): CodeOrigin | undefined => {
    const place = ran.placeOf(thrown);
    return place && { ...place, file: relative(resolve(cwd), place.file) };
  };
  const { default: exported, ...namedExports } = ran.exports;
  if (!isConfigFile(path)) return { value: exported ?? namedExports, placeOf };
  // A configuration may export a promise. It was reported when the configuration was read.
  const config = await runAndRecord(basename(path), () => exported);
  return { value: findHooks(config, server), placeOf };
}

function findHooks(config: unknown, server: string | undefined): unknown {
  if (!isRecord(config)) return undefined;
  if (server === undefined) return config['hooks'];
  const serverConfig = isRecord(config['servers']) ? ownMember(config['servers'], server) : undefined;
  return isRecord(serverConfig) ? addSharedSettings(config, serverConfig, server)['hooks'] : undefined;
}
