/** The runtime as `runtime: bundled` has it: one module of JavaScript for each occasion on which it is loaded. */
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { importedBy } from './imported-by.mjs';

const START = '\0start';
const HELPER = 'rolldown-runtime.js';
const IMPORTS_HELPER = new RegExp(`^import \\{ __exportAll \\} from "\\./${HELPER}";\n`, 'm');

/** Stands for the lines of `loaders`. */
const LOADERS = '/* loaders */';

/** Occasion → the modules that load then, with all they import. Shared imports go into the first. */
const OCCASIONS = {
  start: [
    'main/run',
    'index',
    'redact',
    'contract/http-syntax',
    'contract/feature',
    'upstream/upstream-error',
    'main/env-file',
    'main/command-line',
    'core/call-context',
    'core/session',
  ],
  calls: [
    'schema/compile-schema',
    'schema/formats',
    'schema/run',
    'core/call-tool',
    'core/resources',
    'core/prompts',
    'core/modern/perform-modern',
    'core/modern/listen',
    'main/own-code',
  ],
  // APIs and issuers of tokens.
  requests: ['upstream/send', 'upstream/dispatcher'],
  'api-settings': ['main/api-settings'],
  api: ['core/call-api'],
  transfers: ['upstream/files', 'upstream/stream-answer'],
  parameters: ['upstream/parameter-styles'],
  bodies: ['upstream/multipart-body'],
  functions: ['functions/index'],
  // States of the feature ask and sessions over HTTP are signed with its keys.
  signatures: ['core/signed-sessions'],
  http: ['main/start-http'],
  oauth: ['oauth/index'],
  // Has the package jose.
  tokens: ['oauth/resource-guard'],
  // Shared by features of which a project may have one alone: in the file of either, it would bring that feature along.
  rounds: ['core/rounds'],
  regex: ['contract/regex/parse-regex'],
  tasks: ['core/tasks/index'],
  redis: ['redis/index', 'redis/link'],
  'shared-tasks': ['redis/shared-tasks'],
  exchange: ['oauth/on-behalf/index'],
  dpop: ['oauth/dpop/index'],
  mock: ['functions/mock-functions', 'sample/sample-of'],
  'mock-api': ['upstream/mock-client'],
};

/**
 * What the bundler needs. The module `start` begins all: it exports what a project imports by name, and `loaders`.
 * @param {string} folder of the compiled runtime
 * @param {readonly import('../../templates/runtime/features.ts').FeatureRow[]} features
 */
export function bundledRuntime(folder, features) {
  const entries = features.flatMap((feature) => feature.entries);
  const occasions = [
    ...Object.entries(OCCASIONS),
    ...features
      .filter(({ name }) => !Object.hasOwn(OCCASIONS, name))
      .map((feature) => [feature.name, feature.entries.map(({ module }) => module)]),
  ];
  const taken = new Set();
  const groups = occasions.map(([name, modules]) => {
    const all = importedBy(modules.map((module) => `${folder}/${module}.js`));
    const own = new Set([...all].filter((id) => !taken.has(id)));
    for (const id of own) taken.add(id);
    return { name, test: (id) => own.has(id.replaceAll('\\', '/')) || (name === 'start' && id === START) };
  });
  const loaders = entries.map(
    (entry) => `  ${entry.loader}: () => import('${folder}/${entry.module}.js'),\n`,
  );
  const code = `export * from '${folder}/index.js';\nexport const loaders = {\n${loaders.join('')}};\n`;
  return {
    input: { entry: START },
    groups,
    plugin: {
      name: 'start',
      resolveId: (source) => (source === START ? START : undefined),
      load: (source) => (source === START ? code : undefined),
    },
  };
}

/**
 * What the bundler made, as projects get it: without the entry, which only passes on, with the bundler's helper in `start.js`,
 * and the lines of `loaders` apart, since each project has those of its features. Prettier lays it out: the parentheses that a
 * formatter would add are there already, so its run over a project is no edit.
 * @param {{ path: string, contents: string, modules: string[] }[]} output
 * @param {readonly import('../../templates/runtime/features.ts').FeatureRow[]} features
 */
export async function splitBundle(output, features) {
  const contentsOf = (name) => output.find((file) => file.path === name).contents;
  if (/ as /.test(contentsOf('entry.js')))
    throw new Error('An export of the bundled runtime has another name there.');
  const helper = contentsOf(HELPER).slice(contentsOf(HELPER).indexOf('var '));
  const loaders = {};
  const entries = features.flatMap((feature) => feature.entries);
  const files = output
    .filter((file) => file.path !== 'entry.js' && file.path !== HELPER)
    .map(({ path: name, contents }) => {
      const isStart = name === 'start.js';
      const linked = isStart
        ? contents.replace(IMPORTS_HELPER, '').replace(/^(?=\/\/ )(?!.*\bPart of)/m, `${helper}\n`)
        : contents.replace(IMPORTS_HELPER, (line) => line.replace(HELPER, 'start.js'));
      if (!isStart) return { path: name, contents: linked };
      const apart = linked.replace(/(const loaders = \{\n)([^}]*)\n\};/, (_, head, lines) => {
        for (const line of lines.split('\n'))
          loaders[/\w+/.exec(line)[0]] = `  ${line.trim().replace(/,$/, '').replaceAll('"', "'")}`;
        return `${head}${LOADERS}\n};`;
      });
      return { path: name, contents: apart };
    });
  if (Object.keys(loaders).length !== entries.length)
    throw new Error('The loaders of features are not one line each.');
  const layout = { ...(await resolveConfig(import.meta.filename)), parser: 'babel' };
  for (const file of files)
    file.contents = (await format(file.contents, layout)).replace(LOADERS, `\n${LOADERS}\n`);
  const slashed = (id) => path.posix.normalize(id.replaceAll('\\', '/'));
  const fileOf = (module) =>
    output.find(({ modules }) => modules.some((id) => slashed(id) === slashed(module))).path;
  return { files, loaders, fileOf };
}
