/** Plans `package.json`, which is generated, and to which the user adds scripts and dependencies. */
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { ownMember, isRecord } from '../../templates/runtime/json-rpc.ts';
import { findPackageBase, type GeneratedFile } from '../emit/index.ts';
import { formatNameList } from '../util/collections.ts';
import { findConflict } from '../util/conflict-markers.ts';
import { makeFileChange } from './edited-files.ts';
import type { PlanContext, Plan } from './write-target.ts';

export async function planPackage(file: GeneratedFile, context: PlanContext, plan: Plan): Promise<void> {
  const { root, fs, diagnostics } = context;
  const place = join(root, file.path);
  const text = await fs.readText(place);
  const [mine, theirs] = [parseManifest(text), parseManifest(file.contents)];
  if (mine === undefined && context.force === true) {
    plan.changes.push(await makeFileChange(file, context, true));
    return;
  }
  const line = mine === undefined ? findConflict(text) : undefined;
  if (line !== undefined) {
    plan.conflicts.push({ path: file.path, line });
    return;
  }
  if (mine === undefined || theirs === undefined) {
    diagnostics.report('owned-file-broken', {
      problem: `${place} is not a JSON object, so mcpgen cannot merge its changes`,
      fix: 'Correct the file, or restore it from version control.',
    });
    return;
  }
  const keptKeys: string[] = [];
  // Without a base, all of the user's members stay.
  const value = mergeObjects(
    (context.lock && findPackageBase(context.lock, mine)) ?? {},
    mine,
    theirs,
    '',
    keptKeys,
  );
  if (keptKeys.length > 0)
    diagnostics.report('package-keys-kept', { file: place, keys: formatNameList(keptKeys) });
  if (isDeepStrictEqual(value, mine)) {
    plan.report.unchanged.push(file.path);
    return;
  }
  const indent = /^\{\r?\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const contents = `${JSON.stringify(value, undefined, indent)}\n`;
  // The file has text of the user, so no lock may list it as generated.
  plan.changes.push({ ...(await makeFileChange({ ...file, contents }, context, false)), isGenerated: false });
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
 * Keeps the user's changes since `base`, and takes the rest from the generated object. Lists are merged as a whole. The user's keys
 * keep their order; new ones follow. `keptKeys` gets those (`scripts.build`) that both sides have changed, and that stay the user's.
 */
function mergeObjects(
  base: JsonObject,
  mine: JsonObject,
  theirs: JsonObject,
  path: string,
  keptKeys: string[],
): JsonObject {
  const keys = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  const members = [...keys].map((key): [string, unknown] => {
    const [before, user, generated] = [base, mine, theirs].map((object) => ownMember(object, key));
    return [key, mergeValues(before, user, generated, `${path}${key}`, keptKeys)];
  });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** `undefined` means a missing key. */
function mergeValues(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  path: string,
  keptKeys: string[],
): unknown {
  if (isDeepStrictEqual(mine, theirs) || isDeepStrictEqual(theirs, base)) return mine;
  if (isDeepStrictEqual(mine, base)) return theirs;
  const isGone = theirs === undefined && isRecord(base);
  if (!isRecord(mine) || !(isGone || isRecord(theirs))) {
    keptKeys.push(path);
    return mine;
  }
  const [before, generated] = [base, theirs].map((value) => (isRecord(value) ? value : {}));
  const merged = mergeObjects(before ?? {}, mine, generated ?? {}, `${path}.`, keptKeys);
  return isGone && Object.keys(merged).length === 0 ? undefined : merged;
}
