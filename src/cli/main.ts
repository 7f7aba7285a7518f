#!/usr/bin/env node
/** The `mcpgen` command. */
import module from 'node:module';
import { tuneEngine } from './tune-engine.ts';

// Node 22.8 and later keep compiled code between runs.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
  module.enableCompileCache();
tuneEngine();

const { EXIT } = await import('./exit-code.ts');
const { nodeHost } = await import('./node-host.ts');
const { run } = await import('./run.ts');

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interruption.abort();
  });
}
// `mcpgen inspect … | head` closes stdout early: nothing more is read, and what was found is still what was found.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(EXIT.errors);
  });
}

process.exitCode = await run(nodeHost(interruption.signal));
