/** The declarations of the bundled runtime, in one file: what handlers and glue import. */
import { format, resolveConfig } from 'prettier';
import { rollTypes } from './roll-types.mjs';

/** Types of the runtime's own parts, which projects only pass on. */
const OPAQUE = ['AuthRuntime', 'OpenFunctions', 'OpenOnBehalf', 'Watch'];

/**
 * @param {string} folder of the compiled runtime
 * @param {readonly import('../../templates/runtime/features.ts').FeatureRow[]} features
 * @param {string} header
 */
export async function bundledTypes(folder, features, header) {
  const names = features
    .flatMap(({ entries }) => entries.map(({ loader }) => `'${loader}'`))
    .filter((name) => name !== "'fetch'");
  const replaced = new Map(OPAQUE.map((name) => [name, `export type ${name} = object;`]));
  replaced.set('FeatureLoaders', 'export type FeatureLoaders = Partial<typeof loaders>;');
  const files = ['index', 'definition', 'main/run'].map((module) => `${folder}/${module}.d.ts`);
  const text = `${header}
/** Loads the features that \`src/server.ts\` names. */
export declare const loaders: Readonly<Record<${names.join(' | ')}, () => Promise<never>>> & {
  readonly fetch: () => Promise<{ createFetchHandler: CreateFetchHandler }>;
};

${rollTypes(files, replaced)}`;
  return format(text, { ...(await resolveConfig(import.meta.filename)), parser: 'typescript' });
}
