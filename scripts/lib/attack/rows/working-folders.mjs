/**
 * A client starts the server in the folder that is open, whose files somebody else wrote: they choose neither where its
 * requests go, nor whom it trusts, nor what it reads and writes.
 */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { cli } from '../../repository.mjs';
import { callIn, contentsOf, openFolderTarget, whileServing } from '../folder-target.mjs';
import { ask, initialize } from '../session.mjs';

/** @import { FolderTarget } from '../folder-target.mjs' */

export const family = 'working folders';

export const open = openFolderTarget;

const mainOf = (project) => path.join(project, 'dist/main.js');

/** A folder with a file of variables. @param {FolderTarget} target @param {string} text */
async function folderWith(target, text) {
  const cwd = await target.workspace();
  await writeFile(path.join(cwd, '.env'), text);
  return cwd;
}

const near = { call: ['near', {}] };
const OWN_API = { want: '{"ok":true}', reaches: { upstream: 1 } };

/** Where the base URL of the API is chosen. @type {[name: string, attack: (target: FolderTarget) => Promise<string>][]} */
const baseUrls = [
  [
    'the base URL, in .env',
    async (target) => {
      const cwd = await folderWith(target, `API_BASE_URL=${target.stranger.url}\n`);
      return callIn(mainOf(target.project), { cwd, ...near });
    },
  ],
  [
    'the base URL, as a shell writes it',
    async (target) => {
      const cwd = await folderWith(
        target,
        `# settings\r\nexport API_BASE_URL="${target.stranger.url}" # here\r\n`,
      );
      return callIn(mainOf(target.project), { cwd, ...near });
    },
  ],
  [
    'the base URL, in a file that .env is a link to',
    async (target) => {
      const cwd = await target.workspace();
      await writeFile(path.join(cwd, 'settings'), `API_BASE_URL=${target.stranger.url}\n`);
      await symlink('settings', path.join(cwd, '.env'));
      return callIn(mainOf(target.project), { cwd, ...near });
    },
  ],
  [
    'the base URL, for a server that the folder has a link to',
    async (target) => {
      const cwd = await folderWith(target, `API_BASE_URL=${target.stranger.url}\n`);
      await symlink(target.project, path.join(cwd, 'server'));
      return callIn(mainOf(path.join(cwd, 'server')), { cwd, ...near });
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
    'the base URL, for a server that is installed in the folder',
    async (target) => {
      const cwd = await folderWith(target, `API_BASE_URL=${target.stranger.url}\n`);
      const project = await target.copyTo(path.join(cwd, 'node_modules/target-mcp'));
      return callIn(mainOf(project), { cwd, ...near });
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

/** Proxies, by operations at places that no name server knows. @type {[variable: string, tool: string][]} */
const proxies = [
  ['HTTP_PROXY', 'plain'],
  ['http_proxy', 'plain'],
  ['HTTPS_PROXY', 'tls'],
  ['https_proxy', 'tls'],
];

/** Variables for trust, requests and state. @type {[variable: string, value: string][]} */
const variables = [
  ['NODE_EXTRA_CA_CERTS', './authority.pem'],
  ['NODE_TLS_REJECT_UNAUTHORIZED', '0'],
  ['NODE_OPTIONS', '--require ./evil.cjs'],
  ['LD_PRELOAD', './evil.so'],
  ['MCP_STATE_SECRET', 'x'.repeat(32)],
  ['MCP_TRUSTED_PROXIES', '0.0.0.0/0'],
  ['MCP_MOCK', '1'],
  ['MCP_RATE_LIMIT', '1'],
  ['API_CREDENTIALS', 'optional'],
];

/** Variables that even the project's own file can't set: they come from the environment. */
const environmentAlone = variables.slice(0, 4).concat([['MCP_DOTENV', './other.env']]);

/** @param {FolderTarget} target */
function takenIn(target, project, cwd, [name, value]) {
  return callIn(mainOf(project), { cwd, call: ['taken', { name, value }] }).then((words) =>
    words === 'taken' ? target.seize(words) : words,
  );
}

/** Headers of pages and hosts that the folder wants to be served. @type {[variable: string, headers: Record<string, string>][]} */
const doors = [
  ['MCP_ALLOWED_ORIGINS', { origin: 'https://evil.example' }],
  ['MCP_ALLOWED_HOSTS', { host: 'evil.example' }],
];

/** Sends a file of the machine to the API. @param {FolderTarget} target */
async function sendSecret(target, { cwd, args, file }) {
  const call = ['send', { body: `file:${file}` }];
  return callIn(mainOf(target.project), { cwd, args, call });
}

/** Calls a tool, and looks whether a place outside the folder was written to. @param {FolderTarget} target */
async function auditedTo(target, place, { cwd, args }) {
  const words = await callIn(mainOf(target.project), {
    cwd,
    args,
    call: ['taken', { name: 'none', value: 'x' }],
  });
  return (await contentsOf(place)) === '' ? words : target.seize('written');
}

/** @type {[name: string, want: string, attack: (target: FolderTarget) => Promise<string>][]} */
const files = [
  [
    'the folder of files: the root of the file system',
    'tool error',
    async (target) => {
      const secret = path.join(await target.workspace(), 'secret');
      await writeFile(secret, 'secret');
      const cwd = await folderWith(target, 'MCP_FILES_ROOT=/\n');
      return sendSecret(target, { cwd, file: secret });
    },
  ],
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
    'the audit log: a file of the folder, with the arguments of each call',
    'not taken',
    async (target) => {
      const cwd = await folderWith(target, 'MCP_AUDIT=calls.jsonl\nMCP_AUDIT_ARGUMENTS=full\n');
      return auditedTo(target, path.join(cwd, 'calls.jsonl'), { cwd });
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
  [
    'the audit log, named on the command line: behind a link to a folder of the person',
    'exit 2',
    async (target) => {
      const home = await target.workspace();
      await mkdir(path.join(home, '.ssh'));
      const cwd = await target.workspace();
      await symlink(path.join(home, '.ssh'), path.join(cwd, 'logs'));
      return auditedTo(target, path.join(home, '.ssh/config'), { cwd, args: ['--audit', './logs/config'] });
    },
  ],
];

export const rows = [
  ...baseUrls.map(([name, attack]) => ({ name, ...OWN_API, attack })),
  ...proxies.map(([variable, tool]) => ({
    name: `a proxy, in ${variable}`,
    want: 'tool error',
    attack: async (target) => {
      const cwd = await folderWith(target, `${variable}=${target.stranger.url}\n`);
      return callIn(mainOf(target.project), { cwd, call: [tool, {}] });
    },
  })),
  ...variables.map((one) => ({
    name: `${one[0]} of the folder`,
    want: 'not taken',
    attack: async (target) =>
      takenIn(target, target.project, await folderWith(target, `${one.join('=')}\n`), one),
  })),
  ...environmentAlone.map((one) => ({
    name: `${one[0]} in the file of the project`,
    want: 'not taken',
    attack: async (target) => {
      const project = await target.copyTo(path.join(await target.workspace(), 'target-mcp'));
      await writeFile(path.join(project, '.env'), `${one.join('=')}\n`);
      return takenIn(target, project, project, one);
    },
  })),
  ...doors.map(([variable, headers]) => ({
    name: `${variable} of the folder`,
    want: '403',
    attack: async (target) => {
      const [value] = Object.values(headers);
      const cwd = await folderWith(target, `${variable}=${value}\n`);
      return whileServing(mainOf(target.project), cwd, async (url) => {
        const { status } = await ask(url, { headers, body: JSON.stringify(initialize) });
        return String(status);
      });
    },
  })),
  ...files.map(([name, want, attack]) => ({ name, want, attack })),
];
