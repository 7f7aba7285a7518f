/**
 * A client starts the server in the folder that is open, whose files somebody else wrote: they choose neither where
 * its requests go, nor whom it trusts, nor what it reads and writes.
 */
import { symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { cli } from '../../repository.mjs';
import { callIn, contentsOf, openFolderTarget } from '../folder-target.mjs';
import { inModule, removal } from '../prove/check.mjs';

export const family = 'working folders';

export const open = openFolderTarget;

const mainOf = (project) => path.join(project, 'dist/main.js');

/** A folder with a file of variables. */
async function folderWith(target, text) {
  const cwd = await target.workspace();
  await writeFile(path.join(cwd, '.env'), text);
  return cwd;
}

const near = { call: ['near', {}] };
const OWN_API = { want: '{"ok":true}', reaches: { upstream: 1 } };

/**
 * Where the base URL of the API is chosen. @type {[name: string, attack: (target: FolderTarget) =>
 * Promise<string>][]}
 */
const baseUrls = [
  [
    'the base URL, in .env',
    async (target) => {
      const cwd = await folderWith(target, `API_BASE_URL=${target.stranger.url}\n`);
      return callIn(mainOf(target.project), { cwd, ...near });
    },
  ],
  [
    'the base URL, for a document that mcpgen serves',
    async (target) => {
      const cwd = await folderWith(target, `API_BASE_URL=${target.stranger.url}\n`);
      return callIn(cli, { cwd, args: ['serve', `${target.project}/../target.json`], ...near });
    },
  ],
  [
    'the base URL, planted beside package.json of an installed server',
    async (target) => {
      const project = await target.copyTo(path.join(await target.workspace(), 'node_modules/target-mcp'));
      await writeFile(path.join(project, '.env'), `API_BASE_URL=${target.stranger.url}\n`);
      return callIn(mainOf(project), { cwd: project, ...near });
    },
  ],
  [
    'the base URL, where the environment has one',
    async (target) => {
      const project = await target.copyTo(path.join(await target.workspace(), 'target-mcp'));
      await writeFile(path.join(project, '.env'), `API_BASE_URL=${target.stranger.url}\n`);
      const cwd = await folderWith(target, `API_BASE_URL=${target.stranger.url}\n`);
      return callIn(mainOf(project), { cwd, env: { API_BASE_URL: target.upstream.url }, ...near });
    },
  ],
];

/**
 * Variables that even the project's own file can't set: they come from the environment. @type {[variable: string,
 * value: string][]}
 */
const environmentAlone = [['NODE_OPTIONS', '--require ./evil.cjs']];

function takenIn(target, project, cwd, [name, value]) {
  return callIn(mainOf(project), { cwd, call: ['taken', { name, value }] }).then((words) =>
    words === 'taken' ? target.seize(words) : words,
  );
}

/** Sends a file of the machine to the API. */
async function sendSecret(target, { cwd, args, file }) {
  const call = ['send', { body: `file:${file}` }];
  return callIn(mainOf(target.project), { cwd, args, call });
}

/** Calls a tool, and looks whether a place outside the folder was written to. */
async function auditedTo(target, place, { cwd, args }) {
  const words = await callIn(mainOf(target.project), {
    cwd,
    args,
    call: ['taken', { name: 'none', value: 'x' }],
  });
  return (await contentsOf(place)) === '' ? words : target.seize('written');
}

const files = [
  [
    'the folder of files, named on the command line: a link',
    'exit 2',
    async (target) => {
      const home = await target.workspace();
      await writeFile(path.join(home, 'secret'), 'secret');
      const cwd = await target.workspace();
      await symlink(home, path.join(cwd, 'files'));
      return sendSecret(target, { cwd, args: ['--files', 'files'], file: 'secret' });
    },
  ],
  [
    'the audit log: a file of the person',
    'not taken',
    async (target) => {
      const place = path.join(await target.workspace(), '.bashrc');
      const cwd = await folderWith(target, `MCP_AUDIT=${place}\nMCP_AUDIT_ARGUMENTS=full\n`);
      return auditedTo(target, place, { cwd });
    },
  ],
  [
    'the audit log, named on the command line: a link to a file of the person',
    'exit 2',
    async (target) => {
      const place = path.join(await target.workspace(), '.bashrc');
      const cwd = await target.workspace();
      await symlink(place, path.join(cwd, 'audit.jsonl'));
      return auditedTo(target, place, { cwd, args: ['--audit', 'audit.jsonl'] });
    },
  ],
];

export const rows = [
  ...baseUrls.map(([name, attack]) => ({ name, ...OWN_API, attack })),
  ...environmentAlone.map((one) => ({
    name: `${one[0]} in the file of the project`,
    want: 'not taken',
    attack: async (target) => {
      const project = await target.copyTo(path.join(await target.workspace(), 'target-mcp'));
      await writeFile(path.join(project, '.env'), `${one.join('=')}\n`);
      return takenIn(target, project, project, one);
    },
  })),
  ...files.map(([name, want, attack]) => ({ name, want, attack })),
];

const OF_THE_FOLDER = ['path ? resolve(path) : findProjectFile(home)', 'resolve(path ?? ".env")'];

export const checks = [
  removal(/in \.env$|^the audit log: /, OF_THE_FOLDER),
  inModule('bin/chunks/run', /for a document that mcpgen serves/, OF_THE_FOLDER),
  removal(/of an installed server/, [' && !/[\\\\/]node_modules(?:[\\\\/]|$)/i.test(folder)', '']),
  removal(/where the environment has one/, ['else if (!env[variable])', 'else']),
  removal(/in the file of the project/, ['!isForFile(variable)', 'false']),
  removal(/named on the command line/, ['?.isSymbolicLink() !== true', "?.isSymbolicLink() !== 'followed'"]),
];
