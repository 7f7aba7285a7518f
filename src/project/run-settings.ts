/** The settings that a run gives the configuration of its project. */
import { isDeepStrictEqual } from 'node:util';

import type { ReadServer } from '../config/load/read-config.ts';
import { configToJson } from '../config/options/make-config.ts';
import type { ServerConfig } from '../config/options/project-config.ts';
import { isDocument, isFunctions, listSourceFiles, sourceName } from '../config/options/sources.ts';
import { listRows } from '../config/options/rows.ts';
import { DEFAULT_FEATURES, FEATURE_NAMES } from '../model/features.ts';
import { type PublishTarget, publishTargets } from '../model/published.ts';
import type { Setting } from './edit-config.ts';

/** Additions to the lists of a configuration. */
export interface Additions {
  addTargets?: PublishTarget[] | undefined;
  addFeatures?: string[] | undefined;
}

/** The settings with the additions, in the order of the table. Members that stay as they are are absent. */
export function addToSettings(
  { publish, features }: Pick<ServerConfig, 'publish' | 'features'>,
  { addTargets = [], addFeatures = [] }: Additions,
): Pick<ServerConfig, 'publish' | 'features'> {
  const isNew = <T>(list: readonly T[], added: readonly T[]): boolean =>
    !added.every((item) => list.includes(item));
  const targets = publishTargets.filter((publishTarget) =>
    [...(publish ?? []), ...addTargets].includes(publishTarget),
  );
  const allFeatures = FEATURE_NAMES.filter((featureName) =>
    [...(features ?? DEFAULT_FEATURES), ...addFeatures].includes(featureName),
  );
  return {
    ...(isNew(publish ?? [], addTargets) && { publish: targets }),
    ...(isNew(features ?? DEFAULT_FEATURES, addFeatures) && { features: allFeatures }),
  };
}

export function listSettings(members: ServerConfig): Setting[] {
  return Object.entries(configToJson(members)).map(([member, value]) => ({ member, value }));
}

/**
 * The members of `given` that the configuration says otherwise; those that it alone has stay. The paths of both start from its
 * folder. `undefined` if the configuration has other sources: a list of them is replaced by another list alone.
 */
export function compareSettings(before: ServerConfig, requested: ServerConfig): Setting[] | undefined {
  const [there, here] = [toSingleSource(before), toSingleSource(requested)];
  if (here.sources !== undefined) {
    const otherKinds = ['source', 'typescript'].filter((member) => member in there);
    const removed = otherKinds.map((member) => ({ member, value: undefined }));
    return [...removed, ...changedMembers(there, here)];
  }
  if (there.sources === undefined)
    return (here.typescript === undefined) === (there.typescript === undefined)
      ? changedMembers(there, here)
      : undefined;
  const files = here.typescript?.files;
  const source = there.sources.findIndex((source) =>
    isFunctions(source)
      ? isDeepStrictEqual(listSourceFiles(source), files)
      : files === undefined && source.openapi === here.source,
  );
  const entry = there.sources[source];
  if (entry === undefined) return undefined;
  const { source: path, typescript, ...rest } = here;
  void [path, typescript];
  return changedMembers({ ...there, ...(isDocument(entry) ? entry : {}) }, rest).map((change) =>
    listRows('document').some(([name]) => name === change.member) ? { ...change, source } : change,
  );
}

function changedMembers(before: ServerConfig, requested: ServerConfig): Setting[] {
  const there = new Map(Object.entries(configToJson(before)));
  return listSettings(requested).filter(({ member, value }) => !isDeepStrictEqual(value, there.get(member)));
}

/** A single document is the same server as `source` or in the list `sources`. */
function toSingleSource({ sources, ...config }: ServerConfig): ServerConfig {
  const [only, other] = sources ?? [];
  if (only === undefined || other !== undefined || !isDocument(only) || 'prefix' in only)
    return sources === undefined ? config : { ...config, sources };
  const { openapi, ...settings } = only;
  return { ...config, ...settings, source: openapi };
}

/** The sources of a server, for messages. */
export function nameSources({ config: { source, typescript, sources = [] } }: ReadServer): string {
  return [source ?? [], typescript?.files ?? [], sources.map(sourceName)].flat().join(' and ');
}
