/** Steady (`@stdy/cli`): a mock server that validates requests strictly and says in headers what it has against them. */
import { Tools } from '../tools.mjs';
import { startLocalServer } from './local-server.mjs';
import { steadyFault } from './verdicts.mjs';

const tools = new Tools('test/judges/steady');
const program = tools.path(`@stdy/cli-${process.platform}-${process.arch}`, 'bin/steady');

/**
 * Documents that Steady must be told more about. OpenAPI says nothing on arrays inside of `deepObject`; these APIs want
 * brackets, and their documents can't say so.
 */
const brackets = ['query-array', 'query-object', 'form-array', 'form-object'].map(
  (what) => `--validator-${what}-format=brackets`,
);
const moreArguments = { 'stripe-2022.json': brackets, 'stripe-2023.yaml': brackets };

/** @type {import('./judge-corpus.mjs').Judge} */
export const steady = {
  name: 'steady',
  exclusions: 'test/judges/steady/exclusions.json',
  install: () => tools.install(),
  takes: ({ version }) => /^3\.[01]\./.test(version),
  start({ name, file }) {
    const args = ['--host', '127.0.0.1', '--quiet', '--no-color', '--stream-interval=0'];
    const more = moreArguments[name] ?? [];
    return startLocalServer((port) => [program, ['--port', String(port), ...args, ...more, file]], {
      health: '/_x-steady/health',
    });
  },
  faultOf: steadyFault,
};
