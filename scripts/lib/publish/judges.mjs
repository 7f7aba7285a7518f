/** Judges of an emitted project before it is published. Each returns complaints; none is a pass. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';

import { inRepository } from '../repository.mjs';
import { run, runOrThrow } from '../run.mjs';

const tool = (file) => [process.execPath, inRepository('node_modules', file)];
const PUBLINT = tool('publint/src/cli.js');
const ATTW = tool('@arethetypeswrong/cli/dist/index.js');
const MCPB = tool('@anthropic-ai/mcpb/dist/cli/cli.js');
const DOCKERFILELINT = tool('dockerfilelint/bin/dockerfilelint');

/** Files that a package may contain. */
const SHIPPED =
  /^(?:package\.json|README\.md|fetch\.d\.ts|LICEN[CS]E(?:\.\w+)?|dist\/(?!(?:test|src)\/)(?!.*\.test\.js$).+|src\/generated\/[\w-]+\.json)$/;

async function complaintsOf([command, script], args, options) {
  const { code, stdout, stderr } = await run(command, [script, ...args], options);
  return code === 0 ? [] : [`${path.basename(script)} ${args[0]}: ${`${stdout}\n${stderr}`.trim()}`];
}

/**
 * Packs the project as `npm publish` would; `--ignore-scripts` since it is built and tested before.
 * @param {string} project
 * @param {string} folder of the tarball
 * @returns {Promise<{ tarball: string, files: string[] }>}
 */
export async function pack(project, folder) {
  await mkdir(folder, { recursive: true });
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await runOrThrow('npm', args, { cwd: project });
  const [{ filename, files }] = JSON.parse(stdout);
  return { tarball: path.join(folder, filename), files: files.map((file) => file.path) };
}

/** The package: what npm would ship, and what publint and attw say of it. */
export async function judgePackage(project, { tarball, files }) {
  const strange = files.filter((file) => !SHIPPED.test(file) || /(?:^|\/)\.env/.test(file));
  return [
    ...strange.map((file) => `${file} would be published`),
    ...(files.includes('dist/main.js') ? [] : ['dist/main.js would not be published']),
    ...(await complaintsOf(PUBLINT, [project, '--strict'])),
    // A server is an ES module. CommonJS gets it by `import()`, and since Node.js 20.19 by `require`.
    ...(await complaintsOf(ATTW, [tarball, '--ignore-rules', 'cjs-resolves-to-esm'])),
  ];
}

/** The image's recipe. Docker itself is not asked. */
export function judgeRecipe(project) {
  return complaintsOf(DOCKERFILELINT, ['Dockerfile'], { cwd: project });
}

/**
 * Fills the image's folder: runs the instructions COPY and RUN of the first stage here.
 * @param {string} project
 * @param {string} folder in place of the image's `/app`
 * @param {boolean} offline RUN, which may fetch packages, is left out
 */
export async function layOutImage(project, folder, offline) {
  await mkdir(folder, { recursive: true });
  const recipe = await readFile(path.join(project, 'Dockerfile'), 'utf8');
  const [, stage = ''] = recipe.split(/^FROM /m);
  for (const [, instruction, words] of stage.matchAll(/^(COPY|RUN) (.+)$/gm)) {
    if (instruction === 'COPY') await copy(project, folder, words.split(' '));
    else if (!offline) await runOrThrow('sh', ['-c', words], { cwd: folder });
  }
}

async function copy(project, folder, words) {
  const target = path.join(folder, words.at(-1));
  for (const word of words.slice(0, -1)) {
    const from = path.join(project, word.replace('*', ''));
    if (!existsSync(from) && word.endsWith('*')) continue;
    const isFolder = (await stat(from)).isDirectory();
    await cp(from, isFolder ? target : path.join(target, path.basename(from)), { recursive: true });
  }
}

/**
 * The bundle, by the official tool.
 * @param {string} project
 * @param {string} folder is made, and gets what is in it
 */
export async function judgeBundle(project, folder) {
  // The command of `npm run bundle` after its build.
  await runOrThrow(process.execPath, ['bundle.mjs'], { cwd: project });
  const [bundle] = (await readdir(project)).filter((file) => file.endsWith('.mcpb'));
  return [
    ...(await complaintsOf(MCPB, ['validate', 'manifest.json'], { cwd: project })),
    ...(await complaintsOf(MCPB, ['info', bundle], { cwd: project })),
    ...(await complaintsOf(MCPB, ['unpack', bundle, folder], { cwd: project })),
    ...(await complaintsOf(MCPB, ['pack', folder, `${folder}.mcpb`])),
  ];
}

/**
 * The entry for the registry, by its JSON Schema.
 * @param {string} project
 * @param {object} schema
 */
export async function judgeEntry(project, schema) {
  const { default: Ajv } = await import('ajv');
  const validate = new Ajv.default({ strict: false, formats: { uri: URL.canParse } }).compile(schema);
  const entry = JSON.parse(await readFile(path.join(project, 'server.json'), 'utf8'));
  if (validate(entry)) return [];
  return validate.errors.map(({ instancePath, message }) => `server.json${instancePath} ${message}`);
}

/** One version, and one name, in all that is published. */
export async function judgeSameness(project) {
  const read = async (file) => JSON.parse(await readFile(path.join(project, file), 'utf8'));
  const [own, entry, manifest] = await Promise.all(
    ['package.json', 'server.json', 'manifest.json'].map(read),
  );
  const versions = [entry.version, manifest.version, ...entry.packages.map(({ version }) => version)];
  return [
    ...versions
      .filter((version) => version !== own.version)
      .map((version) => `${version} is not ${own.version}`),
    ...(entry.name === own.mcpName ? [] : [`${entry.name} is not ${own.mcpName}`]),
  ];
}
