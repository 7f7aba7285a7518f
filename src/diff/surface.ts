/** The surface of a server: its listed items, with data to recognise renamed ones. */
import type { PromptBinding, ResourceBinding } from '../../templates/runtime/contract/bindings.ts';
import type {
  JsonSchema,
  ListedPrompt,
  ListedResource,
  ListedResourceTemplate,
  ListedTool,
  ObjectSchema,
  SurfaceName,
} from '../../templates/runtime/contract/json-schema.ts';
import { getOwnMember, isRecord } from '../../templates/runtime/contract/json-value.ts';
import { parseUriTemplate } from '../../templates/runtime/uri-template/index.ts';
import { commandName } from '../model/published.ts';
import { bindingKey } from '../model/operation-key.ts';
import { type CredentialOrigins, originsOfModel } from '../model/credential-origins.ts';
import { restoreSharedSchemas } from '../model/shared-schemas.ts';
import type { ServerModel } from '../model/server-model.ts';
import { omitUndefined } from '../util/collections.ts';
import { type AnswerRules, listAnswerRulePaths } from './compare-answers.ts';

export interface SurfaceTool extends ListedTool {
  /** The key of its name in `mcpgen.lock`: `GET /pets/{petId}`. Absent if unknown. */
  key?: string;
  /** OAuth scopes that a caller needs. Absent if unknown. */
  scopes?: string[];
  /** Listed beside the tools that search. */
  pin?: boolean;
  /** The part of the API's answer that the tool returns. Absent if unknown. */
  answer?: AnswerRules;
}

export interface SurfacePrompt extends ListedPrompt {
  /** Schema of its arguments. Absent: any text is accepted, or the schema is unknown. */
  input?: ObjectSchema;
}

export interface SurfaceTemplate extends ListedResourceTemplate {
  /** Schema of the template's variables. Absent if unknown. */
  input?: ObjectSchema;
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
  resourceTemplates: SurfaceTemplate[];
  prompts: SurfacePrompt[];
}

export function makeSurface(model: ServerModel): Surface {
  const { name, surface, tools, resources, resourceTemplates, prompts } = restoreSharedSchemas(model);
  const inputs = new Map(tools.map((tool) => [tool.name, tool.inputSchema]));
  return {
    command: commandName({ name }),
    ...omitUndefined({ surface }),
    origins: originsOfModel(model),
    tools: tools.map((tool) => ({
      ...tool,
      key: bindingKey(tool.binding),
      answer: listAnswerRulePaths(tool.binding.kind === 'http' ? tool.binding.result : undefined),
    })),
    resources,
    resourceTemplates: resourceTemplates.map((template) => ({
      ...template,
      input: makeTemplateInputSchema(template.uriTemplate, template.binding, inputs),
    })),
    prompts: prompts.map((prompt) => addInputSchema(prompt, prompt.binding)),
  };
}

/** Only prompts of functions have a schema of their arguments. */
function addInputSchema(prompt: ListedPrompt, binding: PromptBinding): SurfacePrompt {
  const input = binding.kind === 'function' ? binding.input : undefined;
  return input === undefined ? prompt : { ...prompt, input };
}

/** The schema of a resource template's variables: those of its arguments, else any text. It is not listed, but checked in calls. */
export function makeTemplateInputSchema(
  uriTemplate: string,
  { do: binding, variables = {}, schemas = {} }: ResourceBinding,
  inputs: ReadonlyMap<string, ObjectSchema>,
): ObjectSchema {
  const input = findInput(binding, inputs);
  const mapToArgumentName = (variable: string): string =>
    Object.hasOwn(variables, variable) ? (variables[variable] ?? variable) : variable;
  const argumentSchema = (argument: string): JsonSchema =>
    getOwnMember(input?.properties ?? {}, argument) ?? getOwnMember(schemas, argument) ?? { type: 'string' };
  const names = parseUriTemplate(uriTemplate).flatMap((part) =>
    'variables' in part ? part.variables.map(({ name }) => name) : [],
  );
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, argumentSchema(mapToArgumentName(name))])),
    required: names.filter((name) => input?.required?.includes(mapToArgumentName(name))),
    ...omitUndefined({ $defs: input?.$defs }),
  };
}

function findInput(
  binding: ResourceBinding['do'],
  inputs: ReadonlyMap<string, ObjectSchema>,
): ObjectSchema | undefined {
  if (binding.kind === 'tool') return inputs.get(binding.name);
  return binding.kind === 'function' ? binding.input : undefined;
}

const lists = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;

/** Checks only the lists, since mcpgen wrote their items. */
export function isSurface(value: unknown): value is Surface {
  return isRecord(value) && lists.every((name) => Array.isArray(value[name]));
}

export function isModel(value: unknown): value is ServerModel {
  return isSurface(value) && 'format' in value && value.format === 1 && 'completions' in value;
}
