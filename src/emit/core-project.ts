/** Projects on the core of the runtime: those whose features are all guests of its seams. */
import type {
  EncodingBinding,
  HttpBinding,
  ParameterBinding,
} from '../../templates/runtime/contract/bindings.ts';
import type { EnvironmentVariable } from '../../templates/runtime/contract/feature.ts';
import { plainVariable } from '../../templates/runtime/contract/common-variables.ts';
import { FEATURES } from '../../templates/runtime/features.ts';
import { CORE_SETTINGS, isForFile } from '../../templates/runtime-next/settings.ts';
import { DEFAULT_FEATURES } from '../model/features.ts';
import type { ServerModel } from '../model/server-model.ts';
import { listApiVariables } from './api-variables.ts';
import { readCore } from './assets.ts';
import {
  listViewMembers,
  makeHandlersView,
  makeSourceAndBuildFiles,
  makeTypesCode,
  makeTypesView,
  pickDefinitionMembers,
} from './code-files.ts';
import { emitDataFiles } from './data-files.ts';
import { CONFIG_PATH, type EmitOptions, leftOut } from './emit-options.ts';
import { chooseFeatureEntries, hasApi, listHttpBindings } from './features.ts';
import type { GeneratedFile } from './generated-file.ts';
import { compilerOptions, environmentRow, makePackageView, makeReadmeView } from './project-files.ts';
import { formatSources } from './prose.ts';
import { toGeneratedFiles } from './runtime-files.ts';
import type { Language } from './templates/helpers.ts';
import { openBuiltIn } from './templates/compile-template.ts';
import type { coreTemplateNames } from './views/template-views.ts';

type CoreTemplateName = (typeof coreTemplateNames)[number];

/** Loads the features that `src/server.ts` can list, in this order. Other projects don't need them, so the compiler starts without. */
async function loadGuests() {
  const [{ api }, { http }] = await Promise.all([
    import('../../templates/runtime-next/call-api.ts'),
    import('../../templates/runtime-next/http.ts'),
  ]);
  return [
    { feature: api(), from: './runtime/call-api', comment: '' },
    {
      feature: http(),
      from: './runtime/http',
      comment: '`node dist/main.js --transport http` listens on 127.0.0.1:3000.',
    },
  ];
}

/** Loaders of the older runtime whose work the core does. Files are saved only if `transfers` is asked for. */
const PORTED: ReadonlySet<string> = new Set(['http', 'api', 'apiSettings', 'files', 'parameters']);

/** Emits the project, all but the lock. Undefined: it needs what only the older runtime has. */
export async function emitCoreProject(
  model: ServerModel,
  options: EmitOptions,
): Promise<GeneratedFile[] | undefined> {
  const core = readCore();
  if (core === undefined || !(options.core ?? core.isDefault) || !fitsCore(model, options)) return undefined;
  const data = await emitDataFiles(model, options, listRefusedVariables());
  // Data that repeats large parts is read by the older runtime.
  if (data.some(({ contents }) => contents.startsWith('{\n"pool":'))) return undefined;
  return [
    ...(await emitGlue(model, options)),
    ...data,
    ...toGeneratedFiles('src/runtime', core.sources, 'generated'),
    ...toGeneratedFiles('dist/runtime', core.built, 'built'),
  ];
}

function fitsCore(model: ServerModel, options: EmitOptions): boolean {
  const features = listAskedFeatures(options);
  const isPorted = chooseFeatureEntries(model, { ...options, features }).every(({ loader }) =>
    PORTED.has(loader),
  );
  const { app, templates, ownedLoaders, publish = [], toolNames } = options;
  return (
    isPorted &&
    (app ?? templates ?? ownedLoaders) === undefined &&
    !features.includes('transfers') &&
    publish.length === 0 &&
    toolNames !== 'spec' &&
    model.upstreams === undefined &&
    (model.upstream?.otherServers ?? model.upstream?.argumentVariables) === undefined &&
    listHttpBindings(model).every(isPlainBinding)
  );
}

/** The log of audits is no default of the core. */
function listAskedFeatures({ features }: EmitOptions): readonly string[] {
  return features ?? DEFAULT_FEATURES.filter((name) => name !== 'audit');
}

function isPlainBinding({ api: apiName, known, body, parameters, result = {} }: HttpBinding): boolean {
  return (
    (apiName ?? known ?? body?.readOnly ?? body?.alternatives) === undefined &&
    (result.select ?? result.drop ?? result.fields) === undefined &&
    [...parameters, ...Object.values(body?.encoding ?? {})].every(isPlainStyle)
  );
}

