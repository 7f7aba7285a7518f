/** The features that a configuration may name. */
import { FEATURES } from '../../templates/runtime/features.ts';

/** Names of features, in the order of the table. The others come with a source or with `auth`. */
export const FEATURE_NAMES = FEATURES.filter(({ addedBy }) => addedBy === undefined).map(({ name }) => name);

/** The features of a project whose configuration names none. */
export const DEFAULT_FEATURES = FEATURES.filter(({ isDefault }) => isDefault === true).map(
  ({ name }) => name,
);

/** The features that mcpgen 0.1 gave every project. */
export const FEATURES_OF_0_1 = (
  'stdio,http,sse,websocket,audit,mock,tasks,ask,bodies,client-credentials,transfers,proxy,patterns,' +
  'uri-templates,exchange'
).split(',');
