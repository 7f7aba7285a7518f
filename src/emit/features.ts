/** Which features a project has. */
import { hasCutSchema } from '../derive/listing-cost.ts';
import { type CodeUses, type FeatureRow, FEATURES, type ProjectNeeds } from '../model/feature-table.ts';
import { DEFAULT_FEATURES } from '../model/features.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { EmitOptions } from './emit-options.ts';
import { CORE_SETTINGS, type Setting } from '../../templates/runtime/settings.ts';

export { hasApi } from '../model/feature-needs.ts';

type Choice = Pick<EmitOptions, 'app' | 'auth' | 'features' | 'handlers' | 'ownedFeatures' | 'publish'>;

/** The features that the model, publish targets, `features`, code, and these features themselves need, in the order of the table. */
export function chooseFeatures(model: ServerModel, options: Choice): FeatureRow[] {
  const { app, auth, features = DEFAULT_FEATURES, ownedFeatures, publish = [] } = options;
  const project: ProjectNeeds = {
    model,
    isCut: hasCutSchema(model.tools),
    ...(app && { app }),
    ...(auth && { auth }),
  };
  const isChosen = (row: FeatureRow): boolean =>
    ownedFeatures?.has(row.name) === true ||
    (row.addedBy === undefined && features.includes(row.name)) ||
    row.isNeeded?.(project) === true ||
    row.publish?.some((target) => publish.includes(target)) === true ||
    (row.uses !== undefined && isUsed(row.uses, options));
  const chosen = new Set(FEATURES.filter(isChosen).map(({ name }) => name));
  // In two steps: what extends a feature may be needed by one that comes with it.
  const fitting = FEATURES.filter(
    (row) => chosen.has(row.name) && (row.with === undefined || chosen.has(row.with)),
  );
  const names = new Set(fitting.flatMap(({ name, needs = [] }) => [name, ...needs]));
  return FEATURES.filter(({ name, comesWith = '' }) => names.has(name) || names.has(comesWith));
}

/** Lists features that `features` names, and that extend one which the project does not have. */
export function listIdleFeatures(model: ServerModel, options: Choice): FeatureRow[] {
  const chosen = chooseFeatures(model, options);
  const { features = [] } = options;
  return FEATURES.filter((row) => features.includes(row.name) && !chosen.includes(row));
}

function isUsed({ members = [], keys = [], imports }: CodeUses, { app, handlers }: Choice): boolean {
  if (keys.some((key) => handlers?.keys.has(key)) || members.some((name) => handlers?.members.has(name)))
    return true;
  const words = members.length > 0 && new RegExp(`\\b(?:${members.join('|')})\\b`);
  return (
    (words !== false && app?.files.some(({ contents }) => words.test(contents)) === true) ||
    (imports !== undefined &&
      [app?.files ?? [], handlers?.files ?? []].flat().some(({ contents }) => imports.test(contents)))
  );
}

/** Flags and variables of features. */
export async function listSettings(features: readonly FeatureRow[]): Promise<Setting[]> {
  const loaded = await Promise.all(features.map(async ({ load }) => (await load())().settings ?? []));
  return loaded.flat();
}

/** Flags of features that the project lacks, and variables that must not be ignored, with the feature that reads each. */
export async function listRefusedSettings(present: readonly FeatureRow[]): Promise<Record<string, string>> {
  const settings = [...CORE_SETTINGS, ...(await listSettings(present))];
  const flags = new Set(settings.map(({ flag }) => flag));
  const absent = FEATURES.filter((row) => !present.includes(row));
  const rows = await Promise.all(
    absent.map(async (row) => {
      const { name, refused = [] } = row;
      return (await listSettings([row])).flatMap(({ flag, variable }) => [
        ...(flag === undefined || flags.has(flag) ? [] : [[`--${flag}`, name]]),
        ...(variable !== undefined && (refused === 'all' || refused.includes(variable))
          ? [[variable, name]]
          : []),
      ]);
    }),
  );
  return Object.fromEntries(rows.flat()) as Record<string, string>;
}
