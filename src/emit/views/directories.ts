/** Files for directories of servers: Docker's catalog, ChatGPT, Smithery, Glama. The forms are those of 2026-11. */
import { getOwnMember } from '../../../templates/runtime/contract/json-value.ts';
import type { EnvironmentVariable } from '../../../templates/runtime/contract/feature.ts';
import type { JsonSchema, ListedTool } from '../../../templates/runtime/contract/json-schema.ts';
import { explainHints } from '../../derive/index.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';
import type { EmitOptions } from '../emit-options.ts';
import { collectListedTools } from '../../derive/listing-cost.ts';
import { cutInputForListing } from '../../derive/schema/cut-schema.ts';
import { commandName } from '../../model/published.ts';
import { packageVersion } from '../package-identity.ts';
import { stripMarkdown } from '../../model/clean-prose.ts';
import { shortenToLine } from '../prose.ts';
import type {
  DockerServerView,
  DockerVariable,
  GlamaView,
  HintsView,
  SmitheryView,
  ToolsView,
} from './publishing-views.ts';

const MOST_TAGS = 5;

export function makeDockerServerView(
  model: ServerModel,
  variables: EnvironmentVariable[],
  { published = {} }: EmitOptions,
): DockerServerView {
  const name = commandName(model);
  const [secrets, plain] = [true, false].map((secret) =>
    variables.filter((each) => each.secret === secret).map((each) => dockerVariable(name, each)),
  );
  const tags = [...new Set(model.tools.flatMap((tool) => tool.tags))].slice(0, MOST_TAGS);
  return {
    name,
    image: `mcp/${name}`,
    title: model.title,
    description: shortenToLine(
      model.description === '' ? model.title : stripMarkdown(published.description ?? model.description),
      200,
    ),
    repository: published.repository ?? '',
    tags,
    hasTags: tags.length > 0,
    hasConfig: variables.length > 0,
    settings: `Settings of ${shortenToLine(model.title, 100)}`,
    secrets: secrets ?? [],
    hasSecrets: (secrets ?? []).length > 0,
    variables: plain ?? [],
    hasVariables: (plain ?? []).length > 0,
  };
}

function dockerVariable(server: string, { name, default: value }: EnvironmentVariable): DockerVariable {
  const parameter = name.toLowerCase();
  const key = `${server}.${parameter}`;
  return { name, key, parameter, example: value ?? `<${name}>`, value: `{{${key}}}` };
}

export function makeToolsView(model: ServerModel): ToolsView {
  return {
    tools: collectListedTools(model).map(({ name, title = name, description = title, inputSchema }) => ({
      name,
      description,
      arguments: Object.entries(inputSchema.properties ?? {}).map(([argument, schema]) => ({
        name: argument,
        type: typeName(schema, inputSchema.$defs),
        desc: (typeof schema === 'object' && schema.description) || '',
      })),
    })),
  };
}

/** Returns the one type that the catalog allows for an argument; `object` for alternatives. */
function typeName(schema: JsonSchema, definitions: Record<string, JsonSchema> = {}): string {
  if (typeof schema !== 'object') return 'object';
  const { $ref = '', type } = schema;
  const referred = $ref.startsWith('#/$defs/')
    ? getOwnMember(definitions, $ref.slice('#/$defs/'.length))
    : undefined;
  if (referred !== undefined && type === undefined) return typeName(referred);
  const types = [type ?? []].flat().filter((each) => each !== 'null');
  return types.length === 1 ? String(types[0]) : 'object';
}

export function makeHintsView(model: ServerModel): HintsView {
  const tools = collectListedTools(model).map((tool) => [tool.name, describeHints(tool)]);
  return { tools: Object.fromEntries(tools) };
}

function describeHints(tool: ListedTool | Tool): unknown {
  const {
    readOnlyHint = false,
    openWorldHint = true,
    destructiveHint = !readOnlyHint,
  } = tool.annotations ?? {};
  const reasons = explainHints(tool);
  return {
    annotations: { readOnlyHint, openWorldHint, destructiveHint },
    justifications: {
      read_only_justification: reasons.readOnlyHint,
      open_world_justification: reasons.openWorldHint,
      destructive_justification: reasons.destructiveHint,
    },
  };
}

/** Makes the server card that Smithery reads where it cannot list the tools itself. */
export function makeSmitheryView(model: ServerModel, { auth }: EmitOptions): SmitheryView {
  return {
    title: model.title,
    version: packageVersion(model.version),
    hasAuth: auth !== undefined,
    tools: collectListedTools(model).map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: cutInputForListing(inputSchema).schema,
    })),
    resources: model.resources.map(({ name, uri, description }) => ({ name, uri, description })),
    prompts: model.prompts.map(({ name, description, arguments: all }) => ({
      name,
      description,
      arguments: all,
    })),
  };
}

export function makeGlamaView({ published = {} }: EmitOptions): GlamaView {
  const account = /^https:\/\/github\.com\/([^/]+)\//.exec(published.repository ?? '')?.[1];
  return { maintainers: account === undefined ? [] : [account] };
}
