/** Reads the user's values in a project's package.json, which other published files repeat, and reports unusable ones. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { isRecord } from '../../templates/runtime/json-rpc.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { quoteAsCodeSpan } from '../diagnostics/quoting.ts';
import { findPackageBase, type Lock, packagePath } from '../emit/index.ts';
import { shortenToLine } from '../emit/prose.ts';
import { removeInvisible } from '../model/clean-prose.ts';
import { type Person, type Published, SEMVER, isPackageName, isRegistryName } from '../model/published.ts';
import { omitUndefined } from '../util/collections.ts';
import type { ProjectRun } from './existing-project.ts';

export interface ManifestOnDisk {
  manifest: Record<string, unknown>;
  generated: Record<string, unknown>;
}

/** `root` is the project's folder. `undefined` if mcpgen has not written its package.json. */
export function readManifestOnDisk(root: string, lock: Lock | undefined): ManifestOnDisk | undefined {
  if (lock === undefined) return undefined;
  try {
    const text = readFileSync(join(root, packagePath), 'utf8').replace(/^\uFEFF/, '');
    const manifest: unknown = JSON.parse(text);
    const generated = isRecord(manifest) ? findPackageBase(lock, manifest) : undefined;
    return generated && isRecord(manifest) ? { manifest, generated } : undefined;
  } catch {
    // Merging the file reports the error.
    return undefined;
  }
}

interface Rule {
  /** Continues "which is not". */
  wanted: string;
  /** Makes what published files repeat; `undefined` of an unusable value. */
  read: (value: unknown) => string | Person | undefined;
  /** mcpgen generates a value, which is not the user's. */
  isGenerated?: true;
}

/** Keys whose values other published files repeat. */
const RULES: Readonly<Record<string, Rule>> = {
  name: {
    wanted: 'a name that npm takes for a new package',
    read: (value) => readText(value, isPackageName),
    isGenerated: true,
  },
  description: {
    wanted: 'a text',
    read: (value) => readText(value) && removeInvisible(String(value)),
    isGenerated: true,
  },
  version: {
    wanted: 'a version as `1.4.0`, by Semantic Versioning',
    read: (value) => readText(value, (text) => SEMVER.test(text)),
    isGenerated: true,
  },
  mcpName: {
    wanted: 'a name in the MCP registry, as `io.github.<account>/<name>`',
    read: (value) => readText(value, isRegistryName),
    isGenerated: true,
  },
  author: {
    wanted: 'a person, as `Ada <ada@example.com>` or an object with a `name`',
    read: normalizePerson,
  },
  license: { wanted: 'a text, as `MIT`', read: (value) => readText(value) },
  homepage: { wanted: 'an http or https URL', read: (value) => readText(value, isWebPage) },
  repository: {
    wanted: 'the https URL of a repository, nor `<owner>/<name>` of one on GitHub',
    read: normalizeRepository,
  },
};

/** The user's values by key, without blank ones, which `npm init` leaves. */
function listOwnValues({ manifest, generated }: ManifestOnDisk): [key: string, value: unknown, rule: Rule][] {
  return Object.entries(RULES).flatMap(([key, rule]): [string, unknown, Rule][] => {
    const value = manifest[key];
    const isAbsent = value === undefined || (typeof value === 'string' && value.trim() === '');
    return isAbsent || (rule.isGenerated && value === generated[key]) ? [] : [[key, value, rule]];
  });
}

/** Picks the user's values, without unusable ones, which `reportPackageFaults` reports. */
export function pickPublishedMembers(onDisk: ManifestOnDisk | undefined): Published {
  if (onDisk === undefined) return {};
  const values = listOwnValues(onDisk).map(([key, value, { read }]) => [key, read(value)]);
  const { manifest, generated } = onDisk;
  const [dependencies, generatedDependencies] = [manifest, generated].map(({ dependencies: ranges }) =>
    isRecord(ranges) ? ranges : {},
  );
  const installs = Object.keys(dependencies ?? {}).some(
    (name) => !Object.hasOwn(generatedDependencies ?? {}, name),
  );
  return omitUndefined({ ...Object.fromEntries(values), installs: installs || undefined }) as Published;
}

export function reportIgnoredVersion(
  { version: there }: Published,
  { serverVersion: here }: Pick<ProjectRun, 'serverVersion'>,
  file: string,
  diagnostics: DiagnosticCollector,
): void {
  if (there !== undefined && here !== undefined && there !== here)
    diagnostics.report('published-otherwise', { file, there, here });
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

function readText(value: unknown, isFit: (text: string) => boolean = () => true): string | undefined {
  return typeof value === 'string' && isFit(value) ? value : undefined;
}

/** Reports unusable values in the project's package.json. `file` is its path in messages. */
export function reportPackageFaults(
  file: string,
  onDisk: ManifestOnDisk,
  diagnostics: DiagnosticCollector,
): void {
  for (const [key, value, { wanted }] of listUnusableValues(onDisk))
    diagnostics.report('package-value-unusable', { file, key, there: summarizeJsonValue(value), wanted });
  const type = onDisk.manifest['type'];
  if (type === 'module') return;
  const fault =
    type === undefined ? 'has no `type`' : `has ${quoteAsCodeSpan(summarizeJsonValue(type))} as \`type\``;
  const problem = `${file} ${fault}. The project's code consists of ES modules, so the server only starts with \`"module"\``;
  diagnostics.report('owned-file-broken', { problem, fix: 'Set `"type": "module"` in it.' });
}

function listUnusableValues(onDisk: ManifestOnDisk): [key: string, value: unknown, rule: Rule][] {
  return listOwnValues(onDisk).filter(([, value, { read }]) => read(value) === undefined);
}

function summarizeJsonValue(value: unknown): string {
  if (Array.isArray(value)) return '[…]';
  return isRecord(value) ? '{…}' : shortenToLine(JSON.stringify(value), 60);
}
