/** Reads the user's values in a project's package.json, which other published files repeat, and reports unusable ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { quoteAsCodeSpan } from '../diagnostics/quoting.ts';
import { type Lock, packagePath } from '../emit/index.ts';
import { shortenToLine } from '../emit/prose.ts';
import { removeInvisible, describeHidden } from '../model/clean-prose.ts';
import type { CodeOrigin } from '../model/origin.ts';
import { type Person, type Published, SEMVER, isPackageName, isRegistryName } from '../model/published.ts';
import { omitUndefined } from '../util/collections.ts';
import type { ProjectRun } from './existing-project.ts';

export interface ManifestOnDisk {
  text: string;
  manifest: Record<string, unknown>;
  generated: Record<string, unknown>;
}

/** `root` is the project's folder. `undefined` if mcpgen has not written its package.json. */
export function readManifestOnDisk(root: string, lock: Lock | undefined): ManifestOnDisk | undefined {
  const locked = lock?.package;
  const read = locked === undefined ? undefined : readJson(join(root, packagePath));
  if (locked === undefined || read === undefined) return undefined;
  // A killed run may have written its values, which are not the user's.
  const unfinished = (lock?.unfinished?.packages ?? [])
    .flatMap((generated) => Object.entries(generated))
    .filter(([key, value]) => isDeepStrictEqual(read.manifest[key], value));
  return { ...read, generated: { ...locked, ...Object.fromEntries(unfinished) } };
}

/** Picks the user's values, without unusable ones, which `reportPackageFaults` reports. */
export function pickPublishedMembers(onDisk: ManifestOnDisk | undefined): Published {
  if (onDisk === undefined) return {};
  const { manifest, generated } = onDisk;
  const text = (value: unknown, isFit: (text: string) => boolean): string | undefined =>
    typeof value === 'string' && isFit(value) ? value : undefined;
  const findOwnText = (key: string, isFit: (text: string) => boolean): string | undefined =>
    manifest[key] === generated[key] ? undefined : text(manifest[key], isFit);
  const description = findOwnText('description', (value) => value.trim() !== '');
  const { author, license, homepage, repository, dependencies } = manifest;
  return omitUndefined({
    name: findOwnText('name', isPackageName),
    description: description && removeInvisible(description),
    version: findOwnText('version', (value) => SEMVER.test(value)),
    mcpName: findOwnText('mcpName', isRegistryName),
    author: normalizePerson(author),
    license: text(license, (value) => value !== ''),
    homepage: text(homepage, isWebPage),
    repository: normalizeRepository(repository),
    installs: hasAddedDependencies(dependencies, generated['dependencies']) || undefined,
  });
}

function hasAddedDependencies(dependencies: unknown, generated: unknown): boolean {
  if (!isRecord(dependencies)) return false;
  const generatedDependencies = isRecord(generated) ? generated : {};
  return Object.keys(dependencies).some((name) => !Object.hasOwn(generatedDependencies, name));
}

