/** The compiler's own templates and runtime, whether it runs from `src/` or from `dist/`. */
import { existsSync, readFileSync } from 'node:fs';
import type { TemplateName } from './views/template-views.ts';
import { packageRoot } from '../util/version.ts';

const root = packageRoot();

export interface RuntimeFile {
  /** The path in the runtime's folder: `features/audit.ts`. */
  path: string;
  contents: string;
  /** Modules of the feature table that import the file. Absent: every project has it. */
  entries?: string[];
}

/** Each module as written, and as `tsc` makes it. Both sorted by path. */
export interface Runtime {
  sources: RuntimeFile[];
  built: RuntimeFile[];
}

/** Reads what the build packed into one file. Throws when the compiler itself has not been built. */
export function readRuntime(): Runtime {
  // The build writes other characters as escapes: text of single bytes is read in half the time.
  return JSON.parse(readFileSync(urlOfBuiltFile('runtime.json'), 'latin1')) as Runtime;
}

/** The built-in templates, precompiled (Handlebars `TemplateSpecification`). Throws when the compiler is not built. */
export async function readTemplates(): Promise<Record<TemplateName, object>> {
  const module = (await import(urlOfBuiltFile('templates.js').href)) as {
    templates: Record<TemplateName, object>;
  };
  return module.templates;
}

export function readTemplateText(name: TemplateName): string {
  return readFileSync(new URL(`templates/project/${name}.hbs`, root), 'utf8');
}

function urlOfBuiltFile(name: string): URL {
  const url = new URL(`dist/${name}`, root);
  if (!existsSync(url)) throw new Error('mcpgen is not built: run `npm run build` in it first.');
  return url;
}
