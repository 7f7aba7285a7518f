/** What a configuration names as sources, as options have it: with paths from the working folder, and rules that were read. */
import { resolve } from 'node:path';
import type { ProjectRun } from '../config/load/read-config.ts';
import { mapPaths } from '../config/options/make-config.ts';
import { mapOptionPaths } from '../config/options/rows.ts';
import type { ServerConfig } from '../config/options/project-config.ts';
import {
  type ConfigSource,
  listSourceFiles,
  isDocument,
  type SourceInput,
  sourceName,
} from '../config/options/sources.ts';
import type { GenerateOptions } from './generate.ts';
import { shownUrl } from '../model/without-credentials.ts';
import { readRouteMap } from '../config/load/read-route-map.ts';
import { definedMembers } from '../util/collections.ts';

/** What configurations are read by: a path of theirs, as it is from `cwd`. */
export interface Surroundings extends ProjectRun {
  fromProject: (path: string) => string;
}

/** A document, or annotated functions by the paths of their files. */
export function sourceOf(
  { source = '', typescript }: Pick<ServerConfig, 'source' | 'typescript'>,
  fromProject: (path: string) => string,
): Pick<GenerateOptions, 'source' | 'typescript'> {
  if (typescript === undefined) return { source: fromProject(source) };
  const mapped = mapPaths(typescript, fromProject);
  return { source: mapped.files.join(' '), typescript: mapped };
}

export function severalOf(sources: SourceInput[]): Pick<GenerateOptions, 'source' | 'sources'> {
  return { source: sources.map((each) => shownUrl(sourceName(each))).join(' and '), sources };
}

export async function sourceInput(source: ConfigSource, surroundings: Surroundings): Promise<SourceInput> {
  const { fromProject } = surroundings;
  if (!isDocument(source))
    return { ...mapOptionPaths(source, fromProject), typescript: listSourceFiles(source).map(fromProject) };
  const { openapi, routeMap, ...rest } = source;
  return {
    ...mapOptionPaths(rest, fromProject),
    openapi: fromProject(openapi),
    ...(await rulesOf(routeMap, surroundings)),
  };
}

/** Rules may stand in a file, which is remembered. */
export async function rulesOf(
  routeMap: ServerConfig['routeMap'],
  { fromProject, cwd, diagnostics, observer }: Surroundings,
): Promise<Pick<GenerateOptions, 'routeMap' | 'routeMapFile'>> {
  if (routeMap === undefined) return {};
  if (typeof routeMap !== 'string') return { routeMap };
  const routeMapFile = fromProject(routeMap);
  observer?.file(resolve(cwd, routeMapFile));
  const rules = await readRouteMap(routeMapFile, cwd, diagnostics);
  return { routeMapFile, ...definedMembers({ routeMap: rules }) };
}
