/** Other generators, at the versions that docs/comparison.md names: installed anew, and started on a document over stdio. */
import { copyFile } from 'node:fs/promises';
import path from 'node:path';

import { mcpgen, runOrThrow } from '../run.mjs';
import { compilePeer, installPeer, peerProgram } from '../wire/peer.mjs';

/**
 * @typedef {object} Alternative
 * @property {string} name as the table says it
 * @property {(home: string) => Promise<void>} install into an empty folder
 * @property {(places: { home: string, folder: string }, document: string, origin: string) => Promise<{ command: string, args: string[], env?: Record<string, string> }>} start
 *   `document` is JSON, its API at `origin`; `folder` is for what is made of it
 */

const node = process.execPath;

/** @type {Alternative} */
export const OURS = {
  name: 'mcpgen',
  install: async () => undefined,
  start: async ({ folder }, document, origin) => {
    const project = path.join(folder, path.basename(document, '.json'));
    const { code, stderr } = await mcpgen(['openapi', document, '-o', project, '--force']);
    if (code !== 0) throw new Error(stderr);
    return { command: node, args: [path.join(project, 'dist/main.js')], env: { API_BASE_URL: origin } };
  },
};

/** @type {Alternative[]} */
export const ALTERNATIVES = [
  {
    name: 'openapi-mcp-generator 4.0.1',
    install: installPeer,
    start: async ({ folder }, document, origin) => {
      const project = path.join(folder, path.basename(document, '.json'));
      await compilePeer(document, project);
      return { command: node, args: [path.join(project, peerProgram)], env: { API_BASE_URL: origin } };
    },
  },
  {
    name: 'FastMCP (Python) 4.0.10',
    install: async (home) => {
      await runOrThrow('python3', ['-m', 'venv', home]);
      await runOrThrow(path.join(home, 'bin/pip'), ['install', '--quiet', 'fastmcp==4.0.10']);
    },
    start: async ({ home }, document, origin) => ({
      command: path.join(home, 'bin/python'),
      args: [program('serve-fastmcp.py'), document, origin],
    }),
  },
  fromNpm('mcp-use 2.5.2', 'mcp-use@2.5.2', 'mcp-use.mjs'),
  {
    ...fromNpm('mcp-openapi-server 1.16.1', '@ivotoby/openapi-mcp-server@1.16.1'),
    start: async ({ home }, document, origin) => ({
      command: node,
      args: [
        path.join(home, 'node_modules/@ivotoby/openapi-mcp-server/bin/mcp-server.js'),
        ...['--transport', 'stdio', '--openapi-spec', document, '--api-base-url', origin],
      ],
    }),
  },
  fromNpm('punkpeye/fastmcp 4.20.16', 'fastmcp@4.20.16', 'fastmcp.mjs'),
];

/** @returns {Alternative} */
function fromNpm(name, specifier, file) {
  return {
    name,
    install: async (home) => {
      const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
      await runOrThrow('npm', ['install', specifier, '--prefix', home, ...flags]);
    },
    start: async ({ home }, document, origin) => {
      // Node.js looks for packages from the place of the program.
      const copy = path.join(home, file);
      await copyFile(program(file), copy);
      return { command: node, args: [copy, document, origin] };
    },
  };
}

function program(file) {
  return path.join(import.meta.dirname, 'alternatives', file);
}
