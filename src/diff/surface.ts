/** What clients see of a server, and what tells an item that was renamed from another one. */
import type {
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
} from '../../templates/runtime/catalog.ts';
import { operationKey } from '../emit/index.ts';
import type { ServerModel } from '../model/server-model.ts';

export interface SurfaceTool extends ListedTool {
  /** What `mcpgen.lock` remembers its name by: `GET /pets/{petId}`. Absent where that is not known. */
  key?: string;
  /** OAuth scopes a caller needs. Absent where that is not known. */
  scopes?: string[];
}

export interface Surface {
  tools: SurfaceTool[];
  resources: ListedResource[];
  resourceTemplates: ListedResourceTemplate[];
  prompts: ListedPrompt[];
}

export function surfaceOf({ tools, resources, resourceTemplates, prompts }: ServerModel): Surface {
  return {
    tools: tools.map((tool) => ({ ...tool, key: operationKey(tool.binding) })),
    resources,
    resourceTemplates,
    prompts,
  };
}
