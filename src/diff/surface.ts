/** The surface of a server: its listed items, with data to recognise renamed ones. */
import type {
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
  SurfaceName,
} from '../model/listed-items.ts';
import { isRecord } from '../../templates/runtime/json-rpc.ts';
import { commandName } from '../model/published.ts';
import { bindingKey } from '../model/operation-key.ts';
import { type CredentialOrigins, originsOfModel } from '../model/credential-origins.ts';
import { restoreSharedSchemas } from '../model/shared-schemas.ts';
import type { ServerModel } from '../model/server-model.ts';
import { omitUndefined } from '../util/collections.ts';

export interface SurfaceTool extends ListedTool {
  /** The key of its name in `mcpgen.lock`: `GET /pets/{petId}`. Absent if unknown. */
  key?: string;
  /** OAuth scopes that a caller needs. Absent if unknown. */
  scopes?: string[];
  /** Listed beside the tools that search. */
  pin?: boolean;
}

export interface Surface {
  /** The command that starts the server, in the configuration of clients. Absent if unknown. */
  command?: string;
  /** Which tools are listed. Absent: all. */
  surface?: SurfaceName;
  /** The origins that each credential is sent to. Absent if unknown. */
  origins?: CredentialOrigins;
  tools: SurfaceTool[];
  resources: ListedResource[];
  resourceTemplates: ListedResourceTemplate[];
  prompts: ListedPrompt[];
}

export function makeSurface(model: ServerModel): Surface {
  const { name, surface, tools, resources, resourceTemplates, prompts } = restoreSharedSchemas(model);
  return {
    command: commandName({ name }),
    ...omitUndefined({ surface }),
    origins: originsOfModel(model),
    tools: tools.map((tool) => ({ ...tool, key: bindingKey(tool.binding) })),
    ...{ resources, resourceTemplates, prompts },
  };
}

const lists = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;

/** Checks only the lists, since mcpgen wrote their items. */
export function isSurface(value: unknown): value is Surface {
  return isRecord(value) && lists.every((name) => Array.isArray(value[name]));
}

export function isModel(value: unknown): value is ServerModel {
  return isSurface(value) && 'format' in value && value.format === 1 && 'completions' in value;
}
