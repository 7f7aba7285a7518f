/** The files of a project around its code: package.json, README, and files for building and publishing. */
import type { EnvironmentVariable } from './environment-variable.ts';
import type { Json } from '../util/json-schema.ts';
import type { AppFiles } from '../model/app-files.ts';
import { removeEmphasis, stripMarkdown } from '../model/clean-prose.ts';
import type { ServerModel } from '../model/server-model.ts';
import { CONFIG_PATH, type EmitOptions, leftOut } from './emit-options.ts';
import { chooseFeatures, hasApi } from './features.ts';
import { bindingKey } from '../model/operation-key.ts';
import { commandName } from '../model/published.ts';
import { findGivenRegistryName, packageVersion, registryName } from './package-identity.ts';
import { toOneLine, shortenToLine, formatSources } from './prose.ts';
import {
  developmentPackages,
  chooseNodeEngine,
  redisPackage,
  signaturePackage,
  chooseNodeTypes,
} from './versions.ts';
import { makeClientsView } from './views/clients.ts';
import type { EnvironmentRow, PackageView, ReadmeView, TagRow } from './views/project-views.ts';
import { groupBy } from '../util/collections.ts';
import { MOST_ROWS } from './views/publishing.ts';

function listDependencies(model: ServerModel, options: EmitOptions): Record<string, string> {
  const { app, auth } = options;
  const hasRedis = chooseFeatures(model, options).some(({ name }) => name === 'redis');
  return sortByName({ ...(auth && signaturePackage), ...(hasRedis && redisPackage), ...app?.dependencies });
}

export function makePackageView(model: ServerModel, options: EmitOptions, hasFetch: boolean): PackageView {
  const { app, link = false } = options;
  const omitted = leftOut(options);
  const dependencies = listDependencies(model, options);
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
    build: buildScript(options),
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

/** Linked code is outside of the project, where `tsc` does not see it; files that code reads are none of `tsc`'s. */
function buildScript({ app, link = false }: EmitOptions): string {
  if (link) return 'mcpgen generate && tsc';
  if (app?.files.some(({ isAsset }) => isAsset === true) !== true) return 'tsc';
  const copy =
    "fs.cpSync('src/app','dist/app',{recursive:true,force:false,filter:f=>!/[.][cm]?[jt]sx?$/.test(f)})";
  return `tsc && node -e "${copy}"`;
}

function sortByName(ranges: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(ranges).sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function makeReadmeView(
  model: ServerModel,
  options: EmitOptions,
  variables: { ofApi: EnvironmentVariable[]; all: EnvironmentVariable[] },
  present: ReadonlySet<string>,
): ReadmeView {
  const tools = model.tools
    .slice(0, MOST_ROWS)
    .map((tool) => ({ name: tool.name, summary: summarizeTool(tool), does: bindingKey(tool.binding) }));
  const resources = [
    ...model.resources.map((resource) => ({ uri: resource.uri, summary: summarizeTool(resource) })),
    ...model.resourceTemplates.map((resourceTemplate) => ({
      uri: resourceTemplate.uriTemplate,
      summary: summarizeTool(resourceTemplate),
    })),
  ];
  const prompts = model.prompts.map((prompt) => ({ name: prompt.name, summary: summarizeTool(prompt) }));
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
    hasHttp: present.has('http'),
    hasMock: present.has('mock'),
    registryName: registryName(model, options),
    isNamed: findGivenRegistryName(model, options) !== undefined,
    isPublished: options.publish !== undefined && options.publish.length > 0,
    has: listPresentFiles(options),
    clients: makeClientsView(model, options.published?.name),
    variables: variables.all.map(environmentRow),
    apiVariables: variables.ofApi.map(environmentRow),
    tools,
    moreTools: model.tools.length - tools.length,
    isSearched: model.surface === 'search',
    tags: model.tools.length > tools.length ? countToolsByTag(model).slice(0, MOST_ROWS) : [],
    resources: resources.slice(0, MOST_ROWS),
    moreResources: Math.max(0, resources.length - MOST_ROWS),
    prompts,
  };
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

export function environmentRow({
  name,
  description,
  default: value = '',
}: EnvironmentVariable): EnvironmentRow {
  return { name, description, default: toOneLine(value) };
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
  rootDir: 'src',
  outDir: 'dist',
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
  return { ...COMPILER_OPTIONS, ...app.compilerOptions };
}
