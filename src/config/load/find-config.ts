/** Finds the configuration of a folder: the one that the lock of its project names, else the one in it. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { splitConflict } from '../../util/conflict-markers.ts';
import { tryParseJson } from '../../util/try-parse-json.ts';
import { CONFIG_FILES, isConfigFile } from '../options/project-config.ts';

export interface FoundConfig {
  /** Folder of the configuration, from the working folder. */
  dir: string;
  /** File names; several are a fault. */
  names: readonly string[];
  /** The project whose lock names the configuration, and its server, if there are several. */
  project?: string;
  server?: string;
}

/** `path` is a configuration, or the folder of a project or a configuration. */
export function findConfig(path: string, cwd: string): FoundConfig {
  if (isConfigFile(path)) return { dir: dirname(path), names: [basename(path)] };
  const locked = readLockedConfig(resolve(cwd, path));
  const file = locked && join(path, locked.configuration);
  if (file !== undefined && existsSync(resolve(cwd, file)))
    return { dir: dirname(file), names: [basename(file)], project: path, ...locked };
  return { dir: path, names: CONFIG_FILES.filter((name) => existsSync(resolve(cwd, path, name))) };
}

function readLockedConfig(project: string): { configuration: string; server?: string } | undefined {
  try {
    const [text] = splitConflict(readFileSync(join(project, 'mcpgen.lock'), 'utf8'));
    const lock = tryParseJson(text);
    const { configuration, server } = isRecord(lock) ? lock : {};
    if (typeof configuration !== 'string' || !isConfigFile(configuration) || isAbsolute(configuration))
      return undefined;
    return { configuration, ...(typeof server === 'string' && { server }) };
  } catch {
    return undefined;
  }
}
