/** The features that a configuration may name. */
import { isDeepStrictEqual } from 'node:util';
import { FEATURES } from '../../templates/runtime/features.ts';

/** Names of features, in the order of the table. The others come with a source or with `auth`. */
export const FEATURE_NAMES = FEATURES.filter(({ addedBy }) => addedBy === undefined).map(({ name }) => name);

/** The features of a project whose configuration names none. */
export const DEFAULT_FEATURES = FEATURES.filter(({ isDefault }) => isDefault === true).map(
  ({ name }) => name,
);

/** Transports that a first configuration may name; every server has stdio. */
export const TRANSPORTS = ['stdio', 'http', 'sse', 'websocket'] as const;

/** The features with these transports: `undefined` if they are the default ones. */
export function featuresForTransports(transports: readonly string[]): string[] | undefined {
  const needsHttp = transports.some((transport) => transport !== 'stdio');
  const featureNames = FEATURE_NAMES.filter((name) => {
    if (name === 'http') return needsHttp;
    const isTransport = name !== 'stdio' && TRANSPORTS.some((transport) => transport === name);
    return isTransport ? transports.includes(name) : DEFAULT_FEATURES.includes(name);
  });
  return isDeepStrictEqual(featureNames, DEFAULT_FEATURES) ? undefined : featureNames;
}
