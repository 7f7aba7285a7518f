/** What servers are made from: places of sources, and the projects that were made from them. */
import { dirname, relative, resolve } from 'node:path';

import { type RememberedOptions, isUrl, makeConfig } from '../config/options/make-config.ts';
import { isFaulty, listServers, parseConfig } from '../config/options/parse-config.ts';
import type { ServerConfig } from '../config/options/project-config.ts';
import { isDocument, listSourceFiles } from '../config/options/sources.ts';
import { listProjectsBelow } from './built-project.ts';
import { type ExistingProject, readFileIfAny, readProject } from './existing-project.ts';

/** The places that a project was made from, by its lock, and by its configuration if that is JSON. */
function listSourcesOfProject({ root, lock }: ExistingProject): string[] {
  const documents = Object.keys(lock?.inputs ?? {}).map((path) => resolve(root, path));
  const file = resolve(root, lock?.configuration ?? '');
  const text = file.endsWith('.json') ? readFileIfAny(file) : undefined;
  const config = parseConfig(text ?? '');
  if (isFaulty(config)) return documents;
  const servers = listServers(config).filter(({ server }) => server === lock?.server);
  return [...documents, ...servers.flatMap((server) => listSources(server.config, dirname(file)))];
}

/** Absolute paths, patterns of functions included, and URLs. */
function listSources({ source, typescript, sources = [] }: ServerConfig, folder: string): string[] {
  const listed = sources.map((entry) => (isDocument(entry) ? entry.openapi : listSourceFiles(entry)));
  return [source ?? [], typescript?.files ?? [], listed]
    .flat(2)
    .filter((place) => place !== '-')
    .map((place) => (isUrl(place) ? place : resolve(folder, place)));
}

/** The projects in the working folder and in the folders of the sources, or right below, that were made from one of the sources. */
export async function findProjectsOfSources(options: RememberedOptions): Promise<ExistingProject[]> {
  const { cwd = '.' } = options;
  const sources = listSources(makeConfig(options, cwd), resolve(cwd));
  const files = sources.filter((source) => !isUrl(source));
  const folders = new Set([resolve(cwd), ...files.map((file) => dirname(file))]);
  const roots = new Set([...folders].flatMap((folder) => [folder, ...listProjectsBelow(folder, cwd)]));
  const projects: ExistingProject[] = [];
  for (const root of roots) {
    const project = await readProject(relative(resolve(cwd), root) || '.', cwd);
    const places = project.lock === undefined ? [] : listSourcesOfProject(project);
    if (places.some((place) => sources.includes(place))) projects.push(project);
  }
  return projects;
}
