/** The files of a project around its code: package.json, README, and files for building and publishing. */
import {
  type EnvironmentVariable,
  isForFile,
  listFeatureVariables,
} from '../../templates/runtime/contract/feature.ts';
import type { Json } from '../../templates/runtime/contract/json-schema.ts';
import { FEATURES, type FeatureRow } from '../../templates/runtime/features.ts';
import { listApiVariables } from './api-variables.ts';
import { awaitAllDiagnostics } from '../diagnostics/collector.ts';
import type { AppFiles } from '../model/app-files.ts';
import { removeEmphasis, removeInvisible, stripMarkdown } from '../model/clean-prose.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import { CONFIG_PATH, type EmitOptions, leftOut } from './emit-options.ts';
import { WRITTEN_ONCE } from './emitted-paths.ts';
import { chooseFeatures, hasApi } from './features.ts';
import type { GeneratedFile } from './generated-file.ts';
import { bindingKey } from '../model/operation-key.ts';
import { commandName } from '../model/published.ts';
import { findGivenRegistryName, packageVersion, registryName } from './package-identity.ts';
import { toOneLine, shortenToLine, formatSources } from './prose.ts';
import type { Templates } from './templates/open-templates.ts';
import {
  developmentPackages,
  chooseNodeEngine,
  redisPackage,
  signaturePackage,
  chooseNodeTypes,
} from './versions.ts';
import { makeClientsView } from './views/clients.ts';
import type {
  CommandRow,
  EnvironmentRow,
  PackageView,
  ReadmeView,
  RuntimeReadmeView,
  TagRow,
  ToolRow,
} from './views/project-views.ts';
import { groupBy } from '../util/collections.ts';
import { makeComposeView, makeKubernetesView } from './views/deployment.ts';
import { MOST_ROWS, makeManifestView, makeRegistryView } from './views/publishing.ts';
import type { TemplateName, TemplateViews } from './views/template-views.ts';

/** The last step of `npm run build`. */
const BUILD_SCRIPT = 'src/runtime/build.mjs';

/** Emits the files around the code: how the project is built, run, described and published. */
export async function emitProjectFiles(
  model: ServerModel,
  options: EmitOptions,
  templates: Templates,
): Promise<GeneratedFile[]> {
  const ofApi = listApiVariables(model).map(cleanDescription);
  const features = chooseFeatures(model, options);
  const present = new Set(features.map(({ name }) => name));
  const ofServer = listFeatureVariables({ rows: FEATURES, present });
  const all = [...ofApi, ...ofServer];
  const omitted = leftOut(options);
  // Only servers with shared state are balanced.
  if (!present.has('redis')) omitted.add('deploy/haproxy.cfg');
  if (!present.has('fetch')) omitted.add('fetch.d.ts');
  const emitFile = async <N extends TemplateName>(
    path: N,
    view: () => TemplateViews[N],
  ): Promise<GeneratedFile[]> => {
    // A user's template is rendered even if its file is left out, so that its faults are reported.
    if (omitted.has(path) && !templates.isUserTemplate(path)) return [];
    const contents = await templates.render(path, view());
    return omitted.has(path)
      ? []
      : [{ path, contents, ownership: WRITTEN_ONCE.has(path) ? 'once' : 'generated' }];
  };
  const files = await awaitAllDiagnostics([
    emitFile('package.json', () => makePackageView(model, options, present.has('fetch'))),
    emitFile('README.md', () => makeReadmeView(model, options, features, { ofApi, all })),
    emitFile('.env.example', () => ({
      title: model.title,
      variables: all.filter(({ name }) => isForFile(name)).map(environmentRow),
    })),
    emitFile('.gitattributes', () => ({})),
    emitFile('.gitignore', () => ({})),
    emitFile('.prettierignore', () => ({})),
    emitFile('.dockerignore', () => ({})),
    emitFile('Dockerfile', () => ({ hasAuth: options.auth !== undefined })),
    emitFile('compose.yaml', () => makeComposeView(model, { ofApi, ofServer, present })),
    emitFile('deploy/haproxy.cfg', () => ({})),
    emitFile('deploy/kubernetes.yaml', () => makeKubernetesView(model, { ofApi, ofServer, present })),
    emitFile('server.json', () => makeRegistryView(model, ofApi, options)),
    emitFile('manifest.json', () => makeManifestView(model, ofApi, options)),
    emitFile('bundle.mjs', () => ({})),
    emitFile('sbom.mjs', () => ({})),
    emitFile('.github/workflows/publish.yml', () => ({})),
    emitFile('fetch.d.ts', () => ({})),
    emitFile('tsconfig.json', () => ({
      options: {
        ...compilerOptions(options.link === true ? undefined : options.app),
        // The data files are megabytes, which tsc would read and copy.
        ...(present.has('fetch') && { resolveJsonModule: false }),
      },
    })),
    emitFile('src/runtime/README.md', () => makeRuntimeReadmeView(model, options, features)),
    emitFile(BUILD_SCRIPT, () => ({})),
  ]);
  return files.flat();
}

