/** `mcpgen.surface.json`: what `mcpgen preview` changes of a configuration that may be code. It is read last, but for flags. */
import type { SurfaceName } from '../../../templates/runtime/contract/json-schema.ts';
import { isRecord } from '../../../templates/runtime/contract/json-value.ts';
import { omitUndefined } from '../../util/collections.ts';
import type { ServerConfig } from './project-config.ts';
import { isUrl } from './make-config.ts';
import {
  type Check,
  type Fault,
  makeListCheck,
  makeMapCheck,
  checkMembers,
  makeObjectCheck,
  makeTextCheck,
  findUnknownMembers,
} from './shape.ts';
import { type ConfigSource, isDocument } from './sources.ts';
import { OPTIONS } from './table.ts';
import { type ToolWords, mergeToolWords } from './tool-words.ts';

export const SURFACE_FILE = 'mcpgen.surface.json';

/** The overlay that `mcpgen preview` and `lint --fix` write. */
export const OVERLAY_FILE = 'mcpgen.overlay.yaml';

/** Each member replaces that of the configuration, but `overlays` come after its own and `tools` win member by member. */
export interface SurfaceSettings {
  /** Selectors of the operations that become tools. Default: all. */
  include?: string[];
  /** Selectors of the operations that are left out. */
  exclude?: string[];
  /** Tools that are listed. */
  surface?: SurfaceName | 'auto';
  /** Features of the server, beside those that its sources need. */
  features?: string[];
  /** Paths of OpenAPI overlays, in the folder of the surface file or below it. */
  overlays?: string[];
  /** Names, texts and hints of single tools, by the name that a tool has without them. */
  tools?: Record<string, ToolWords>;
}

export interface SurfaceFile extends SurfaceSettings {
  /** Settings of single servers of a configuration with several. */
  servers?: Record<string, SurfaceSettings>;
}

const MEMBERS: Record<keyof SurfaceSettings, Check> = {
  include: OPTIONS.include.check,
  exclude: OPTIONS.exclude.check,
  surface: OPTIONS.surface.check,
  features: OPTIONS.features.check,
  overlays: makeListCheck(makeTextCheck(findOverlayPathProblem), 'must be a list of strings'),
  tools: OPTIONS.toolWords.check,
};

/** The file is read wherever mcpgen runs beside it, so it leads nowhere else. */
function findOverlayPathProblem(path: string): string | undefined {
  const isInside =
    !isUrl(path) && !/^(?:[/\\]|[A-Za-z]:|-$)/.test(path) && !path.split(/[/\\]/).includes('..');
  return isInside ? undefined : 'it must be a file in this folder or below it';
}

const servers = makeMapCheck(makeObjectCheck(MEMBERS, 'must be an object'), 'must be an object of servers');

/** @param serverNames the names of the configuration's servers; empty without several */
export function checkSurfaceFile(value: unknown, serverNames: readonly string[]): Fault[] {
  if (!isRecord(value)) return [{ path: [], problem: 'is not an object' }];
  const members: Record<string, Check> = { ...MEMBERS, servers };
  const faults = [
    ...findUnknownMembers(value, ['$schema', ...Object.keys(members)], []),
    ...checkMembers(value, members, []),
  ];
  const serverSettings = isRecord(value['servers']) ? value['servers'] : {};
  return [...faults, ...findUnknownMembers(serverSettings, serverNames, ['servers'])];
}

export function mergeSettingsForServer(
  { servers: all = {}, ...shared }: SurfaceFile,
  server?: string,
): SurfaceSettings {
  const serverSettings = server === undefined || !Object.hasOwn(all, server) ? {} : (all[server] ?? {});
  const overlays = [...(shared.overlays ?? []), ...(serverSettings.overlays ?? [])];
  const tools = mergeToolWords(shared.tools, serverSettings.tools);
  return {
    ...shared,
    ...serverSettings,
    ...(overlays.length > 0 && { overlays }),
    ...(Object.keys(tools).length > 0 && { tools }),
  };
}

/** A configuration with these settings. Those of operations are set for each document. */
export function addSurfaceSettings(config: ServerConfig, settings: SurfaceSettings): ServerConfig {
  const { include, exclude, overlays = [], tools, ...server } = settings;
  const ofDocument = omitUndefined({ include, exclude });
  const joined = { ...config, ...pickServerSettings(server) };
  if (tools !== undefined) joined.toolWords = mergeToolWords(config.toolWords, tools);
  const { sources } = config;
  if (sources === undefined) return { ...joined, ...ofDocument, ...addOverlays(config, overlays) };
  const isOnly = sources.filter(isDocument).length === 1;
  const addSettingsToSource = (source: ConfigSource): ConfigSource => {
    if (!isDocument(source)) return source;
    const listed = { ...source, overlays: source.overlays ?? config.overlays ?? [] };
    return { ...source, ...ofDocument, ...(isOnly && addOverlays(listed, overlays)) };
  };
  return { ...joined, sources: sources.map(addSettingsToSource) };
}

function pickServerSettings({ surface, features }: SurfaceSettings): SurfaceSettings {
  return omitUndefined({ surface, features });
}

function addOverlays(
  { overlays: before = [] }: Pick<ServerConfig, 'overlays'>,
  overlays: readonly string[],
): Pick<ServerConfig, 'overlays'> {
  const added = overlays.filter((overlay) => !before.includes(overlay));
  return added.length === 0 ? {} : { overlays: [...before, ...added] };
}
