/** Reads the sources of a server, and the skills and workflows beside them. */
import { existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { isUrl } from '../config/options/make-config.ts';
import {
  type FunctionsSource,
  type SourceInput,
  type SourceOptions,
  listSourceFiles,
  isDocument,
  isFunctions,
} from '../config/options/sources.ts';
import type { CompileOptions } from './options.ts';
import type { SourcePart } from '../derive/index.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { SourceTexts } from '../diagnostics/locate/text-places.ts';
import type { AppFiles, AppOptions } from '../model/app-files.ts';
import type { SourceModel } from '../model/source-model.ts';
import { listSkillFoldersBesideCode, isFolderWithoutLink } from '../frontends/skills/find-skills.ts';
import type { Skills } from '../model/skills.ts';
import type { WorkflowFile } from '../model/workflows.ts';
import { observeFolder } from '../project/provenance.ts';
import { omitUndefined } from '../util/collections.ts';

/** Sources that have been read. */
export interface Loaded {
  /** In the order given; absent after an error. */
  parts?: SourcePart[];
  /** The user's own code, of annotated functions; made when asked for. */
  app?: (options?: AppOptions) => AppFiles;
  texts: SourceTexts;
}

/** Reads all sources and reports their faults together. */
export async function loadSources(
  options: CompileOptions,
  diagnostics: DiagnosticCollector,
): Promise<Loaded> {
  const inputs = normalizeSources(options);
  const models = new Map<SourceInput, SourceModel | undefined>();
  const texts: SourceTexts[] = [];
  for (const input of inputs.filter(isDocument)) {
    const { readOpenApi } = await import('../frontends/openapi/index.ts');
    const { openapi: source, overlays, allowRemoteRefs, refRoot } = input;
    const documentOptions = omitUndefined({ overlays, allowRemoteRefs, refRoot });
    const reading = await readOpenApi({ ...options, source, ...documentOptions }, diagnostics);
    models.set(input, reading.model);
    texts.push(reading.texts);
  }
  const functions = inputs.filter(isFunctions);
  const app =
    functions.length === 0 ? undefined : await readFunctionSources(functions, options, models, diagnostics);
  const skills = await loadSkills(inputs, options, diagnostics);
  const workflows = await loadWorkflows(options, diagnostics);
  if (workflows !== undefined) texts.push(workflows.texts);
  const parts = inputs.flatMap((input, index): SourcePart[] => {
    const source = models.get(input);
    if (source === undefined) return [];
    const beside = index === 0 ? omitUndefined({ skills, workflows: workflows?.files }) : {};
    return [{ source: { ...source, ...beside }, options: optionsOfSource(input) }];
  });
  return {
    texts: {
      textOf: (file) =>
        texts.map((sourceTexts) => sourceTexts.textOf(file)).find((text) => text !== undefined) ??
        (file === options.configuration?.file ? options.configuration.text : undefined),
    },
    ...(parts.length < inputs.length ? {} : { parts }),
    ...omitUndefined({ app }),
  };
}

async function loadWorkflows(
  { workflows, configuration, cwd, observer }: CompileOptions,
  diagnostics: DiagnosticCollector,
): Promise<{ files: WorkflowFile[]; texts: SourceTexts } | undefined> {
  if (workflows === undefined) return undefined;
  if (!Array.isArray(workflows)) {
    const { file = '<workflows>', pointers = { workflows: '' } } = configuration ?? {};
    const texts = { textOf: () => undefined };
    return { files: [{ file, pointer: pointers.workflows, value: workflows }], texts };
  }
  const { readWorkflowFiles } = await import('../frontends/workflows/read-workflows.ts');
  return readWorkflowFiles(workflows, { cwd, observer }, diagnostics);
}

async function loadSkills(
  inputs: readonly SourceInput[],
  options: CompileOptions,
  diagnostics: DiagnosticCollector,
): Promise<Skills | undefined> {
  const { skills, cwd = '.', observer } = options;
  const folder = findSkillsFolder(options, inputs);
  if (folder === undefined) {
    const missing = listPossibleSkillsFolders(options, inputs).filter((place) => !existsSync(place));
    if (observer !== undefined) for (const place of missing) observeFolder(place, observer);
    if (skills !== undefined && skills !== '-') diagnostics.report('skills-not-found', { folder: skills });
    return undefined;
  }
  const { readSkills } = await import('../frontends/skills/read-skills.ts');
  if (observer !== undefined) observeFolder(folder, observer);
  return readSkills(
    { absolute: folder, shown: skills ?? (relative(resolve(cwd), folder) || '.') },
    diagnostics,
  );
}

type SkillsOptions = Pick<CompileOptions, 'skills' | 'cwd' | 'source' | 'sources' | 'typescript'>;

/** The folder of skills (absolute): what `skills` says, else `skills` beside a source. */
function findSkillsFolder(options: SkillsOptions, inputs: readonly SourceInput[]): string | undefined {
  const isFolder = options.skills === undefined ? isFolderWithoutLink : isFolderOrLink;
  return listPossibleSkillsFolders(options, inputs).find(isFolder);
}

function isFolderOrLink(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Lists the folders that may hold skills, whether they exist or not. */
function listPossibleSkillsFolders(
  { skills, cwd = '.' }: SkillsOptions,
  inputs: readonly SourceInput[],
): string[] {
  if (skills === '-') return [];
  if (skills !== undefined) return [resolve(cwd, skills)];
  return inputs.flatMap((input) => {
    if (isFunctions(input)) return listSkillFoldersBesideCode(listSourceFiles(input), resolve(cwd));
    const { openapi } = input;
    return openapi === '-' || isUrl(openapi) ? [] : [resolve(cwd, dirname(openapi), 'skills')];
  });
}

/** Lists the sources; a single one becomes a list of one. */
function normalizeSources(options: Pick<CompileOptions, 'source' | 'sources' | 'typescript'>): SourceInput[] {
  const { sources, typescript, source } = options;
  if (sources !== undefined) return sources;
  if (typescript !== undefined) {
    const { files, tsconfig } = typescript;
    return [{ typescript: files, ...omitUndefined({ tsconfig }) }];
  }
  return [{ openapi: source }];
}

/** The options that hold for this source alone. */
function optionsOfSource(input: SourceInput): SourceOptions {
  if (!isDocument(input)) return input.prefix === undefined ? {} : { prefix: input.prefix };
  const { openapi, overlays, allowRemoteRefs, refRoot, routeMapFile, ...options } = input;
  void [openapi, overlays, allowRemoteRefs, refRoot, routeMapFile];
  return options;
}

async function readFunctionSources(
  inputs: FunctionsSource[],
  { cwd, dir: target, observer, noCode = false }: CompileOptions,
  models: Map<SourceInput, SourceModel | undefined>,
  diagnostics: DiagnosticCollector,
): Promise<(options?: AppOptions) => AppFiles> {
  const { readTypeScript } = await import('../frontends/typescript/index.ts');
  const runSchemas = noCode ? undefined : (await import('../serve/run-schemas.ts')).runSchemas;
  const tsconfig = inputs.find((input) => input.tsconfig !== undefined)?.tsconfig;
  const reading = readTypeScript(
    { groups: inputs.map(listSourceFiles), tsconfig, cwd, target, observer, runSchemas },
    diagnostics,
  );
  reading.checkLoading();
  inputs.forEach((input, index) => models.set(input, reading.models?.[index]));
  return reading.app;
}