const STYLES: ReadonlySet<string> = new Set([
  ...['simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
]);

/** Whether the core writes a parameter, or a field of a form. */
function isPlainStyle({
  style = 'form',
  itemSeparators,
  encoding,
  ...rest
}: ParameterBinding | EncodingBinding): boolean {
  const isField = !('in' in rest);
  return (
    STYLES.has(style) &&
    (itemSeparators ?? encoding) === undefined &&
    !(isField && (rest.xml ?? rest.headers ?? rest.parts ?? rest.allowEmptyValue) !== undefined)
  );
}

/** Variables that would change how a server behaves if it had the feature: a set one must not be ignored. */
function listRefusedVariables(): Record<string, string> {
  return Object.fromEntries(
    FEATURES.flatMap(({ name, isRefused, variables = [] }) =>
      isRefused === true ? variables.map((variable): [string, string] => [variable.name, name]) : [],
    ),
  );
}

async function emitGlue(model: ServerModel, options: EmitOptions): Promise<GeneratedFile[]> {
  const header = `@generated by mcpgen v${options.compilerVersion} from ${formatSources(options.source)} — edit src/handlers/ instead`;
  const features = listAskedFeatures(options);
  const guests = (await loadGuests()).filter(({ feature: { name } }) =>
    name === 'api' ? hasApi(model) : features.includes(name),
  );
  const settings = [...CORE_SETTINGS, ...guests.flatMap(({ feature }) => feature.settings ?? [])];
  const apiVariables = listApiVariables(model);
  const apiNames = new Set(apiVariables.map(({ name }) => name));
  const variables = [
    ...apiVariables,
    ...settings.flatMap(({ variable, help, default: preset }) =>
      variable === undefined || apiNames.has(variable) ? [] : plainVariable(variable, help, preset),
    ),
  ];
  const render = async (name: CoreTemplateName, view: object, language: Language = 'ts'): Promise<string> =>
    (await openBuiltIn(`next/${name}`))(view, language);
  const emit = async (
    name: CoreTemplateName,
    view: object,
    ownership: 'generated' | 'once' = 'generated',
  ): Promise<GeneratedFile> => ({ path: name, contents: await render(name, view), ownership });
  const emitCode = async (
    name: CoreTemplateName,
    view: (language: Language) => object,
    traits?: Parameters<typeof makeSourceAndBuildFiles>[2],
  ): Promise<GeneratedFile[]> =>
    makeSourceAndBuildFiles(
      name,
      { source: await render(name, view('ts')), built: await render(name, view('js'), 'js') },
      traits,
    );
  const { info, instructions, meta } = pickDefinitionMembers(model);
  const readme = makeReadmeView(model, options, [], { ofApi: apiVariables, all: variables });
  const types = makeTypesView(model, header, options);
  const runtime = { version: options.compilerVersion, hasApi: hasApi(model) };
  const config = options.configuration ?? CONFIG_PATH;
  const typesCode = makeTypesCode(await render('src/generated/types.ts', types), header);
  const omitted = leftOut(options);
  const files = await Promise.all([
    emit('package.json', makePackageView(model, options, false)),
    emit('README.md', { ...readme, hasHttp: features.includes('http') }),
    emit('.env.example', {
      title: model.title,
      variables: variables.filter(({ name }) => isForFile(name)).map(toExample),
    }),
    emit('.gitattributes', {}, 'once'),
    emit('tsconfig.json', { options: { ...compilerOptions(undefined), ...BUILD } }),
    emitCode('src/main.ts', () => ({ header }), { executable: true }),
    emitCode('src/server.ts', () => ({
      header,
      title: model.title,
      members: listViewMembers({ info, instructions, meta }),
      features: guests.map(({ feature, from, comment }) => ({ factory: feature.name, from, comment })),
    })),
    emitCode('src/handlers/index.ts', (language) => makeHandlersView(model, language), { ownership: 'once' }),
    emit('src/runtime/README.md', { ...runtime, config }),
    emit('test/server.test.js', { header }),
    ...(hasApi(model) ? [emit('test/wire.test.js', { header })] : []),
  ]);
  return [
    ...files.flat().filter(({ path }) => !omitted.has(path)),
    { path: '.gitignore', contents: (await openBuiltIn('.gitignore'))({}, 'ts'), ownership: 'generated' },
    ...makeSourceAndBuildFiles('src/generated/types.ts', typesCode),
  ];
}

/** A default in words (`6000 over HTTP`) can't stand as a value in the file. */
function toExample(variable: EnvironmentVariable): ReturnType<typeof environmentRow> {
  const row = environmentRow(variable);
  return / /.test(row.default) ? { ...row, default: '' } : row;
}

/** `npm run build` is `tsc`, file by file. */
const BUILD = { rootDir: 'src', outDir: 'dist' };
