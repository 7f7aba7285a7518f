/** The compiler's own templates and runtime, whether it runs from `src/` or from `dist/`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { packageRoot } from '../version.ts';

const root = packageRoot();

/** Built-in Handlebars templates of the project's glue. */
export const projectTemplates = new URL('templates/project/', root);

/** One module of the runtime: as written, and as built for Node. */
export interface RuntimeModule {
  /** Relative to the runtime's folder, without extension: `core/server`. */
  name: string;
  source: string;
  built: string;
}

/**
 * Reads the runtime, sorted by name. Synchronous, for some 200 small files are read several times faster so.
 * Throws when the compiler itself has not been built.
 */
export function readRuntime(): RuntimeModule[] {
  const sources = new URL('templates/runtime/', root);
  const built = new URL('dist/templates/runtime/', root);
  if (!existsSync(built)) throw new Error('The runtime is not built: run `npm run build` in mcpgen first.');
  return readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replaceAll('\\', '/').slice(0, -'.ts'.length))
    .sort()
    .map((name) => ({
      name,
      source: readFileSync(new URL(`${name}.ts`, sources), 'utf8'),
      built: readFileSync(new URL(`${name}.js`, built), 'utf8'),
    }));
}
