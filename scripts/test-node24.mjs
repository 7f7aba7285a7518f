/** `npm run test:node24`: the tests, or those below some folders, on the newest Node that servers and compiler run on. */
import { spawn } from 'node:child_process';
import path from 'node:path';

import { inRepository, root } from './lib/repository.mjs';
import { Tools } from './lib/tools.mjs';
import { readOptions } from './lib/usage.mjs';

const { positionals } = readOptions('npm run test:node24 [-- <folder> …]', { allowPositionals: true });
const tools = new Tools('test/conformance');
await tools.install();
const node = tools.node(24);
// Programs that tests start by name use that Node too, and commands of installed packages are found as by `npm test`.
const places = [path.dirname(node), inRepository('node_modules/.bin'), process.env.PATH];
const tests = spawn(node, [inRepository('node_modules/vitest/vitest.mjs'), 'run', ...positionals], {
  cwd: root,
  env: { ...process.env, PATH: places.join(path.delimiter) },
  stdio: 'inherit',
});
tests.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
