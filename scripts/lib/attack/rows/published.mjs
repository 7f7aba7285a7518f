/** Tools that build and publish a project, and output of a run in GitHub Actions. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { mcpgen } from '../../run.mjs';
import { inModule } from '../prove/check.mjs';

export const family = 'publishing';

const OLD_FORM = '##[set-output name=a]x';

/** Words of a document that a runner takes for a command, and how the run prints. @type {[words: string, format: string, args: string[]][]} */
const prints = [
  ['::add-mask::x', 'pretty', []],
  [OLD_FORM, 'pretty', []],
  [OLD_FORM, 'agent', []],
  [OLD_FORM, 'pretty', ['--json']],
];

function documentWith(words) {
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://pets.example' }],
    paths: {
      [`/a/{b\n${words}}`]: {
        get: { operationId: `a\n${words}\n`, responses: { 200: { description: 'd' } } },
      },
    },
  };
}

/** A project as it is emitted; `command` runs mcpgen as a step of a workflow does. */
export async function open(folder) {
  const source = path.join(folder, 'pets.json');
  await writeFile(source, JSON.stringify(documentWith('words')));
  const project = path.join(folder, 'server');
  const { code, stderr } = await mcpgen(
    ['openapi', source, '--publish', 'docker', '--publish', 'github', '-o', project],
    {
      cwd: folder,
    },
  );
  if (code !== 0) throw new Error(stderr);
  return {
    read: (name) => readFile(path.join(project, name), 'utf8'),
    command: async (words, format, args) => {
      const below = path.join(folder, `run-${Math.random()}`);
      await mkdir(below);
      await writeFile(path.join(below, 'api.json'), JSON.stringify(documentWith(words)));
      const env = { ...process.env, GITHUB_ACTIONS: 'true', MCPGEN_FORMAT: format };
      const { stdout, stderr } = await mcpgen(['openapi', 'api.json', '--verbose', ...args], {
        cwd: below,
        env,
      });
      // The runner reads both. It takes a command where one begins a line, and the older form anywhere else.
      const isCommand = (line) =>
        line.trimStart().startsWith(words) || (!line.startsWith('::') && line.includes('##['));
      return `${stdout}\n${stderr}`.split(/\r?\n|\r/).some(isCommand) ? 'a command' : 'none';
    },
    witness: async () => ({}),
    close: async () => undefined,
  };
}

/** The jobs of a workflow, by the indentation of their names. */
function jobsOf(workflow) {
  return workflow.slice(workflow.indexOf('\njobs:')).split(/\n {2}(?=[\w-]+:\n)/);
}

export const rows = [
  {
    name: 'code of the packages in the job that may publish',
    want: 'none',
    attack: async ({ read }) => {
      const publishing = jobsOf(await read('.github/workflows/publish.yml')).filter((job) =>
        /id-token: write/.test(job),
      );
      if (publishing.length === 0) return 'no job may publish';
      return publishing.some((job) => /npm (?:ci|install|test|run)/.test(job)) ? 'runs there' : 'none';
    },
  },
  {
    name: 'another base image by the same tag',
    want: 'none',
    attack: async ({ read }) => {
      const images = (await read('Dockerfile')).match(/^FROM .*$/gm) ?? ['no image'];
      return images.every((line) => /@sha256:[\da-f]{64}/.test(line)) ? 'none' : 'taken';
    },
  },
  {
    name: 'a later version of the inspector',
    want: 'none',
    attack: async ({ read }) =>
      /@modelcontextprotocol\/inspector@\d+\.\d+\.\d+/.test(await read('package.json')) ? 'none' : 'taken',
  },
  ...prints.map(([words, format, args]) => ({
    name: `${words} in a document, printed as ${[format, ...args].join(' with ')}`,
    want: 'none',
    attack: ({ command }) => command(words, format, args),
  })),
];

export const checks = [
  {
    ...inModule(
      'bin/chunks/command',
      /printed as/,
      ['return text.replace(/^([^\\S\\n]*:)(?=:)/gm, "$1 ").replaceAll("##[", "## [");', 'return text;'],
      ['.padStart(4, "0")}`).replaceAll("##[", "##\\\\u005b");', '.padStart(4, "0")}`);'],
    ),
    admits: /got a command/,
  },
  {
    ...inModule('templates', /^code of the packages/, [
      '- run: npm publish ./packed',
      '- run: npm ci\\n      - run: npm publish ./packed',
    ]),
    admits: /got runs there/,
  },
  ...[
    inModule('templates', /^another base image/, [
      'bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS packages',
      'bookworm-slim AS packages',
    ]),
    inModule('templates', /^a later version/, [
      'inspector@2.12.0 node dist/main.js\\",\\n    \\"prepack',
      'inspector@latest node dist/main.js\\",\\n    \\"prepack',
    ]),
  ].map((check) => ({ ...check, admits: /got taken/ })),
];
