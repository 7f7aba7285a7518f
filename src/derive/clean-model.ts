/** Cleans all texts that clients list, and that README, manifests and comments are made of. */
import type { PromptBinding, UpstreamBinding } from '../../templates/runtime/contract/bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../../templates/runtime/contract/json-schema.ts';
import type { DiagnosticCollector } from '../diagnostics/collector.ts';
import { cleanProse, hiddenIn } from '../model/clean-prose.ts';
import type { Origin } from '../model/origin.ts';
import { isSchemaObject, mapSubschemas } from '../model/schema-walk.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import { definedMembers } from '../util/defined-members.ts';

/** A text that a model reads, with its description and origin for messages. */
export interface ListedText {
  text: string;
  what: string;
  /** The text before cleaning. */
  before: string;
  origin?: Origin;
}

type Words = Record<string, unknown>;
type Note = (text: string, what: string, before: string) => void;

/**
 * Cleans a model that the hook of `file` returned. The model was clean before, so the hook added any hidden text; it
 * is reported.
 */
export function cleanHookedModel(
  model: ServerModel,
  file: string,
  diagnostics: DiagnosticCollector,
): ServerModel {
  const texts = new Set<string>();
  const clean = cleanModel(model, ({ before }) => texts.add(before));
  for (const { binding } of model.prompts)
    if (binding.kind === 'template') for (const { text } of binding.messages) texts.add(text);
  for (const text of texts) {
    const hidden = hiddenIn(text);
    if (hidden !== undefined)
      diagnostics.report('hidden-text', { hidden }, { at: { kind: 'code', file, line: 1, column: 1 } });
  }
  return clean;
}

/** Cleans the prose; names and values stay. `note` gets each cleaned text once. */
export function cleanModel(
  model: ServerModel,
  note: (listed: ListedText) => void = () => undefined,
): ServerModel {
  const at = ({ origin }: { origin?: Origin }, of: string): Note => {
    return (text, what, before) => {
      note({ text, what: `${what} of ${of}`, before, ...definedMembers({ origin }) });
    };
  };
  const own: Note = (text, what, before) => {
    note({ text, what: `${what} of the server`, before });
  };
  const schemas = new SchemaCleaner();
  return {
    ...cleanWords(model, ['title', 'version', 'description', 'instructions'], own),
    tools: model.tools.map((tool) => cleanTool(tool, at(tool, `the tool \`${tool.name}\``), schemas)),
    resources: model.resources.map((each) =>
      cleanWords(each, words, at(each, `the resource \`${each.name}\``)),
    ),
    resourceTemplates: model.resourceTemplates.map((each) =>
      cleanWords(each, words, at(each, `the resource template \`${each.name}\``)),
    ),
    prompts: model.prompts.map((prompt) => {
      const noted = at(prompt, `the prompt \`${prompt.name}\``);
      return {
        ...cleanWords(prompt, words, noted),
        ...(prompt.arguments && {
          arguments: prompt.arguments.map((each) =>
            cleanWords(each, words, noted, `argument \`${each.name}\``),
          ),
        }),
        binding: cleanMessages(prompt.binding),
      };
    }),
    ...(model.upstream && { upstream: cleanUpstream(model.upstream, own) }),
    ...(model.upstreams && { upstreams: model.upstreams.map((each) => cleanUpstream(each, own)) }),
  };
}

const words = ['title', 'description'] as const;

function cleanWords<T extends object>(
  item: T,
  members: readonly (keyof T & string)[],
  note: Note,
  within = '',
): T {
  const changed: Words = {};
  for (const member of members) {
    const text: unknown = item[member];
    if (typeof text !== 'string') continue;
    const clean = cleanProse(text);
    note(clean, `The ${member}${within === '' ? '' : ` of the ${within}`}`, text);
    if (clean !== text) changed[member] = clean;
  }
  return Object.keys(changed).length === 0 ? item : { ...item, ...changed };
}

function cleanTool(tool: Tool, note: Note, schemas: SchemaCleaner): Tool {
  const { annotations, inputSchema, outputSchema } = tool;
  return {
    ...cleanWords(tool, words, note),
    inputSchema: schemas.clean(inputSchema, note, 'arguments') as Tool['inputSchema'],
    ...(outputSchema && { outputSchema: schemas.clean(outputSchema, note, 'result') as Tool['inputSchema'] }),
    ...(annotations && { annotations: cleanWords(annotations, ['title'], note) }),
  };
}

/** Prompts are instructions, so instruction-like text in them is not reported. */
function cleanMessages(binding: PromptBinding): PromptBinding {
  if (binding.kind !== 'template') return binding;
  return {
    ...binding,
    messages: binding.messages.map(({ role, text }) => ({ role, text: cleanProse(text) })),
  };
}

function cleanUpstream(upstream: UpstreamBinding, note: Note): UpstreamBinding {
  const clean = (servers: UpstreamBinding['servers']): UpstreamBinding['servers'] =>
    servers.map((each) => cleanWords(each, ['name', 'description'], note, 'API’s server'));
  const { servers, otherServers } = upstream;
  return { ...upstream, servers: clean(servers), ...(otherServers && { otherServers: clean(otherServers) }) };
}

/** Tools share schemas, so each is cleaned once. */
class SchemaCleaner {
  readonly #done = new Map<JsonSchemaObject, JsonSchema>();

  clean(schema: JsonSchema, note: Note, where: string): JsonSchema {
    if (!isSchemaObject(schema)) return schema;
    const done = this.#done.get(schema);
    if (done !== undefined) return done;
    const own = cleanWords(schema, ['title', 'description', '$comment'], note, where);
    const clean = mapSubschemas(own, (subschema) => this.clean(subschema, note, where));
    this.#done.set(schema, clean);
    return clean;
  }
}
