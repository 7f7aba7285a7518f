/** Chooses the features of the runtime that a project has. */
import { FEATURES, type Feature, type FeatureEntry } from '../../templates/runtime/features.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { EmitOptions } from './emit-options.ts';
import { hasApi } from './has-api.ts';

/**
 * The modules that a project begins with, beside those that every project has. Each comes with a feature that the model needs or
 * that `features` names; without `features`, with every feature that the model could use.
 */
export function chooseEntries(model: ServerModel, options: EmitOptions): FeatureEntry[] {
  const { features } = options;
  const isChosen = ({ name, neededBy }: Feature): boolean =>
    isNeeded(neededBy, model, options) ||
    features?.includes(name) === true ||
    (features === undefined && (neededBy === undefined || !isOfSource(neededBy)));
  const chosen = FEATURES.filter(isChosen);
  const names = new Set(chosen.map(({ name }) => name));
  return chosen
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.with === undefined || names.has(entry.with));
}

/** The source alone decides these: no configuration gives a project an API that it does not have. */
function isOfSource(need: NonNullable<Feature['neededBy']>): boolean {
  return 'binding' in need || 'auth' in need;
}

function isNeeded(need: Feature['neededBy'], model: ServerModel, { app, auth }: EmitOptions): boolean {
  if (need === undefined) return false;
  if ('auth' in need) return auth !== undefined;
  if ('binding' in need) return need.binding === 'http' ? hasApi(model) : app !== undefined;
  if ('taskSupport' in need)
    return model.tools.some(({ execution }) => (execution?.taskSupport ?? 'forbidden') !== 'forbidden');
  const uses = new RegExp(`\\b(?:${need.code.join('|')})\\b`);
  return app?.files.some(({ contents }) => uses.test(contents)) === true;
}
