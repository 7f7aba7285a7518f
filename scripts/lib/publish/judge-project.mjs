/** Everything about one emitted project that is to be published. Each judge returns complaints; none is a pass. */
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { inRepository } from '../repository.mjs';
import { run, runOrThrow } from '../run.mjs';

const tool = (file) => [process.execPath, inRepository('node_modules', file)];
const PUBLINT = tool('publint/src/cli.js');
const ATTW = tool('@arethetypeswrong/cli/dist/index.js');
const MCPB = tool('@anthropic-ai/mcpb/dist/cli/cli.js');
const DOCKERFILELINT = tool('dockerfilelint/bin/dockerfilelint');

/** Files that a package may contain. */
const SHIPPED =
  /^(?:package\.json|README\.md|fetch\.d\.ts|(?:src\/runtime\/)?LICEN[CS]E(?:\.\w+)?|dist\/(?!(?:test|src)\/)(?!.*\.test\.js$).+|src\/generated\/[\w-]+\.json)$/;

/**
 * `project`: has `dist/`, and the packages it needs; `folder`: for what is made of it; `options`: `offline`: nothing
 * may be fetched; `schema`: of server.json; returns complaints.
 */
export async function judgeProject(project, folder, { offline = false, schema } = {}) {
  const packed = await pack(project, path.join(folder, 'packed'));
  const unpacked = path.join(folder, 'unpacked');
  return [
    ...(await judgeSameness(project)),
    ...(schema === undefined ? [] : await judgeEntry(project, schema)),
    ...(await judgePackage(project, packed)),
    ...(await judgeRecipe(project)),
    ...(await judgeImage(project, path.join(folder, 'image'), offline)),
    ...(await judgeBundle(project, unpacked)),
    ...(await tryServer(process.execPath, ['dist/main.js'], unpacked)),
    ...(await judgeInstalled(project, packed.tarball, path.join(folder, 'installed'), offline)),
  ];
}

/** The server as the image has it. */
async function judgeImage(project, folder, offline) {
  await layOutImage(project, folder, offline);
  return tryServer(process.execPath, ['dist/main.js'], folder);
}

/** The tarball in a folder of its own, started by the package's command. */
async function judgeInstalled(project, tarball, folder, offline) {
  const { bin } = JSON.parse(await readFile(path.join(project, 'package.json'), 'utf8'));
  const [command] = Object.keys(bin);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--no-audit', '--no-fund', ...(offline ? ['--offline'] : [])];
  await runOrThrow('npm', ['install', ...flags, tarball], { cwd: folder });
  return tryServer('npx', ['--no-install', command], folder);
}

async function complaintsOf([command, script], args, options) {
  const { code, stdout, stderr } = await run(command, [script, ...args], options);
  return code === 0 ? [] : [`${path.basename(script)} ${args[0]}: ${`${stdout}\n${stderr}`.trim()}`];
}

/**
 * Packs the project as `npm publish` would; `--ignore-scripts` since it is built and tested before. `folder`: of the
 * tarball.
 */
async function pack(project, folder) {
  await mkdir(folder, { recursive: true });
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await runOrThrow('npm', args, { cwd: project });
  const [{ filename, files }] = JSON.parse(stdout);
  return { tarball: path.join(folder, filename), files: files.map((file) => file.path) };
}

/** The package: what npm would ship, and what publint and attw say of it. */
async function judgePackage(project, { tarball, files }) {
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
function judgeRecipe(project) {
  return complaintsOf(DOCKERFILELINT, ['Dockerfile'], { cwd: project });
}

/**
 * Fills the image's folder: runs the instructions COPY and RUN of the first stage here. `folder`: in place of the
 * image's `/app`; `offline`: RUN, which may fetch packages, is left out.
 */
async function layOutImage(project, folder, offline) {
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

/** The bundle, by the official tool. `folder`: is made, and gets what is in it. */
async function judgeBundle(project, folder) {
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

/** The entry for the registry, by its JSON Schema. */
async function judgeEntry(project, schema) {
  const { default: Ajv } = await import('ajv');
  const validate = new Ajv.default({ strict: false, formats: { uri: URL.canParse } }).compile(schema);
  const entry = JSON.parse(await readFile(path.join(project, 'server.json'), 'utf8'));
  if (validate(entry)) return [];
  return validate.errors.map(({ instancePath, message }) => `server.json${instancePath} ${message}`);
}

/** One version, and one name, in all that is published. */
async function judgeSameness(project) {
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

/** In mock mode: initialize, list, and call a tool that needs no argument. Returns complaints. */
async function tryServer(command, args, cwd) {
  const client = new Client({ name: 'mcpgen-publish', version: '1.0.0' });
  const env = { PATH: process.env.PATH ?? '', HOME: cwd, MCP_MOCK: '1' };
  const transport = new StdioClientTransport({ command, args, cwd, env, stderr: 'pipe' });
  const said = [];
  transport.stderr?.on('data', (chunk) => said.push(chunk));
  try {
    await client.connect(transport);
    return await callOne(client);
  } catch (error) {
    return [`${command} ${args.join(' ')}: ${String(error)}\n${Buffer.concat(said).toString('utf8')}`];
  } finally {
    await client.close();
  }
}

async function callOne(client) {
  const { tools } = await client.listTools();
  const free = tools.find(({ inputSchema }) => (inputSchema.required ?? []).length === 0);
  if (free === undefined) return ['no tool can be called without arguments'];
  const { isError, content } = await client.callTool({ name: free.name, arguments: {} });
  return isError === true ? [`${free.name}: ${JSON.stringify(content)}`] : [];
}
