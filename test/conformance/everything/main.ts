/** A server with everything that the official conformance suite calls, made of what a project's own code may use. */
import { run } from '../../../templates/runtime/index.ts';

process.exitCode = await run(() => import('./server.ts'), process);
