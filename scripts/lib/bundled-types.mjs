/** Declarations of the runtime, each in one file: those that glue and handlers import, and those of `mcpgen/runtime`. */
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

/** Classes that the declarations of Node or of browsers bring; without either, members that functions use. */
const GLOBALS = {
  AbortSignal: `{
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}`,
  URL: '{ href: string; toString(): string }',
  Headers:
    '{ get(name: string): string | null; has(name: string): boolean; set(name: string, value: string): void; append(name: string, value: string): void; delete(name: string): void }',
  Request: 'object',
  Response: 'object',
};

/**
 * The declarations of `mcpgen/runtime`, which compile with and without `@types/node` and the library `dom`.
 *
 * @param {string} folder of the compiled runtime
 * @param {string} header
 */
export async function functionTypes(folder, header) {
  // Functions start no server.
  const replaced = new Map([['run', '']]);
  for (const name of [...OPAQUE, 'FeatureLoaders']) replaced.set(name, `type ${name} = object;`);
  const globals = Object.entries(GLOBALS).map(
    ([name, members]) => `type ${name} = Global<'${name}', ${members}>;`,
  );
  const text = `${header}
/** The class of this name, where the program declares it. */
type Global<Name extends string, Otherwise> =
  typeof globalThis extends Readonly<Record<Name, { prototype: infer Type }>> ? Type : Otherwise;

${globals.join('\n')}

${rollTypes([`${folder}/index.d.ts`], replaced)}`;
  return format(text, { ...(await resolveConfig(import.meta.filename)), parser: 'typescript' });
}
