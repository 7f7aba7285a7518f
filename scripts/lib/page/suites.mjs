/** The sources that the page is shown on, each with its checks. */
import { copyFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { startPetstore } from '../../../fixtures/upstreams/petstore.mjs';
import { inRepository } from '../repository.mjs';
import { mcpgenOrThrow } from '../run.mjs';
import { attackChecks } from './attack-checks.mjs';
import { diffChecks, findingsChecks } from './diff-findings-checks.mjs';
import { keyboardChecks } from './keyboard-checks.mjs';
import { firstVisitChecks } from './first-visit-checks.mjs';
import { largeChecks } from './large-checks.mjs';
import { loginChecks, openSignIn } from './login-checks.mjs';
import { looksChecks } from './looks-checks.mjs';
import { functionChecks, hostileChecks, looseChecks, shopChecks } from './more-checks.mjs';
import { phoneChecks } from './phone-checks.mjs';
import { surfaceChecks } from './surface-checks.mjs';
import { toolChecks } from './tool-checks.mjs';
import { tryChecks } from './try-checks.mjs';

/** Suites of one source share its server and its page. Those of petstore are in halves, which run beside each other. */
export const sources = [
  {
    open: openPetstore,
    suites: {
      'petstore: surface': { ...firstVisitChecks, ...surfaceChecks },
      'petstore: tool': toolChecks,
      'petstore: diff and findings': { ...diffChecks, ...findingsChecks },
    },
  },
  {
    open: openPetstore,
    suites: {
      'petstore: try': tryChecks,
      'petstore: keyboard': keyboardChecks,
      'petstore: looks': looksChecks,
      'petstore: phone': phoneChecks,
      'petstore: attacks': attackChecks,
    },
  },
  { open: openLoose, suites: { 'petstore: no project': looseChecks } },
  { open: openSignIn, suites: { login: loginChecks } },
  { open: openShop, suites: { shop: shopChecks } },
  { open: openFunctions, suites: { functions: functionChecks } },
  { open: openHostile, suites: { hostile: hostileChecks } },
  { open: openGitHub, needsCorpus: true, suites: { GitHub: largeChecks } },
];

const OUT = 'mcp-server';

/** A project with a lock in a git repository, and its API on loopback. */
async function openPetstore(folder) {
  const upstream = await startPetstore();
  const document = readFileSync(inRepository('fixtures/petstore.yaml'), 'utf8');
  writeFileSync(path.join(folder, 'petstore.yaml'), document);
  const other = document.replace('maximum: 50', 'maximum: 100').replace('Only pets in this state.', 'State.');
  writeFileSync(path.join(folder, 'other.yaml'), other);
  await project(folder, { sources: [{ openapi: 'petstore.yaml', baseUrl: upstream.url }] });
  return {
    args: [],
    env: { API_KEY_SHOPKEY: 'secret-of-the-test' },
    context: { upstream },
    close: () => upstream.close(),
  };
}

async function openLoose(folder) {
  copyFileSync(inRepository('fixtures/petstore.yaml'), path.join(folder, 'petstore.yaml'));
  return { args: ['petstore.yaml'] };
}

async function openShop(folder) {
  const cwd = await init(folder, 'shop');
  const { stdout } = await mcpgenOrThrow(['inspect', '.', '--json'], { cwd });
  return { args: [cwd], context: { folder: cwd, tools: JSON.parse(stdout).tools } };
}

/** Makes a project of a fixture with `mcpgen init`, and gives its folder. */
async function init(folder, fixture) {
  copyFileSync(inRepository(`fixtures/${fixture}.yaml`), path.join(folder, `${fixture}.yaml`));
  const name = `${fixture}-mcp`;
  await mcpgenOrThrow(['init', `${fixture}.yaml`, '--name', name], { cwd: folder });
  return path.join(folder, name);
}

async function openFunctions(folder) {
  cpSync(inRepository('fixtures/typescript/weather'), folder, { recursive: true });
  symlinkSync(inRepository('node_modules'), path.join(folder, 'node_modules'));
  await project(folder, { sources: [{ typescript: ['src/index.ts'] }] });
  return { args: [] };
}

/** Writes the configuration and generates. */
async function project(folder, config) {
  writeFileSync(
    path.join(folder, 'mcpgen.config.json'),
    `${JSON.stringify({ ...config, output: OUT }, null, 2)}\n`,
  );
  await mcpgenOrThrow(['generate'], { cwd: folder });
}

async function openGitHub(folder, corpus) {
  copyFileSync(path.join(corpus, 'github.json'), path.join(folder, 'github.json'));
  return { args: ['github.json'] };
}

const MARKUP = '<img src=x onerror="wasRun=1"><script>wasRun=1</script><b>bold</b>';

async function openHostile(folder) {
  const operation = (operationId, description) => ({
    operationId,
    summary: MARKUP,
    description,
    tags: [MARKUP],
    parameters: [
      {
        name: 'javascript:wasRun=1',
        in: 'query',
        description: MARKUP,
        schema: { type: 'string', enum: [MARKUP, '"><script>wasRun=1</script>'], default: MARKUP },
      },
    ],
    responses: {
      200: {
        description: MARKUP,
        content: { 'application/json': { schema: { type: 'object' }, example: { html: MARKUP } } },
      },
    },
  });
  const document = {
    openapi: '3.1.0',
    info: { title: MARKUP, version: MARKUP, description: MARKUP },
    servers: [{ url: 'https://hostile.example' }],
    paths: {
      '/things': { get: operation('listThings', `${MARKUP} ${'</script>'} {{constructor}} \${wasRun} &lt;`) },
      '/huge': { get: operation('hugeThing', `${'long words '.repeat(20_000)} ${'x'.repeat(100_000)}`) },
    },
  };
  writeFileSync(path.join(folder, 'hostile.json'), JSON.stringify(document, null, 1));
  return { args: ['hostile.json'] };
}