function listDependencies(model: ServerModel, options: EmitOptions): Record<string, string> {
  const { app, auth } = options;
  const hasRedis = chooseFeatures(model, options).some(({ name }) => name === 'redis');
  return sortByName({ ...(auth && signaturePackage), ...(hasRedis && redisPackage), ...app?.dependencies });
}

export function makePackageView(model: ServerModel, options: EmitOptions, hasFetch: boolean): PackageView {
  const { app, link = false } = options;
  const omitted = leftOut(options);
  const dependencies = listDependencies(model, options);
  // Linked code is outside of the project, where `tsc` does not see it: mcpgen compiles it first.
  return {
    name: model.name,
    version: packageVersion(model.version),
    description: shortenToLine(
      model.description === '' ? model.title : stripMarkdown(model.description),
      200,
    ),
    mcpName: registryName(model, options),
    hasMcpName: !omitted.has('server.json') || findGivenRegistryName(model, options) !== undefined,
    bin: commandName(model),
    node: chooseNodeEngine(app),
    build: `${(options.link ?? false) ? 'mcpgen generate && ' : ''}tsc && node ${BUILD_SCRIPT}`,
    hasBundle: !omitted.has('bundle.mjs'),
    hasSbom: !omitted.has('sbom.mjs'),
    hasFetch,
    hasDependencies: Object.keys(dependencies).length > 0,
    dependencies,
    devDependencies: sortByName({
      ...(link ? {} : app?.devDependencies),
      ...developmentPackages,
      '@types/node': chooseNodeTypes(link ? undefined : app),
    }),
  };
}

