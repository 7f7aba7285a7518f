/** Where the compiler's own templates lie, whether it runs from `src/` or from `dist/`. */
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';

const packageRoot = findPackageRoot(new URL('.', import.meta.url));

/** Built-in Handlebars templates of the project's glue. */
export const projectTemplates = new URL('templates/project/', packageRoot);

/** One module of the runtime: as written, and as built for Node. */
export interface RuntimeModule {
  /** Relative to the runtime's folder, without extension: `core/server`. */
  name: string;
  source: string;
  built: string;
}

/** Reads the runtime. Throws when the compiler itself has not been built. */
export async function readRuntime(): Promise<RuntimeModule[]> {
  const sources = new URL('templates/runtime/', packageRoot);
  const built = new URL('dist/templates/runtime/', packageRoot);
  if (!existsSync(built)) throw new Error('The runtime is not built: run `npm run build` in mcpgen first.');
  const files = await readdir(sources, { recursive: true });
  const names = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replaceAll('\\', '/').slice(0, -'.ts'.length))
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const [source, code] = await Promise.all([
        readFile(new URL(`${name}.ts`, sources), 'utf8'),
        readFile(new URL(`${name}.js`, built), 'utf8'),
      ]);
      return { name, source, built: code };
    }),
  );
}

function findPackageRoot(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error('mcpgen is not installed as a package.');
  return findPackageRoot(parent);
}
