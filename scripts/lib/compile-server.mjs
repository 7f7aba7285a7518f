/** Emitted servers, as a user would have them. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { mcpgenOrThrow } from './run.mjs';

/** Compiles `<name>.json` to `<name>-mcp`. `options`: of the command; `handlers`: of `src/handlers/index.ts`. Returns the project. */
export async function compileServer(folder, document, { name = 'target', options = [], handlers } = {}) {
  const [source, project] = [path.join(folder, `${name}.json`), path.join(folder, `${name}-mcp`)];
  await writeFile(source, JSON.stringify(document));
  await mcpgenOrThrow(['openapi', source, '-o', project, ...options]);
  if (handlers === undefined) return project;
  await writeFile(path.join(project, 'src/handlers/index.ts'), handlers);
  await mcpgenOrThrow(['generate', project]);
  return project;
}
