/** The surface of a server: its listed items, with data to recognise renamed ones. */
import type {
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
} from '../../templates/runtime/contract/catalog.ts';
import type { PromptBinding } from '../../templates/runtime/contract/bindings.ts';
import type { ObjectSchema } from '../../templates/runtime/contract/json-schema.ts';
import { commandName, operationKey } from '../emit/index.ts';
import { templateInput } from './template-input.ts';
import { type CredentialOrigins, modelOrigins } from '../model/credential-origins.ts';
import type { ServerModel } from '../model/server-model.ts';

export interface SurfaceTool extends ListedTool {
  /** The key of its name in `mcpgen.lock`: `GET /pets/{petId}`. Absent if unknown. */
  key?: string;
  /** OAuth scopes that a caller needs. Absent if unknown. */
  scopes?: string[];
}

export interface SurfacePrompt extends ListedPrompt {
  /** Schema of its arguments. Absent: any text is accepted, or the schema is unknown. */
  input?: ObjectSchema;
}

export interface SurfaceTemplate extends ListedResourceTemplate {
  /** Schema of its variables. Absent if unknown. */
  input?: ObjectSchema;
}

export interface Surface {
  /** The command that starts the server, in the configuration of clients. Absent if unknown. */
  command?: string;
  /** The origins that each credential is sent to. Absent if unknown. */
  origins?: CredentialOrigins;
  tools: SurfaceTool[];
  resources: ListedResource[];
  resourceTemplates: SurfaceTemplate[];
  prompts: SurfacePrompt[];
}

export function surfaceOf(model: ServerModel): Surface {
  const { name, tools, resources, resourceTemplates, prompts } = model;
  return {
    command: commandName({ name }),
    origins: modelOrigins(model),
    tools: tools.map((tool) => ({ ...tool, key: operationKey(tool.binding) })),
    resources,
    resourceTemplates: resourceTemplates.map((template) => ({
      ...template,
      input: templateInput(template.uriTemplate, template.binding, tools),
    })),
    prompts: prompts.map((prompt) => withInput(prompt, prompt.binding)),
  };
}

/** Only prompts of functions have a schema of their arguments. */
function withInput(prompt: ListedPrompt, binding: PromptBinding): SurfacePrompt {
  const input = binding.kind === 'function' ? binding.input : undefined;
  return input === undefined ? prompt : { ...prompt, input };
}
