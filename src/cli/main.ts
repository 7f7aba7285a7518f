#!/usr/bin/env node
/** The `mcpgen` command. */
import module from 'node:module';
import process from 'node:process';

// Node 22.8 and later keep compiled code between runs.
if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
  module.enableCompileCache();

const { nodeHost } = await import('./node-host.ts');
const { run } = await import('./run.ts');

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    interruption.abort();
  });
}
// `mcpgen inspect … | head` closes stdout early; that is no fault.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1);
});

process.exitCode = await run(nodeHost(interruption.signal));
