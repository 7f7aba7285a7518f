/** The features that a server has, and the messages about those that it lacks. */
import { type Feature, type FeatureEntry, withoutFeature } from '../contract/feature.ts';
import type { ServerDefinition } from '../definition.ts';
import { FEATURES } from '../features.ts';
import { type Environment, type Settings, UsageError } from './settings.ts';

export type FeatureParts = Pick<ServerDefinition, 'features' | 'functions' | 'auth' | 'hasApi'>;

export function presentFeatures(definition: FeatureParts): ReadonlySet<string> {
  const { features = {}, hasApi = true } = definition;
  const isPresent = ({ name, entries }: Feature): boolean => {
    if (name === 'api' && !hasApi) return false;
    const has = ({ loader, member }: FeatureEntry): boolean =>
      ((loader && features[loader]) ?? (member && definition[member])) !== undefined;
    return entries.length === 0 || entries.some(has);
  };
  return new Set(FEATURES.filter(isPresent).map(({ name }) => name));
}

/** Says how to add a feature, or the other feature that its flag or variable needs. */
export function explainMissingFeature(
  feature: Feature,
  other: string | undefined,
  present: ReadonlySet<string>,
): string {
  // A part of the API client is of no use to a server without one.
  const lacksBase = feature.with !== undefined && !present.has(feature.with);
  const missing = lacksBase ? feature.with : present.has(feature.name) ? other : undefined;
  const absent = FEATURES.find(({ name }) => name === missing) ?? feature;
  return withoutFeature(absent.name, absent.addedBy);
}

/**
 * Looks for variables of features that the server was generated without; those that need HTTP count only over HTTP. Only
 * names that begin with MCP_ count, since others may be set for other programs.
 *
 * @returns a warning, if such variables are set
 * @throws {UsageError} if one of them concerns safety or state
 */
export function checkVariables(
  definition: FeatureParts,
  env: Environment,
  transport: Settings['transport'],
): string | undefined {
  const present = presentFeatures(definition);
  const counts = ({ name, needs = [] }: Feature): boolean =>
    !present.has(name) && (transport === 'http' || !needs.includes('http'));
  const found = FEATURES.filter(counts).flatMap((feature) =>
    Object.keys(env)
      .filter((name) => name.startsWith('MCP_') && Boolean(env[name]) && reads(feature, name))
      .map((name) => ({ feature, name })),
  );
  const refused = found.find(({ feature }) => feature.isRefused === true);
  if (refused !== undefined)
    throw new UsageError(
      `${refused.name} is set. ${explainMissingFeature(refused.feature, undefined, present)}`,
    );
  const [first] = found;
  if (first === undefined) return undefined;
  const names = found.map(({ name }) => name).join(', ');
  return `ignored: ${names}. ${explainMissingFeature(first.feature, undefined, present)}`;
}

function reads({ variables = [], variablePrefix }: Feature, name: string): boolean {
  const hasPrefix = variablePrefix !== undefined && name.startsWith(variablePrefix);
  return hasPrefix || variables.some((each) => each.name === name);
}
