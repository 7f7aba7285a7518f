/** Which features of the runtime a project has, and what it loads of them. */
import { FEATURES, type Feature, type FeatureEntry } from '../../templates/runtime/features.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { EmitOptions } from './emit-options.ts';
import { hasApi } from './has-api.ts';

/** What the model needs, and what `features` names; where it names none, every feature that the model could use. */
export function featuresOf(model: ServerModel, options: EmitOptions): ReadonlySet<string> {
  const { features } = options;
  const has = ({ name, neededBy }: Feature): boolean =>
    isNeeded(neededBy, model, options) ||
    features?.includes(name) === true ||
    (features === undefined && (neededBy === undefined || !isOfSource(neededBy)));
  return new Set(FEATURES.filter(has).map(({ name }) => name));
}

/** Decided by the source alone: no configuration gives a project an API that it does not have. */
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

/** The modules that a project with these features begins with, beside those that every project has. */
export function entriesOf(features: ReadonlySet<string>): FeatureEntry[] {
  return FEATURES.filter(({ name }) => features.has(name))
    .flatMap(({ entries }) => entries)
    .filter((entry) => entry.with === undefined || features.has(entry.with));
}
