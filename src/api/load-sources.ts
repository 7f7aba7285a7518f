/** Reads the sources of a server. */
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
import { definedMembers } from '../util/collections.ts';

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
  const inputs = listInputs(options);
  const models = new Map<SourceInput, SourceModel | undefined>();
  const texts: SourceTexts[] = [];
  for (const input of inputs.filter(isDocument)) {
    const { readOpenApi } = await import('../frontends/openapi/index.ts');
    const { openapi: source, overlays, allowRemoteRefs, refRoot } = input;
    const own = definedMembers({ overlays, allowRemoteRefs, refRoot });
    const reading = await readOpenApi({ ...options, source, ...own }, diagnostics);
    models.set(input, reading.model);
    texts.push(reading.texts);
  }
  const functions = inputs.filter(isFunctions);
  const app =
    functions.length === 0 ? undefined : await readFunctions(functions, options, models, diagnostics);
  const parts = inputs.flatMap((input): SourcePart[] => {
    const source = models.get(input);
    return source === undefined ? [] : [{ source, options: ownOptions(input) }];
  });
  return {
    texts: { textOf: (file) => texts.map((each) => each.textOf(file)).find((text) => text !== undefined) },
    ...(parts.length < inputs.length ? {} : { parts }),
    ...definedMembers({ app }),
  };
}

/** Lists the sources; a single one becomes a list of one. */
function listInputs(options: CompileOptions): SourceInput[] {
  const { sources, typescript, source } = options;
  if (sources !== undefined) return sources;
  if (typescript !== undefined) {
    const { files, tsconfig } = typescript;
    return [{ typescript: files, ...definedMembers({ tsconfig }) }];
  }
  return [{ openapi: source }];
}

/** The options that hold for this source alone. */
function ownOptions(input: SourceInput): SourceOptions {
  if (!isDocument(input)) return input.prefix === undefined ? {} : { prefix: input.prefix };
  const { openapi, overlays, allowRemoteRefs, refRoot, routeMapFile, ...options } = input;
  void [openapi, overlays, allowRemoteRefs, refRoot, routeMapFile];
  return options;
}

async function readFunctions(
  inputs: FunctionsSource[],
  { cwd, dir: target, observer, memory }: CompileOptions,
  models: Map<SourceInput, SourceModel | undefined>,
  diagnostics: DiagnosticCollector,
): Promise<(options?: AppOptions) => AppFiles> {
  const { readTypeScript } = await import('../frontends/typescript/index.ts');
  const tsconfig = inputs.find((input) => input.tsconfig !== undefined)?.tsconfig;
  const reading = readTypeScript(
    { groups: inputs.map(listSourceFiles), tsconfig, cwd, target, observer, memory },
    diagnostics,
  );
  await reading.checkLoading();
  inputs.forEach((input, index) => models.set(input, reading.models?.[index]));
  return reading.app;
}
