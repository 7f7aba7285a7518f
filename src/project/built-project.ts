/** Reads the folder of an emitted project, for clients that start its server. */
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readJsonObject } from '../util/read-file.ts';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import type { SurfaceName } from '../model/listed-items.ts';
import { readProject } from './existing-project.ts';

export interface BuiltProject {
  /** The folder as the user gave it. */
  dir: string;
  /** Absolute, links resolved. */
  root: string;
  /** The server's own name: its command in `package.json`. */
  name: string;
  /** The package, with its version. */
  packageSpec: string;
  /** The file that starts the server. */
  program: string;
  isBuilt: boolean;
  tools: readonly string[];
  surface: SurfaceName;
  /** Whether the project has the tools that search others. */
  hasSearch: boolean;
}

/** Reads the project; `undefined` if the folder has none. */
export async function readBuiltProject(dir: string, cwd: string): Promise<BuiltProject | undefined> {
  const folder = resolve(cwd, dir);
  if (!existsSync(join(folder, 'mcpgen.lock'))) return undefined;
  const root = realpathSync(folder);
  const { lock } = await readProject(root);
  const manifest = readJsonObject(join(root, 'package.json')) ?? {};
  const { tools } = readJsonObject(join(root, 'src/generated/catalog.json')) ?? {};
  const [command] = isRecord(manifest['bin']) ? Object.keys(manifest['bin']) : [];
  const packageName = nonEmptyText(manifest['name']) ?? nonEmptyText(lock?.package?.['name']) ?? 'server';
  const program = join(root, 'dist', 'main.js');
  return {
    dir,
    root,
    name: command ?? packageName.replace(/^@[^/]*\//, ''),
    packageSpec: `${packageName}@${nonEmptyText(manifest['version']) ?? 'latest'}`,
    program,
    isBuilt: existsSync(program),
    tools: Array.isArray(tools)
      ? tools
          .map((tool: unknown) => isRecord(tool) && tool['name'])
          .filter((name) => typeof name === 'string')
      : [],
    surface: lock?.surface ?? 'tools',
    hasSearch: existsSync(join(root, 'src/generated/search.json')),
  };
}

/** The projects in folders of `dir`, which is none itself. */
export function listProjectsBelow(dir: string, cwd: string): string[] {
  const folder = resolve(cwd, dir);
  const names = existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder).sort() : [];
  return names.filter((name) => existsSync(join(folder, name, 'mcpgen.lock'))).map((name) => join(dir, name));
}

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
