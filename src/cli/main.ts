#!/usr/bin/env node
import { enableCompileCache, tuneEngine } from './engine.ts';

enableCompileCache();
if (!process.argv.includes('--watch')) tuneEngine();
const { runProcess: start } = await import('./start.ts');
process.exitCode = await start();
