/** The compiler's own templates and runtime, whether it runs from `src/` or from `dist/`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { TemplateName } from './views/template-views.ts';
import { packageRoot } from '../version.ts';

const root = packageRoot();

/** A file of the runtime. */
export interface RuntimeFile {
  /** Relative to the runtime's folder: `core/core.ts`. */
  path: string;
  contents: string;
}

/** The runtime as written, and as built for Node: in fewer files, by other names. */
export interface Runtime {
  sources: RuntimeFile[];
  built: RuntimeFile[];
}

/** Throws when the compiler itself has not been built. */
export function readRuntime(): Runtime {
  return {
    sources: readFiles(new URL('templates/runtime/', root), '.ts'),
    built: readFiles(builtFolder('runtime/'), '.js'),
  };
}

/** The built-in templates, precompiled (Handlebars `TemplateSpecification`). Throws when the compiler is not built. */
export async function readTemplates(): Promise<Record<TemplateName, object>> {
  const module = (await import(builtFolder('templates.js').href)) as {
    templates: Record<TemplateName, object>;
  };
  return module.templates;
}

/** Sorted by path. Synchronous, for many small files are read several times faster so. */
function readFiles(folder: URL, extension: string): RuntimeFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, contents: readFileSync(new URL(path, folder), 'utf8') }));
}

function builtFolder(name: string): URL {
  const url = new URL(`dist/${name}`, root);
  if (!existsSync(url)) throw new Error('mcpgen is not built: run `npm run build` in it first.');
  return url;
}