export function reportIgnoredOptions(
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

function readJson(path: string): Pick<ManifestOnDisk, 'text' | 'manifest'> | undefined {
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
function normalizePerson(value: unknown): Person | undefined {
  const { name, email, url } = typeof value === 'string' ? parsePerson(value) : isRecord(value) ? value : {};
  if (typeof name !== 'string' || name.trim() === '') return undefined;
  return {
    name: removeInvisible(name).trim(),
    ...(typeof email === 'string' && /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(email) ? { email } : {}),
    ...(isWebPage(url) ? { url } : {}),
  };
}

function parsePerson(text: string): Record<string, unknown> {
  const [, name, email, url] = /^([^<(]*)(?:<([^>]*)>)?\s*(?:\(([^)]*)\))?/.exec(text) ?? [];
  return { name, email, url };
}

/** npm's shorthands mean GitHub by default. */
function normalizeRepository(value: unknown): string | undefined {
  const text = isRecord(value) ? value['url'] : value;
  if (typeof text !== 'string') return undefined;
  const [, host = 'github', path] = /^(?:(github|gitlab|bitbucket):)?([\w.-]+\/[\w.-]+)$/.exec(text) ?? [];
  const domain = host === 'bitbucket' ? 'bitbucket.org' : `${host}.com`;
  const url = path === undefined ? text.replace(/^git\+/, '') : `https://${domain}/${path}`;
  return isWebPage(url) ? url.replace(/\.git$/, '') : undefined;
}

function isWebPage(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\/\S+$/.test(value) && URL.canParse(value);
}

interface Rule {
  /** Continues "which is not". */
  wanted: string;
  /** The effect as a sentence. `''`: other published files have the generated value. */
  effect: string;
  /** An empty text is ignored: `npm init` leaves some. */
  mayBeEmpty?: true;
}

const LEFT_OUT = 'What is published does without it.';

/** Keys whose values other published files repeat. */
const FOLLOWED: Readonly<Record<string, Rule>> = {
  name: { wanted: 'a name that npm takes for a new package', effect: '' },
  version: { wanted: 'a version as `1.4.0`, by Semantic Versioning', effect: '' },
  mcpName: { wanted: 'a name in the MCP registry, as `io.github.<account>/<name>`', effect: '' },
  description: { wanted: 'a text', effect: '', mayBeEmpty: true },
  author: {
    wanted: 'a person, as `Ada <ada@example.com>` or an object with a `name`',
    effect: LEFT_OUT,
    mayBeEmpty: true,
  },
  license: { wanted: 'a text, as `MIT`', effect: LEFT_OUT, mayBeEmpty: true },
  homepage: { wanted: 'an http or https URL', effect: LEFT_OUT, mayBeEmpty: true },
  repository: {
    wanted: 'the https URL of a repository, nor `<owner>/<name>` of one on GitHub',
    effect: LEFT_OUT,
    mayBeEmpty: true,
  },
};

/** Keys that only npm reads. */
const NPM: Readonly<Record<string, Rule & { isRight: (value: unknown) => boolean }>> = {
  scripts: {
    wanted: 'an object of commands',
    effect: 'The project can be neither built nor tested.',
    isRight: isStringRecord,
  },
  bin: {
    wanted: 'a path or an object of paths',
    effect: 'The package has no command, so `npx` starts nothing.',
    isRight: (value) => typeof value === 'string' || isStringRecord(value),
  },
  files: {
    wanted: 'a list of paths',
    effect: 'It does not say what is published.',
    isRight: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  },
};

/** Reports unusable values in the project's package.json. `file` is its path in messages. */
export async function reportPackageFaults(
  file: string,
  onDisk: ManifestOnDisk,
  diagnostics: DiagnosticCollector,
): Promise<void> {
  if (!hasFaults(onDisk)) return;
  const { locateOrigin: locate } = await import('../diagnostics/locate/locate.ts');
  const { manifest, generated, text } = onDisk;
  const findMemberPosition = (key: string): CodeOrigin => {
    const place = locate({ textOf: () => text }, { kind: 'document', file, pointer: `/${key}` });
    return { kind: 'code', file, line: place?.line ?? 1, column: place?.column ?? 1 };
  };
  for (const [key, { wanted, effect }] of findBrokenRules(onDisk)) {
    const instead = `Everything else that is published says ${JSON.stringify(generated[key])}.`;
    const there = summarizeJsonValue(manifest[key]);
    const parameters = { file, key, there, wanted, effect: effect === '' ? instead : effect };
    diagnostics.report('package-value-unusable', parameters, { at: findMemberPosition(key) });
  }
  for (const { key, hidden } of findHiddenWords(onDisk))
    diagnostics.report('hidden-text', { hidden }, { at: findMemberPosition(key) });
  if (isModule(onDisk)) return;
  const type = manifest['type'];
  const fault =
    type === undefined ? 'has no `type`' : `has ${quoteAsCodeSpan(summarizeJsonValue(type))} as \`type\``;
  const problem = `${file} ${fault}. The project's code consists of ES modules, so the server only starts with \`"module"\``;
  const fix = 'Set `"type": "module"` in it.';
  diagnostics.report('owned-file-broken', { problem, fix }, { at: findMemberPosition('type') });
}

export function hasFaults(onDisk: ManifestOnDisk | undefined): boolean {
  if (onDisk === undefined) return false;
  return !isModule(onDisk) || findBrokenRules(onDisk).length > 0 || findHiddenWords(onDisk).length > 0;
}

function findHiddenWords({ manifest }: ManifestOnDisk): { key: string; hidden: string }[] {
  return ['description', 'author'].flatMap((key) => {
    const hidden = describeHidden(JSON.stringify(manifest[key]) ?? '');
    return hidden === undefined ? [] : [{ key, hidden }];
  });
}

function isModule({ manifest }: ManifestOnDisk): boolean {
  return manifest['type'] === 'module';
}

function findBrokenRules(onDisk: ManifestOnDisk): [key: string, rule: Rule][] {
  const { manifest, generated } = onDisk;
  const publishedKeys: ReadonlySet<string> = new Set(Object.keys(pickPublishedMembers(onDisk)));
  const followed = Object.entries(FOLLOWED).filter(
    ([key, { mayBeEmpty = false }]) =>
      manifest[key] !== undefined &&
      manifest[key] !== generated[key] &&
      !publishedKeys.has(key) &&
      !(mayBeEmpty && isBlank(manifest[key])),
  );
  const ofNpm = Object.entries(NPM).filter(
    ([key, { isRight }]) => manifest[key] !== undefined && !isRight(manifest[key]),
  );
  return [...followed, ...ofNpm];
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === '';
}

function isStringRecord(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
}

function summarizeJsonValue(value: unknown): string {
  if (Array.isArray(value)) return '[…]';
  return isRecord(value) ? '{…}' : shortenToLine(JSON.stringify(value), 60);
}
