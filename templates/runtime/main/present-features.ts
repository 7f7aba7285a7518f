// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The features that a server has, and the messages about those that it lacks. */
import { type Feature, withoutFeature } from '../contract/feature.ts';
import type { ServerDefinition } from '../definition.ts';
import { readGenerated } from './process-context.ts';
import { type Environment, type Settings, UsageError } from './settings.ts';

export type FeatureParts = Pick<ServerDefinition, 'features' | 'functions' | 'auth' | 'hasApi' | 'generated'>;

export interface ServerFeatures {
  /** The rows of all features, in the order of the table. */
  rows: readonly Feature[];
  /** Names of those that the server has. */
  present: ReadonlySet<string>;
}

/** @throws {Error} if `features.json` is missing */
export function readFeatures(definition: FeatureParts): ServerFeatures {
  const { features = {}, hasApi = true, generated } = definition;
  const { features: rows } = JSON.parse(readGenerated(generated, 'features.json')) as { features: Feature[] };
  const members: Readonly<Record<string, unknown>> = { ...features, ...definition };
  const isPresent = ({ name, loadedBy }: Feature): boolean =>
    (name !== 'api' || hasApi) && (loadedBy?.some((member) => members[member] !== undefined) ?? true);
  return { rows, present: new Set(rows.filter(isPresent).map(({ name }) => name)) };
}

/** Says how to add a feature, or the other feature that its flag or variable needs. */
export function explainMissingFeature(
  feature: Feature,
  other: string | undefined,
  { rows, present }: ServerFeatures,
): string {
  // A part of the API client is of no use to a server without one.
  const lacksBase = feature.with !== undefined && !present.has(feature.with);
  const missing = lacksBase ? feature.with : present.has(feature.name) ? other : undefined;
  const absent = rows.find(({ name }) => name === missing) ?? feature;
  return withoutFeature(absent.name, absent.addedBy);
}

/**
 * Looks for variables of features that the server was generated without; those that need HTTP count only over HTTP. Names that do not
 * begin with MCP_ may be set for other programs, so that only those in `missed` count, where requests are sent.
 *
 * @returns a warning, if such variables are set
 * @throws {UsageError} if one of them concerns safety or state
 */
export function checkVariables(
  definition: FeatureParts,
  env: Environment,
  transport: Settings['transport'],
): string | undefined {
  const features = readFeatures(definition);
  const { rows, present } = features;
  const sends = present.has('api') || (present.has('oauth') && transport === 'http');
  const names = Object.keys(env).filter((name) => Boolean(env[name]));
  const found = rows
    .filter(({ name, needs = [] }) => !present.has(name) && (transport === 'http' || !needs.includes('http')))
    .flatMap((feature) =>
      names.filter((name) => hasVariable(feature, name, sends)).map((name) => ({ feature, name })),
    );
  const refused = found.find(({ feature }) => feature.isRefused === true);
  if (refused !== undefined)
    throw new UsageError(
      `${refused.name} is set. ${explainMissingFeature(refused.feature, undefined, features)}`,
    );
  if (found.length === 0) return undefined;
  const lines = new Set(found.map(({ feature }) => explainMissingFeature(feature, undefined, features)));
  return `ignored: ${found.map(({ name }) => name).join(', ')}. ${[...lines].join(' ')}`;
}

function hasVariable(
  { variables = [], variablePrefix, missed = [] }: Feature,
  name: string,
  sends: boolean,
): boolean {
  if (!name.startsWith('MCP_')) return sends && missed.includes(name.toUpperCase());
  const hasPrefix = variablePrefix !== undefined && name.startsWith(variablePrefix);
  return hasPrefix || variables.some((each) => each.name === name);
}
