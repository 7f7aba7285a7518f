/** The features that a configuration may name. */
import { FEATURES } from './feature-table.ts';

/** Every server has `stdio`. The features that are not named come with a source, with `auth`, or with what a document has. */
export const FEATURE_NAMES: readonly string[] = [
  'stdio',
  ...FEATURES.filter(({ addedBy }) => addedBy === undefined).map(({ name }) => name),
];

/** The features of a project whose configuration names none. */
export const DEFAULT_FEATURES: readonly string[] = ['stdio', 'http'];
