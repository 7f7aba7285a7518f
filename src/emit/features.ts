/** Chooses the features of the runtime that a project has. */
import {
  FEATURES,
  type FeatureEntry,
  type FeatureNeed,
  type FeatureRow,
} from '../../templates/runtime/features.ts';
import { DEFAULT_FEATURES } from '../model/features.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { EmitOptions } from './emit-options.ts';
import { needsOfApi } from './api-needs.ts';
import { needsOfLists } from './list-needs.ts';
import { hasApi } from './has-api.ts';

type Choice = Pick<EmitOptions, 'app' | 'auth' | 'features' | 'publish'>;

/**
 * The rows of a project: what its model, publish targets and `features` need, and what those features need. Without `features`,
 * those of a new project.
 */
export function chooseFeatures(model: ServerModel, options: Choice): FeatureRow[] {
  const { features = DEFAULT_FEATURES } = options;
  const isChosen = ({ name, neededBy = [], addedBy, entries }: FeatureRow): boolean =>
    entries.length === 0 ||
    neededBy.some((need) => isNeeded(need, model, options)) ||
    (addedBy === undefined && features.includes(name));
  const chosen = FEATURES.filter(isChosen);
  const sources = new Set(chosen.map(({ name }) => name));
  const fitting = chosen.filter((feature) => feature.with === undefined || sources.has(feature.with));
  const names = new Set(fitting.flatMap(({ name, needs = [] }) => [name, ...needs]));
  return FEATURES.filter(({ name }) => names.has(name));
}

/** The modules that a project begins with, beside those that every project has. */
export function chooseEntries(model: ServerModel, options: Choice): FeatureEntry[] {
  const features = chooseFeatures(model, options);
  const names = new Set(features.map(({ name }) => name));
  return features.flatMap(({ name, entries }) => {
    const isNamed = options.features?.includes(name) === true;
    return entries.filter(
      ({ with: other, neededBy }) =>
        (other === undefined || names.has(other)) &&
        (isNamed || (neededBy?.some((need) => isNeeded(need, model, options)) ?? true)),
    );
  });
}

function isNeeded(need: FeatureNeed, model: ServerModel, { app, auth, publish }: Choice): boolean {
  if ('lists' in need) return needsOfLists[need.lists](model);
  if ('auth' in need) return auth !== undefined;
  if ('api' in need) return needsOfApi[need.api](model, auth);
  if ('publish' in need) return publish?.some((target) => target === need.publish) === true;
  if ('binding' in need) return need.binding === 'http' ? hasApi(model) : app !== undefined;
  if ('taskSupport' in need)
    return model.tools.some(({ execution }) => (execution?.taskSupport ?? 'forbidden') !== 'forbidden');
  const uses = new RegExp(`\\b(?:${need.code.join('|')})\\b`);
  return app?.files.some(({ contents }) => uses.test(contents)) === true;
}
