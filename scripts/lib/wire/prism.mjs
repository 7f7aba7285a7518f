/** Prism: a mock server that says in a header what a request and its own answer have against the document. */
import { Tools } from '../tools.mjs';
import { startLocalServer } from './local-server.mjs';
import { prismFault } from './verdicts.mjs';

const tools = new Tools('test/judges/prism');
const program = tools.path('@stoplight/prism-cli/dist/index.js');

/** Prism is still starting after two minutes. */
const endless = ['argo-workflows.json', 'kubernetes.json'];

/** @type {import('./judge-corpus.mjs').Judge} */
export const prism = {
  name: 'prism',
  exclusions: 'test/judges/prism/exclusions.json',
  install: () => tools.install(),
  takes: ({ version, name }) => version === '2.0' && !endless.includes(name),
  start({ file }) {
    const args = [program, 'mock', '--errors', '--host', '127.0.0.1', '--verboseLevel', 'error'];
    return startLocalServer((port) => [process.execPath, [...args, '--port', String(port), file]], {
      health: '/',
    });
  },
  faultOf: prismFault,
};