function sortByName(ranges: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(ranges).sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function makeReadmeView(
  model: ServerModel,
  options: EmitOptions,
  features: readonly FeatureRow[],
  variables: { ofApi: EnvironmentVariable[]; all: EnvironmentVariable[] },
): ReadmeView {
  const tools = model.tools.slice(0, MOST_ROWS).map(toolRow);
  const resources = [
    ...model.resources.map((resource) => ({ uri: resource.uri, summary: summarizeTool(resource) })),
    ...model.resourceTemplates.map((resourceTemplate) => ({
      uri: resourceTemplate.uriTemplate,
      summary: summarizeTool(resourceTemplate),
    })),
  ];
  const prompts = model.prompts.map((prompt) => ({ name: prompt.name, summary: summarizeTool(prompt) }));
  const present = new Set(features.map(({ name }) => name));
  return {
    name: options.published?.name ?? model.name,
    bin: commandName(model),
    title: model.title,
    description: shortenToLine(removeEmphasis(model.description), 500),
    source: formatSources(options.source),
    config: options.configuration ?? CONFIG_PATH,
    node: describeVersionRange(chooseNodeEngine(options.app)),
    installs:
      options.published?.installs === true || Object.keys(listDependencies(model, options)).length > 0,
    hasApi: hasApi(model),
    hasFunctions: options.app !== undefined,
    hasApp: options.app !== undefined && options.link !== true,
    isLinked: options.link === true,
    hasAuth: options.auth !== undefined,
    registryName: registryName(model, options),
    isNamed: findGivenRegistryName(model, options) !== undefined,
    isPublished: options.publish !== undefined && options.publish.length > 0,
    has: listPresentFiles(options),
    commands: features.flatMap(({ command }) => (command === undefined ? [] : [makeCommandRow(command)])),
    features: features.map((feature) => makeReadmeFeature(feature, present)),
    clients: makeClientsView(model, options.published?.name),
    variables: variables.all.map(environmentRow),
    apiVariables: variables.ofApi.map(environmentRow),
    tools,
    hasTools: tools.length > 0,
    moreTools: model.tools.length - tools.length,
    isSearched: model.surface === 'search',
    tags: model.tools.length > tools.length ? countToolsByTag(model).slice(0, MOST_ROWS) : [],
    resources: resources.slice(0, MOST_ROWS),
    hasResources: resources.length > 0,
    moreResources: Math.max(0, resources.length - MOST_ROWS),
    prompts,
    hasPrompts: prompts.length > 0,
  };
}

function makeReadmeFeature(
  feature: FeatureRow,
  present: ReadonlySet<string>,
): ReadmeView['features'][number] {
  const { name, about, readme = about, variables = [] } = feature;
  const shown = variables.filter((variable) => variable.with === undefined || present.has(variable.with));
  return { name, about: readme, variables: shown.map((variable) => `\`${variable.name}\``).join(', ') };
}

function makeRuntimeReadmeView(
  model: ServerModel,
  options: EmitOptions,
  features: readonly FeatureRow[],
): RuntimeReadmeView {
  return {
    version: options.compilerVersion,
    config: options.configuration ?? CONFIG_PATH,
    hasApi: hasApi(model),
    hasFunctions: options.app !== undefined,
    hasAuth: options.auth !== undefined,
    hasRedis: features.some(({ name }) => name === 'redis'),
    features: features.map(({ name, about }) => ({ name, about })),
  };
}

/** Pads the command, so that the comments of all commands line up. */
function makeCommandRow([args, purpose]: NonNullable<FeatureRow['command']>): CommandRow {
  return { line: `node dist/main.js ${args}`.trim().padEnd(48), purpose };
}

function describeVersionRange(range: string): string {
  const [, least] = /^>=\s*([\d.]+)$/.exec(range) ?? [];
  return least === undefined ? `\`${range}\`` : `${least} or newer`;
}

function listPresentFiles(options: EmitOptions): ReadmeView['has'] {
  const omitted = leftOut(options);
  const { publish = [] } = options;
  return {
    npm: (['npm', 'registry', 'github'] as const).some((target) => publish.includes(target)),
    environment: !omitted.has('.env.example'),
    container: !omitted.has('Dockerfile'),
    compose: !omitted.has('compose.yaml'),
    bundle: !omitted.has('bundle.mjs'),
    sbom: !omitted.has('sbom.mjs'),
    registry: !omitted.has('server.json'),
    workflow: !omitted.has('.github/workflows/publish.yml'),
  };
}

/** Cleans the description, which for some variables contains text of the document. */
function cleanDescription(variable: EnvironmentVariable): EnvironmentVariable {
  return { ...variable, description: removeInvisible(variable.description) };
}

export function environmentRow({
  name,
  description,
  default: value = '',
}: EnvironmentVariable): EnvironmentRow {
  return { name, description, default: toOneLine(value) };
}

function toolRow(tool: Tool): ToolRow {
  return { name: tool.name, summary: summarizeTool(tool), does: bindingKey(tool.binding) };
}

function countToolsByTag({ tools }: ServerModel): TagRow[] {
  const groups = groupBy(tools, ({ tags: [tag = ''] }) => tag);
  return [...groups].flatMap(([tag, group]) => (tag === '' ? [] : [{ tag, tools: group.length }]));
}

function summarizeTool({ title, description = '' }: { title?: string; description?: string }): string {
  return shortenToLine(title ?? description, 100);
}

/** The compiler options of `npm run build`. */
const COMPILER_OPTIONS: Readonly<Record<string, Json>> = {
  target: 'ES2023',
  lib: ['ES2023'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: ['node'],
  rootDir: '.',
  // src/runtime/build.mjs moves it to dist/, which stays as it is where the code has an error.
  outDir: 'dist/.build',
  noEmitOnError: true,
  sourceMap: true,
  strict: true,
  noUnusedLocals: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
  forceConsistentCasingInFileNames: true,
  allowImportingTsExtensions: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
};

/** The user's own code keeps the options that it is written for. */
export function compilerOptions(app: AppFiles | undefined): Record<string, Json> {
  if (app === undefined) return COMPILER_OPTIONS;
  const options: Record<string, Json> = { ...COMPILER_OPTIONS, ...app.compilerOptions };
  if (!app.isErasable) delete options['erasableSyntaxOnly'];
  return options;
}
