/** Reads the user's values in a project's package.json, which other published files repeat, and reports unusable ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type Lock, packagePath } from '../emit/index.ts';
import type { ProjectRun } from './existing-project.ts';
import { cleanProse } from '../model/clean-prose.ts';
import { isPackageName, isRegistryName, type Person, type Published, SEMVER } from '../model/published.ts';
import { definedMembers } from '../util/defined-members.ts';

/** A project's package.json on disk, and as it would be generated. */
export interface Standing {
  text: string;
  manifest: Record<string, unknown>;
  generated: Record<string, unknown>;
}

/** `root` is the project's folder. `undefined` if mcpgen has not written its package.json. */
export function readStanding(root: string, lock: Lock | undefined): Standing | undefined {
  const generated = lock?.package;
  const read = generated === undefined ? undefined : readJson(join(root, packagePath));
  return generated === undefined || read === undefined ? undefined : { ...read, generated };
}

/** The user's values, without unusable ones, which `reportPackage` reports. */
export function publishedOf(standing: Standing | undefined): Published {
  if (standing === undefined) return {};
  const { manifest, generated } = standing;
  const text = (value: unknown, isFit: (text: string) => boolean): string | undefined =>
    typeof value === 'string' && isFit(value) ? value : undefined;
  const own = (key: string, isFit: (text: string) => boolean): string | undefined =>
    manifest[key] === generated[key] ? undefined : text(manifest[key], isFit);
  const description = own('description', (value) => value.trim() !== '');
  const { author, license, homepage, repository, dependencies } = manifest;
  return definedMembers({
    name: own('name', isPackageName),
    description: description && cleanProse(description),
    version: own('version', (value) => SEMVER.test(value)),
    mcpName: own('mcpName', isRegistryName),
    author: readPerson(author),
    license: text(license, (value) => value !== ''),
    homepage: text(homepage, isPage),
    repository: readRepository(repository),
    installs: addsTo(dependencies, generated['dependencies']) || undefined,
  });
}

/** Whether there is a dependency that mcpgen has not written. */
function addsTo(dependencies: unknown, generated: unknown): boolean {
  if (!isRecord(dependencies)) return false;
  const known = isRecord(generated) ? generated : {};
  return Object.keys(dependencies).some((name) => !Object.hasOwn(known, name));
}

/** Reports options of the configuration that package.json overrides. */
export function reportOtherwise(
  { version, mcpName }: Published,
  { serverVersion, registryName }: Pick<ProjectRun, 'serverVersion' | 'registryName'>,
  file: string,
  diagnostics: DiagnosticCollector,
): void {
  const pairs = [
    { key: 'version', there: version, option: 'serverVersion', here: serverVersion },
    { key: 'mcpName', there: mcpName, option: 'registryName', here: registryName },
  ];
  for (const { key, there, option, here } of pairs)
    if (there !== undefined && here !== undefined && there !== here)
      diagnostics.report('published-otherwise', { file, key, there, option, here });
}

function readJson(path: string): Pick<Standing, 'text' | 'manifest'> | undefined {
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    const manifest: unknown = JSON.parse(text);
    return isRecord(manifest) ? { text, manifest } : undefined;
  } catch {
    // Merging the file reports the error.
    return undefined;
  }
}

/** `Ada <ada@example.com> (https://ada.example)`, or its parts. */
function readPerson(value: unknown): Person | undefined {
  const { name, email, url } = typeof value === 'string' ? parsePerson(value) : isRecord(value) ? value : {};
  if (typeof name !== 'string' || name.trim() === '') return undefined;
  return {
    name: cleanProse(name).trim(),
    ...(typeof email === 'string' && /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(email) ? { email } : {}),
    ...(isPage(url) ? { url } : {}),
  };
}

function parsePerson(text: string): Record<string, unknown> {
  const [, name, email, url] = /^([^<(]*)(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?/.exec(text) ?? [];
  return { name, email, url };
}

/** npm's shorthands mean GitHub by default. */
function readRepository(value: unknown): string | undefined {
  const text = isRecord(value) ? value['url'] : value;
  if (typeof text !== 'string') return undefined;
  const [, host = 'github', path] = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(text) ?? [];
  const domain = host === 'bitbucket' ? 'bitbucket.org' : `${host}.com`;
  const url = path === undefined ? text.replace(/^git\+/, '') : `https://${domain}/${path}`;
  return isPage(url) ? url.replace(/\.git$/, '') : undefined;
}

function isPage(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/\S+$/.test(value) && URL.canParse(value);
}
