import type { EnvironmentVariable } from '../../templates/runtime/main/environment-variable.ts';
import { variablesOfServer } from '../../templates/runtime/main/server-variables.ts';
import { apiVariables } from '../../templates/runtime/main/variables.ts';
import { hasApi } from './has-api.ts';
import { AUTH_VARIABLES, ON_BEHALF_VARIABLES } from '../../templates/runtime/oauth/variables.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import { CONFIG_PATH, type EmitOptions } from './emit-options.ts';
import type { GeneratedFile } from './generated-file.ts';
import { operationKey } from './lock.ts';
import { neededVariables } from './needed-variables.ts';
import { oneLine, shorten } from './one-line.ts';
import { plainText, withoutEmphasis } from './plain-text.ts';
import { packageVersion } from './package-version.ts';
import { compilerOptions } from './compiler-options.ts';
import { sourceLabel } from './source-label.ts';
import type { Templates } from './templates/open-templates.ts';
import { developmentPackages, nodeEngine, signaturePackage } from './versions.ts';
import type { EnvironmentRow, PackageView, ReadmeView, ToolRow } from './views/project-views.ts';
import { registryName, viewManifest, viewRegistry } from './views/publishing.ts';
import type { TemplateName, TemplateViews } from './views/template-views.ts';

/** The files around the code: how the project is built, run, described and published. */
export async function emitProjectFiles(
  model: ServerModel,
  options: EmitOptions,
  templates: Templates,
): Promise<GeneratedFile[]> {
  const variables = apiVariables(model);
  const all = [
    ...variables,
    ...variablesOfServer({ hasApi: hasApi(model) }),
    ...(options.auth === undefined ? [] : AUTH_VARIABLES),
    ...(options.auth === undefined || !hasApi(model) ? [] : ON_BEHALF_VARIABLES),
  ];
  const file = async <N extends TemplateName>(path: N, view: TemplateViews[N]): Promise<GeneratedFile> => ({
    path,
    contents: await templates.render(path, view),
    ownership: 'generated',
  });
  return Promise.all([
    file('package.json', viewPackage(model, options)),
    file('README.md', viewReadme(model, options, all)),
    file('.env.example', { title: model.title, variables: all.map(row) }),
    file('.gitignore', {}),
    file('.dockerignore', {}),
    file('Dockerfile', { installs: installs(options), hasAuth: options.auth !== undefined }),
    file('server.json', viewRegistry(model, variables)),
    file('manifest.json', viewManifest(model, variables)),
    file('sbom.mjs', {}),
    file('tsconfig.json', { options: compilerOptions(options.link === true ? undefined : options.app) }),
    file('test/tsconfig.json', {}),
  ]);
}

function installs(options: EmitOptions): boolean {
  return Object.keys(dependenciesOf(options)).length > 0;
}

/** Those of the user's code stand as he has them. */
function dependenciesOf({ app, auth }: EmitOptions): Record<string, string> {
  return byName({ ...(auth === undefined ? {} : signaturePackage), ...app?.dependencies });
}

/** A linked project is compiled again first: its own code stands elsewhere, and `tsc` does not see it. */
function buildCommand({ app, link = false }: EmitOptions): string {
  if (link) return 'mcpgen generate && tsc && tsc -p test';
  const copies = app?.files.some(({ isAsset }) => isAsset === true) === true ? ` && ${COPY_ASSETS}` : '';
  return `tsc --noEmit && npm run --silent clean && tsc && tsc -p test${copies}`;
}

/** What the user's code reads beside itself. No name of a file stands in a shell's words. */
const COPY_ASSETS =
  "node -e \"fs.cpSync('src/app', 'dist/app', { recursive: true, filter: (file) => " +
  "!['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx'].includes(path.extname(file)) })\"";

function viewPackage(model: ServerModel, options: EmitOptions): PackageView {
  const { app, link = false } = options;
  return {
    name: model.name,
    version: packageVersion(model.version),
    description: shorten(model.description === '' ? model.title : plainText(model.description), 200),
    mcpName: registryName(model),
    bin: commandName(model),
    node: nodeEngine,
    build: buildCommand(options),
    dependencies: dependenciesOf(options),
    devDependencies: byName({ ...(link ? {} : app?.devDependencies), ...developmentPackages }),
  };
}

function byName(ranges: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(ranges).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function viewReadme(model: ServerModel, options: EmitOptions, variables: EnvironmentVariable[]): ReadmeView {
  const environment = neededVariables(model);
  const server = {
    command: 'node',
    args: [`/path/to/${commandName(model)}/dist/main.js`],
    ...(environment.length === 0
      ? {}
      : { env: Object.fromEntries(environment.map(({ name, placeholder }) => [name, placeholder])) }),
  };
  return {
    name: model.name,
    bin: commandName(model),
    title: model.title,
    description: shorten(withoutEmphasis(model.description), 500),
    source: sourceLabel(options.source),
    config: options.configFile ?? CONFIG_PATH,
    node: `${nodeEngine.replace('>=', '')} or newer`,
    installs: installs(options),
    hasApi: hasApi(model),
    hasFunctions: options.app !== undefined,
    hasApp: options.app !== undefined && options.link !== true,
    isLinked: options.link === true,
    registryName: registryName(model),
    clients: {
      mcpServers: { mcpServers: { [model.name]: server } },
      servers: { servers: { [model.name]: { type: 'stdio', ...server } } },
      environment,
      asksForValues: environment.length > 0,
    },
    variables: variables.map(row),
    tools: model.tools.map(toolRow),
  };
}

function row({ name, description, default: value = '' }: EnvironmentVariable): EnvironmentRow {
  return { name, description, default: oneLine(value) };
}

function toolRow({ name, title, description, binding }: Tool): ToolRow {
  return { name, summary: shorten(title ?? description ?? '', 100), does: operationKey(binding) };
}

/** A scoped package's command has no scope. */
function commandName({ name }: ServerModel): string {
  return name.split('/').at(-1) ?? name;
}
