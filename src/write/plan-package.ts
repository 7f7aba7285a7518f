/** Plans `package.json`, which is generated, and to which the user adds scripts and dependencies. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { isRecord } from '../../templates/runtime/contract/json-value.ts';
import type { GeneratedFile, Lock } from '../emit/index.ts';
import { formatNameList } from '../util/collections.ts';
import { findConflict } from '../util/conflict-markers.ts';
import { makeFileChange } from './edited-files.ts';
import type { PlanContext, Plan } from './write-target.ts';

export async function planPackage(file: GeneratedFile, context: PlanContext, plan: Plan): Promise<void> {
  const { root, fs, diagnostics } = context;
  const place = join(root, file.path);
  const text = await fs.readText(place);
  const [mine, theirs] = [parseManifest(text), parseManifest(file.contents)];
  if (mine === undefined && context.edits === 'force') {
    plan.changes.push(await makeFileChange(file, context, true));
    return;
  }
  const line = mine === undefined ? findConflict(text) : undefined;
  if (line !== undefined) {
    plan.conflicts.push({ path: file.path, line, state: 'package' });
    return;
  }
  if (mine === undefined || theirs === undefined) {
    diagnostics.report('owned-file-broken', {
      problem: `${place} is not a JSON object, so mcpgen cannot merge its changes`,
      fix: 'Correct the file, or restore it from version control.',
    });
    return;
  }
  const { value, keptKeys } = mergePackageMembers(listPackageBases(context.lock), mine, theirs);
  if (keptKeys.length > 0)
    diagnostics.report('package-keys-kept', { file: place, keys: formatNameList(keptKeys) });
  if (isDeepStrictEqual(value, mine)) {
    plan.unchanged.push(file.path);
    return;
  }
  const indent = /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const contents = `${JSON.stringify(value, undefined, indent)}\n`;
  // The file has text of the user, so no lock may list it as generated.
  plan.changes.push({ ...(await makeFileChange({ ...file, contents }, context, false)), isGenerated: false });
}

/** Without a base, all of the user's members stay. A killed run may have merged its output into the file, or not, so there is one more. */
function listPackageBases(lock: Lock | undefined): JsonObject[] {
  const bases = [lock?.package, ...(lock?.unfinished?.packages ?? [])].filter(isRecord);
  return bases.length > 0 ? bases : [{}];
}

export function isJsonFile(place: string): boolean {
  return parseManifest(readFileSync(place, 'utf8')) !== undefined;
}

function parseManifest(text: string): JsonObject | undefined {
  try {
    // npm accepts the byte order mark that some Windows editors write.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

type JsonObject = Record<string, unknown>;

/**
 * Merges JSON objects key by key: keeps the user's changes since `bases`, and takes the rest from the generated object.
 * Lists are merged as a whole. The user's keys keep their order; new ones follow. `kept` are keys (`scripts.build`) that both
 * sides have changed, and that stay the user's.
 */
function mergePackageMembers(
  bases: readonly JsonObject[],
  mine: JsonObject,
  theirs: JsonObject,
): { value: JsonObject; keptKeys: string[] } {
  const keptKeys: string[] = [];
  return { value: mergeObjects(bases, mine, theirs, '', keptKeys), keptKeys };
}

function mergeObjects(
  bases: readonly JsonObject[],
  mine: JsonObject,
  theirs: JsonObject,
  path: string,
  keptKeys: string[],
): JsonObject {
  const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  const members = [...keys].flatMap((key): [string, unknown][] => {
    const before = bases.map((base) => ownMember(base, key));
    const value = mergeValues(
      before,
      ownMember(mine, key),
      ownMember(theirs, key),
      `${path}${key}`,
      keptKeys,
    );
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(members);
}

/** `undefined` means a missing key. */
function mergeValues(
  bases: readonly unknown[],
  mine: unknown,
  theirs: unknown,
  path: string,
  keptKeys: string[],
): unknown {
  const isGenerated = (value: unknown): boolean => bases.some((base) => isDeepStrictEqual(value, base));
  if (isDeepStrictEqual(mine, theirs)) return mine;
  if (isGenerated(mine)) return theirs;
  if (isGenerated(theirs)) return mine;
  const isGone = theirs === undefined && bases.some(isRecord);
  if (!isRecord(mine) || !(isGone || isRecord(theirs))) {
    keptKeys.push(path);
    return mine;
  }
  const merged = mergeObjects(bases.map(recordOrEmpty), mine, recordOrEmpty(theirs), `${path}.`, keptKeys);
  return isGone && Object.keys(merged).length === 0 ? undefined : merged;
}

function recordOrEmpty(value: unknown): JsonObject {
  return isRecord(value) ? value : {};
}

function ownMember(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
