/** The files of a project as values, from what was compiled and what its options say. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asWritten } from '../config/load/interpolate.ts';
import { configObject, makeConfig } from '../config/options/make-config.ts';
import { isDocument } from '../config/options/sources.ts';
import { authRules } from '../derive/index.ts';
import { type DiagnosticCollector, DiagnosticError } from '../diagnostics/collector.ts';
import {
  type EmitOptions,
  emitProject,
  type GeneratedFile,
  lockPath,
  packagePath,
  parseLock,
  type Provenance,
} from '../emit/index.ts';
import type { GenerateOptions } from './generate.ts';
import { emittedHelpers } from '../hooks/emitted-helpers.ts';
import type { UserCode } from '../hooks/user-code.ts';
import type { AppFiles } from '../model/app-files.ts';
import type { Published } from '../model/published.ts';
import type { ServerModel } from '../model/server-model.ts';
import {
  type ManifestOnDisk,
  readPublished,
  readManifestOnDisk,
  reportIgnoredOptions,
  reportPackage,
} from '../project/package-json.ts';
import type { ConfigDecision } from '../project/load-config.ts';
import { version } from '../util/version.ts';
import type { ExistingProject } from '../project/existing-project.ts';
import { definedMembers } from '../util/collections.ts';

/** What was compiled. */
export interface Compiled {
  model: ServerModel;
  /** The project's folder, from `cwd`. */
  dir: string;
  project: ExistingProject;
  app: AppFiles | undefined;
  code: UserCode | undefined;
  provenance: Provenance;
  /** What the lock is to remember: operation → name. */
  names: Record<string, string>;
}

type Options = GenerateOptions & ConfigDecision;

/** A template of the user may be at fault; hooks as well. */
export async function emitFiles(
  compiled: Compiled,
  options: Options,
  diagnostics: DiagnosticCollector,
): Promise<GeneratedFile[] | DiagnosticError> {
  try {
    const standing = await standingIn(compiled, options);
    const published = readPublished(standing);
    const file = join(compiled.dir, packagePath);
    reportIgnoredOptions(published, options, file, diagnostics);
    if (standing !== undefined) await reportPackage(file, standing, diagnostics);
    return await emit(compiled, options, published);
  } catch (error) {
    if (error instanceof DiagnosticError) return error;
    throw error;
  }
}

/**
 * The package.json of the project that is there. Where the lock is lost, and the run goes on all the same,
 * his words are those that are not what would be generated.
 */
async function standingIn(compiled: Compiled, options: Options): Promise<ManifestOnDisk | undefined> {
  const { force = false, rebuildLock = false } = options;
  const { root } = compiled.project;
  const lock = rebuildLock ? undefined : compiled.project.lock;
  if (lock !== undefined || !(force || rebuildLock) || !existsSync(join(root, packagePath)))
    return readManifestOnDisk(root, lock);
  const files = await emit(compiled, options, {});
  const standing = readManifestOnDisk(
    root,
    parseLock(files.find(({ path }) => path === lockPath)?.contents ?? ''),
  );
  // Without a lock nothing counts as taken out: the merge adds what is missing.
  return standing && { ...standing, manifest: { type: 'module', ...standing.manifest } };
}

async function emit(
  { model, dir, app, code, provenance, names }: Compiled,
  options: Options,
  published: Published,
): Promise<GeneratedFile[]> {
  const { cwd = '.', templates, configOwnership, registryName, omit, runtime, locked = {} } = options;
  const { publish = options.publish, features = options.features } = locked;
  return emitProject(model, {
    source: headings(options),
    compilerVersion: version,
    provenance,
    names,
    published,
    ...(options.configFile === undefined
      ? { config: options.configText ?? asWritten(configObject(makeConfig(options, dir)), options.asWritten) }
      : { configFile: options.configFile }),
    ...definedMembers({ configOwnership, registryName, publish, features, omit, runtime }),
    lockedLists: locked,
    ...(templates === undefined ? {} : { templates: { path: resolve(cwd, templates), label: templates } }),
    ...(code === undefined ? {} : emittedCode(code)),
    ...(app === undefined ? {} : { app, link: options.link ?? false }),
    ...emittedAuth(options),
  });
}

/** What files are headed by where the source is many files. */
const FUNCTIONS = 'annotated functions';

/** What files are said to be made of. URLs are named as the configuration has them: a variable in one may be a secret. */
function headings({ source, sources, typescript, asWritten: texts = [] }: GenerateOptions): string[] {
  const written = new Map(texts.map((text) => [text.filled, text.written]));
  const named = (url: string): string => (/^https?:/i.test(url) ? (written.get(url) ?? url) : url);
  if (sources === undefined) return [typescript === undefined ? named(source) : FUNCTIONS];
  return [...new Set(sources.map((each) => (isDocument(each) ? named(each.openapi) : FUNCTIONS)))];
}

function emittedCode({ hooks, helpers }: UserCode): Pick<EmitOptions, 'helpers' | 'change'> {
  const isChanged = hooks.functions.onFiles !== undefined;
  return {
    helpers: emittedHelpers(helpers),
    ...(isChanged
      ? { change: async (files) => (await import('../hooks/change-files.ts')).changeFiles(files, hooks) }
      : {}),
  };
}

function emittedAuth({ auth }: GenerateOptions): Pick<EmitOptions, 'auth'> {
  const rules = authRules(auth);
  if (rules === undefined) return {};
  const { scopeMap, ...emitted } = rules;
  void scopeMap;
  return { auth: emitted };
}
