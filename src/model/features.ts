/** The features that a configuration may name. */
import { isDeepStrictEqual } from 'node:util';
import { FEATURES } from './feature-table.ts';

/** Every server has `stdio`. The features that are not named come with a source, with `auth`, or with what a document has. */
export const FEATURE_NAMES: readonly string[] = [
  'stdio',
  ...FEATURES.filter(({ addedBy }) => addedBy === undefined).map(({ name }) => name),
];

/** The features of a project whose configuration names none. */
export const DEFAULT_FEATURES: readonly string[] = ['stdio', 'http'];
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
