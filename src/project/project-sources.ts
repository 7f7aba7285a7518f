/** Finds the sources of a run or a project, and the projects that were made from given sources. */
import { dirname, relative, resolve } from 'node:path';

import { readFileIfAny } from '../util/read-file.ts';
import { type RememberedOptions, isUrl, makeConfig } from '../config/options/make-config.ts';
import { isFaulty, listServers, parseConfig } from '../config/options/parse-config.ts';
import type { ServerConfig } from '../config/options/project-config.ts';
import { isDocument, listSourceFiles } from '../config/options/sources.ts';
import { listProjectsBelow } from './built-project.ts';
import { type ExistingProject, readProject } from './existing-project.ts';

/** The places of what a run reads, and of what a project was made from, by its lock, and by its configuration if that is JSON. */
export function listSourcesOfRun(options: RememberedOptions): string[] {
  const { cwd = '.' } = options;
  return listSources(makeConfig(options, cwd), resolve(cwd));
}

export function listSourcesOfProject({ root, lock }: ExistingProject): {
  /** The files that its documents were read from. */
  inputs: string[];
  configured: string[];
} {
  const inputs = (lock?.inputs ?? []).map((path) => resolve(root, path));
  const file = resolve(root, lock?.configuration ?? '');
  const text = file.endsWith('.json') ? readFileIfAny(file) : undefined;
  const config = parseConfig(text ?? '');
  if (isFaulty(config)) return { inputs, configured: [] };
  const servers = listServers(config).filter(({ server }) => server === lock?.server);
  return { inputs, configured: servers.flatMap((server) => listSources(server.config, dirname(file))) };
}

/** Whether both places may name the same file. Patterns of functions count as the folder that they search. */
export function mayOverlap(one: string, other: string): boolean {
  const [first, second] = [one, other].map((place) => (isUrl(place) ? place : findSearchedPath(place)));
  const isWithin = (inner: string, folder: string): boolean =>
    /[/\\]$/.test(folder) && inner.startsWith(folder);
  return first === second || isWithin(first ?? '', second ?? '') || isWithin(second ?? '', first ?? '');
}

/** The folder that a pattern searches, which ends with a slash; the path itself without a pattern. */
export function findSearchedPath(place: string): string {
  return place.replace(/[^/\\]*[*?{[(].*$/s, '');
}

/** Absolute paths, patterns of functions included, and URLs. */
function listSources({ source, typescript, sources = [] }: ServerConfig, folder: string): string[] {
  const listed = sources.map((entry) => (isDocument(entry) ? entry.openapi : listSourceFiles(entry)));
  return [source ?? [], typescript?.files ?? [], listed]
    .flat(2)
    .filter((place) => place !== '-' && !/^!(?!\()/.test(place))
    .map((place) => (isUrl(place) ? place : resolve(folder, place)));
}

/** The projects in the working folder and in the folders of the sources, or right below, that were made from one of the sources. */
export async function findProjectsOfSources(options: RememberedOptions): Promise<ExistingProject[]> {
  const { cwd = '.' } = options;
  const sources = listSourcesOfRun(options);
  const files = sources.filter((source) => !isUrl(source));
  const folders = new Set([resolve(cwd), ...files.map((file) => dirname(file))]);
  const roots = new Set([...folders].flatMap((folder) => [folder, ...listProjectsBelow(folder, cwd)]));
  const projects: ExistingProject[] = [];
  for (const root of roots) {
    const project = await readProject(relative(resolve(cwd), root) || '.', cwd);
    if (project.lock === undefined) continue;
    const { inputs, configured } = listSourcesOfProject(project);
    if ([...inputs, ...configured].some((place) => sources.includes(place))) projects.push(project);
  }
  return projects;
}
