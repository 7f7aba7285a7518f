/** What clients see of a server, and what tells an item that was renamed from another one. */
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
  /** What `mcpgen.lock` remembers its name by: `GET /pets/{petId}`. Absent where that is not known. */
  key?: string;
  /** OAuth scopes a caller needs. Absent where that is not known. */
  scopes?: string[];
}

export interface SurfacePrompt extends ListedPrompt {
  /** What its arguments must be. Absent: any text is taken, or it is not known. */
  input?: ObjectSchema;
}

export interface SurfaceTemplate extends ListedResourceTemplate {
  /** What its variables must be. Absent where that is not known. */
  input?: ObjectSchema;
}

export interface Surface {
  /** The command that starts the server, which clients are configured with. Absent where that is not known. */
  command?: string;
  /** The origins that each credential is sent to. Absent where that is not known. */
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

/** The messages of a document take any text. */
function withInput(prompt: ListedPrompt, binding: PromptBinding): SurfacePrompt {
  const input = binding.kind === 'function' ? binding.input : undefined;
  return input === undefined ? prompt : { ...prompt, input };
}
