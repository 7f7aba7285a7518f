/** An emitted server that clients start in folders which somebody else has filled. */
import { cp, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';

import { compileServer } from '../compile-server.mjs';
import { run } from '../run.mjs';
import { callOf, initialize } from './session.mjs';
import { openWitness } from './witness.mjs';

/** Says which of the variables it is asked for are set to what the folder wants, and nothing of others. */
const HANDLERS = `import type { Tools } from '../generated/types.ts';
import type { Handlers } from '../runtime/types.ts';

export const handlers: Handlers<Tools> = {
  extraTools: [
    {
      name: 'taken',
      inputSchema: { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string' } } },
      handler: ({ name, value }) => (process.env[String(name)] === value ? 'taken' : 'not taken'),
    },
  ],
};
`;

/** The features whose settings the folder tries to change. Without a feature, its rows would pass for nothing. */
const FEATURES = ['audit', 'files'];

const responses = { 200: { description: 'Fine.', content: { 'application/json': { schema: {} } } } };

function documentOf(api) {
  const content = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  return {
    openapi: '3.1.0',
    info: { title: 'Target', version: '1.0.0' },
    servers: [{ url: api }],
    paths: {
      '/near': { get: { operationId: 'near', responses } },
      '/bytes': { post: { operationId: 'send', requestBody: { required: true, content }, responses } },
    },
  };
}

export async function openFolderTarget(folder) {
  const [upstream, stranger] = [await openWitness(), await openWitness()];
  const options = ['--feature', FEATURES.join()];
  const project = await compileServer(folder, documentOf(upstream.url), { options, handlers: HANDLERS });
  let seized = 0;
  return {
    project,
    upstream,
    stranger,
    workspace: () => mkdtemp(path.join(folder, 'workspace-')),
    copyTo: async (to) => {
      await mkdir(path.dirname(to), { recursive: true });
      await cp(project, to, { recursive: true });
      return to;
    },
    seize: (what) => {
      seized++;
      return what;
    },
    witness: async () => ({ seized, upstream: upstream.requests.length, stranger: stranger.connections }),
    close: async () => void (await Promise.all([upstream.close(), stranger.close()])),
  };
}

/**
 * Starts it over stdio in `cwd`, and calls one tool. Returns the words of the result, `tool error`, or `exit <code>`
 * where there is none.
 */
export async function callIn(main, { cwd, call, args = [], env = {} }) {
  const messages = [initialize, callOf(...call)].map((message) => `${JSON.stringify(message)}\n`);
  const { code, stdout } = await run(process.execPath, [main, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    input: messages.join(''),
  });
  const answers = stdout.split('\n').filter(Boolean).map(JSON.parse);
  const { result } = answers.find(({ id }) => id === 1) ?? {};
  if (result === undefined) return `exit ${code}`;
  return result.isError === true ? 'tool error' : result.content[0].text;
}

/** Empty where there is none. */
export function contentsOf(file) {
  return readFile(file, 'utf8').catch(() => '');
}
