/** What clients see of a server, and what tells an item that was renamed from another one. */
import type {
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
} from '../../templates/runtime/catalog.ts';
import { commandName, operationKey } from '../emit/index.ts';
import type { ServerModel } from '../model/server-model.ts';

export interface SurfaceTool extends ListedTool {
  /** What `mcpgen.lock` remembers its name by: `GET /pets/{petId}`. Absent where that is not known. */
  key?: string;
  /** OAuth scopes a caller needs. Absent where that is not known. */
  scopes?: string[];
}

export interface Surface {
  /** The command that starts the server, which clients are configured with. Absent where that is not known. */
  command?: string;
  tools: SurfaceTool[];
  resources: ListedResource[];
  resourceTemplates: ListedResourceTemplate[];
  prompts: ListedPrompt[];
}

export function surfaceOf({ name, tools, resources, resourceTemplates, prompts }: ServerModel): Surface {
  return {
    command: commandName({ name }),
    tools: tools.map((tool) => ({ ...tool, key: operationKey(tool.binding) })),
    resources,
    resourceTemplates,
    prompts,
  };
}
