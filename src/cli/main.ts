#!/usr/bin/env node
/** The `mcpgen` command. */
import module from 'node:module';
import { helpPage } from './help-page.ts';
import { tuneEngine } from './tune-engine.ts';

const page = helpPage(process.argv.slice(2), process.env, new URL('.', import.meta.url));
if (page === undefined) {
  // Node 22.8 and later keep compiled code between runs.
  if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function')
    module.enableCompileCache();
  if (!process.argv.includes('--watch')) tuneEngine();
  const { start } = await import('./start.ts');
  process.exitCode = await start();
} else {
  // A reader that has seen enough is no failure.
  process.stdout.on('error', () => undefined);
  process.stdout.write(page);
}
