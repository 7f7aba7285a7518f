/** The sources that the page is shown on, each with its checks. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { startPetstore } from '../../../fixtures/upstreams/petstore.mjs';
import { inRepository } from '../repository.mjs';
import { attackChecks } from './attack-checks.mjs';
import { mcpgen } from './compiler.mjs';
import { diffChecks, findingsChecks } from './diff-findings-checks.mjs';
import { keyboardChecks } from './keyboard-checks.mjs';
import { largeChecks } from './large-checks.mjs';
import { looksChecks } from './looks-checks.mjs';
import {
  functionChecks,
  hostileChecks,
  looseChecks,
  mixedChecks,
  readOnlyChecks,
  shopChecks,
} from './more-checks.mjs';
import { surfaceChecks } from './surface-checks.mjs';
import { toolChecks } from './tool-checks.mjs';
import { tryChecks } from './try-checks.mjs';

/**
 * @typedef {object} Opened
 * @property {string[]} args of `mcpgen preview`
 * @property {Record<string, string>} [env]
 * @property {object} [context] members for the checks
 * @property {() => Promise<void>} [close]
 */

/** Suites with the same `open` share one project; a second one lets half of them run beside the others. */
const openSecondPetstore = (folder) => openPetstore(folder);

/** @type {{ name: string, needsCorpus?: boolean, open: (folder: string, corpus?: string) => Promise<Opened>, checks: [string, Function][] }[]} */
export const suites = [
  { name: 'petstore: surface', open: openPetstore, checks: surfaceChecks },
  { name: 'petstore: tool', open: openPetstore, checks: toolChecks },
  { name: 'petstore: diff and findings', open: openPetstore, checks: [...diffChecks, ...findingsChecks] },
  { name: 'petstore: try', open: openSecondPetstore, checks: tryChecks },
  { name: 'petstore: keyboard', open: openSecondPetstore, checks: keyboardChecks },
  { name: 'petstore: looks', open: openSecondPetstore, checks: looksChecks },
  { name: 'petstore: attacks', open: openSecondPetstore, checks: attackChecks },
  { name: 'petstore: no project', open: openLoose, checks: looseChecks },
  { name: 'petstore: read-only', open: openReadOnly, checks: readOnlyChecks },
  { name: 'shop', open: openShop, checks: shopChecks },
  { name: 'functions', open: openFunctions, checks: functionChecks },
  { name: 'mixed', open: openMixed, checks: mixedChecks },
  { name: 'hostile', open: openHostile, checks: hostileChecks },
  { name: 'GitHub', needsCorpus: true, open: openGitHub, checks: largeChecks },
];

const OUT = 'mcp-server';

/** A project with a lock in a git repository, and its API on loopback. */
async function openPetstore(folder) {
  const upstream = await startPetstore();
  const document = readFileSync(inRepository('fixtures/petstore.yaml'), 'utf8');
  writeFileSync(path.join(folder, 'petstore.yaml'), document);
  const other = document.replace('maximum: 50', 'maximum: 100').replace('Only pets in this state.', 'State.');
  writeFileSync(path.join(folder, 'other.yaml'), other);
  const config = { sources: [{ openapi: 'petstore.yaml', baseUrl: upstream.url }], output: OUT };
  writeFileSync(path.join(folder, 'mcpgen.config.json'), `${JSON.stringify(config, null, 2)}\n`);
  await generate(folder);
  commit(folder);
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

async function openReadOnly(folder) {
  const { args } = await openLoose(folder);
  return { args: [...args, '--read-only'] };
}

async function openShop(folder) {
  copyFileSync(inRepository('fixtures/shop.yaml'), path.join(folder, 'shop.yaml'));
  const inspected = await mcpgen(['inspect', 'shop.yaml', '--json'], { cwd: folder });
  return { args: ['shop.yaml'], context: { tools: JSON.parse(inspected.stdout).tools } };
}

async function openFunctions(folder) {
  copyFunctions(folder);
  await project(folder, { sources: [{ typescript: ['src/index.ts'] }] });
  return { args: [] };
}

function copyFunctions(folder) {
  cpSync(inRepository('fixtures/typescript/weather'), folder, { recursive: true });
  symlinkSync(inRepository('node_modules'), path.join(folder, 'node_modules'));
}

/** Writes the configuration and generates. */
async function project(folder, config) {
  writeFileSync(
    path.join(folder, 'mcpgen.config.json'),
    `${JSON.stringify({ ...config, output: OUT }, null, 2)}\n`,
  );
  await generate(folder);
}

/** Functions beside a document. */
async function openMixed(folder) {
  copyFunctions(folder);
  copyFileSync(inRepository('fixtures/petstore.yaml'), path.join(folder, 'petstore.yaml'));
  await project(folder, {
    name: 'pets-and-weather',
    sources: [{ openapi: 'petstore.yaml', prefix: 'shop_' }, { typescript: ['src/index.ts'] }],
  });
  return { args: [] };
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

function generate(folder) {
  return mcpgen(['generate'], { cwd: folder }).then(({ code, stderr }) => {
    if (code !== 0) throw new Error(stderr);
  });
}

function commit(folder) {
  const git = (...args) => {
    const name = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    const { status, stderr } = spawnSync('git', [...name, ...args], { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'first');
}
