/** What a project's package.json says of the package: its user's words, which everything else that is published follows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { type Lock, packagePath } from '../emit/index.ts';
import type { ProjectRun } from './existing-project.ts';
import { cleanProse } from '../model/clean-prose.ts';
import { isPackageName, isRegistryName, type Person, type Published, SEMVER } from '../model/published.ts';
import { definedMembers } from '../util/defined-members.ts';

/** A project's package.json as it stands, and what would stand there without its user. */
export interface Standing {
  text: string;
  manifest: Record<string, unknown>;
  generated: Record<string, unknown>;
}

/** `root` is the project's folder. A package.json that mcpgen has not written says nothing yet. */
export function readStanding(root: string, lock: Lock | undefined): Standing | undefined {
  const generated = lock?.package;
  const read = generated === undefined ? undefined : readJson(join(root, packagePath));
  return generated === undefined || read === undefined ? undefined : { ...read, generated };
}

/** What its user says there; what is said wrongly is left out, and told by `reportPackage`. */
export function publishedOf(standing: Standing | undefined): Published {
  if (standing === undefined) return {};
  const { manifest, generated } = standing;
  const own = (key: string): unknown => (manifest[key] === generated[key] ? undefined : manifest[key]);
  const [name, description] = [own('name'), own('description')];
  const [version, mcpName] = [own('version'), own('mcpName')];
  const author = personOf(manifest['author']);
  const { license, homepage, dependencies } = manifest;
  const repository = repositoryOf(manifest['repository']);
  return {
    ...(typeof name === 'string' && isPackageName(name) ? { name } : {}),
    ...(typeof description === 'string' && description.trim() !== ''
      ? { description: cleanProse(description) }
      : {}),
    ...(typeof version === 'string' && SEMVER.test(version) ? { version } : {}),
    ...(typeof mcpName === 'string' && isRegistryName(mcpName) ? { mcpName } : {}),
    ...definedMembers({ author }),
    ...(typeof license === 'string' && license !== '' ? { license } : {}),
    ...(isPage(homepage) ? { homepage } : {}),
    ...definedMembers({ repository }),
    ...(addsTo(dependencies, generated['dependencies']) ? { installs: true } : {}),
  };
}

/** Whether a package stands there that mcpgen has not written: of those it writes it knows by itself. */
function addsTo(dependencies: unknown, generated: unknown): boolean {
  if (!isRecord(dependencies)) return false;
  const known = isRecord(generated) ? generated : {};
  return Object.keys(dependencies).some((name) => !Object.hasOwn(known, name));
}

/** Where the configuration says something else, it is not followed. */
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
    // What is wrong with it is told when it is merged.
    return undefined;
  }
}

/** `Ada <ada@example.com> (https://ada.example)`, or its parts. */
function personOf(value: unknown): Person | undefined {
  const { name, email, url } = typeof value === 'string' ? partsOf(value) : isRecord(value) ? value : {};
  if (typeof name !== 'string' || name.trim() === '') return undefined;
  return {
    name: cleanProse(name).trim(),
    ...(typeof email === 'string' && /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(email) ? { email } : {}),
    ...(isPage(url) ? { url } : {}),
  };
}

function partsOf(text: string): Record<string, unknown> {
  const [, name, email, url] = /^([^<(]*)(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?/.exec(text) ?? [];
  return { name, email, url };
}

/** npm's shorthands are of GitHub, but for those that say otherwise. */
function repositoryOf(value: unknown): string | undefined {
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
