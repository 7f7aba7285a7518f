/** Cleans all texts that clients list, and that README, manifests and comments are made of. */
import type { PromptBinding, UpstreamBinding } from '../../model/bindings.ts';
import type { JsonSchema, JsonSchemaObject } from '../../util/json-schema.ts';
import { fillInHints } from '../../model/listed-items.ts';
import type { DiagnosticCollector } from '../../diagnostics/collector.ts';
import { removeInvisible, describeHidden } from '../../model/clean-prose.ts';
import type { Origin } from '../../model/origin.ts';
import { isSchemaObject, mapSubschemas } from '../../model/schema-walk.ts';
import type { ServerModel, Tool } from '../../model/server-model.ts';
import type { SkillFile, Skills } from '../../model/skills.ts';
import { reportContradictoryHints } from '../annotations.ts';
import { joinLines } from './plain-text.ts';

interface ListedText {
  text: string;
  what: string;
  before: string;
  origin?: Origin | undefined;
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
  const at: Origin = { kind: 'code', file, line: 1, column: 1 };
  const texts = new Set<string>();
  const clean = cleanModel(model, ({ before }) => texts.add(before));
  for (const { binding } of model.prompts)
    if (binding.kind === 'template') for (const { text } of binding.messages) texts.add(text);
  for (const text of texts) {
    const hidden = describeHidden(text);
    if (hidden !== undefined) diagnostics.report('hidden-text', { hidden }, { at });
  }
  const tools = clean.tools.map((tool) => {
    const { name, annotations } = tool;
    if (annotations === undefined) return tool;
    reportContradictoryHints(`\`${name}\``, annotations, at, diagnostics);
    return { ...tool, annotations: fillInHints(annotations) };
  });
  return { ...clean, tools };
}

/** Removes invisible characters from prose; names and values stay. `note` is called with each cleaned text. */
function cleanModel(model: ServerModel, note: (listed: ListedText) => void = () => undefined): ServerModel {
  const at = ({ origin }: { origin?: Origin }, of: string): Note => {
    return (text, what, before) => {
      note({ text, what: `${what} of ${of}`, before, origin });
    };
  };
  const noteText: Note = (text, what, before) => {
    note({ text, what: `${what} of the server`, before });
  };
  const schemas = new SchemaCleaner();
  return {
    ...cleanMembers(model, ['title', 'version', 'description', 'instructions'], noteText),
    tools: model.tools.map((tool) => cleanTool(tool, at(tool, `the tool \`${tool.name}\``), schemas)),
    resources: model.resources.map((resource) =>
      cleanMembers(resource, textKeys, at(resource, `the resource \`${resource.name}\``)),
    ),
    resourceTemplates: model.resourceTemplates.map((resourceTemplate) =>
      cleanMembers(
        resourceTemplate,
        textKeys,
        at(resourceTemplate, `the resource template \`${resourceTemplate.name}\``),
      ),
    ),
    prompts: model.prompts.map((prompt) => {
      const noted = at(prompt, `the prompt \`${prompt.name}\``);
      return {
        ...cleanMembers(prompt, textKeys, noted),
        ...(prompt.arguments && {
          arguments: prompt.arguments.map((argument) =>
            cleanMembers(argument, textKeys, noted, `argument \`${argument.name}\``),
          ),
        }),
        binding: cleanMessages(prompt.binding),
      };
    }),
    ...(model.skills && { skills: cleanSkills(model.skills) }),
    ...(model.upstream && { upstream: cleanUpstream(model.upstream, noteText) }),
    ...(model.upstreams && {
      upstreams: model.upstreams.map((upstream) => cleanUpstream(upstream, noteText)),
    }),
  };
}

const textKeys = ['title', 'description'] as const;

function cleanMembers<T extends object>(
  item: T,
  members: readonly (keyof T & string)[],
  note: Note,
  within = '',
): T {
  const changed: Words = {};
  for (const member of members) {
    const text: unknown = item[member];
    if (typeof text !== 'string') continue;
    const clean = removeInvisible(text);
    note(clean, `The ${member}${within === '' ? '' : ` of the ${within}`}`, text);
    if (clean !== text) changed[member] = clean;
  }
  return Object.keys(changed).length === 0 ? item : { ...item, ...changed };
}

function cleanTool(tool: Tool, note: Note, schemas: SchemaCleaner): Tool {
  const { annotations, inputSchema, outputSchema } = tool;
  return {
    ...cleanMembers(tool, textKeys, note),
    inputSchema: schemas.clean(inputSchema, note, 'arguments') as Tool['inputSchema'],
    ...(outputSchema && { outputSchema: schemas.clean(outputSchema, note, 'result') as Tool['inputSchema'] }),
    ...(annotations && { annotations: cleanMembers(annotations, ['title'], note) }),
  };
}

/** Prompts are instructions, so instruction-like text in them is not reported. */
function cleanMessages(binding: PromptBinding): PromptBinding {
  if (binding.kind !== 'template') return binding;
  return {
    ...binding,
    messages: binding.messages.map(({ role, text }) => ({ role, text: removeInvisible(text) })),
  };
}

/** The text of a skill is an instruction too. */
function cleanSkills({ entries, files }: Skills): Skills {
  const clean = (file: SkillFile): SkillFile =>
    'text' in file && file.mimeType === 'text/markdown'
      ? { ...file, text: removeInvisible(file.text) }
      : file;
  return { entries, files: files.map(clean) };
}

function cleanUpstream(upstream: UpstreamBinding, note: Note): UpstreamBinding {
  const clean = (servers: UpstreamBinding['servers']): UpstreamBinding['servers'] =>
    servers.map((server) => cleanMembers(server, ['name', 'description'], note, 'API’s server'));
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
    const own = cleanMembers(schema, ['title', 'description', '$comment'], note, where);
    const clean = mapSubschemas(own, (subschema) => this.clean(subschema, note, where));
    this.#done.set(schema, clean);
    return clean;
  }
}

/**
 * Patterns over lower-case text of one line, without unbounded repetitions, since texts may be hostile. Normal
 * descriptions must not match, since a warning that is often wrong is ignored: "you must call this endpoint first" does not.
 */
const INSTRUCTIONS = new RegExp(
  [
    // Overrides earlier instructions.
    String.raw`\b(?:ignore|disregard|forget) (?:(?:all|any|the|your|of|these|those|every|everything) ){0,9}(?:previous|prior|above|earlier|preceding|other|system|original|initial|safety) (?:\w+ )?(?:instructions?|prompts?|directives?|messages?|rules|guidelines|guardrails|context)\b`,
    String.raw`\b(?:ignore|disregard|forget) (?:all )?your (?:\w+ )?(?:instructions?|prompts?|rules|guidelines|training)\b`,
    // Hides something from the user.
    String.raw`\b(?:do not|don't|never|without) (?:(?:ever|tell|mention|reveal|disclose|inform|telling|mentioning|revealing|disclosing|informing) ){0,9}(?:tell|mention|reveal|disclose|inform|telling|mentioning|revealing|disclosing|informing)(?: (?:this|it|that|anything|about|any|of)){0,9} (?:to )?(?:the |your )?(?:end )?(?:user|human)\b(?! (?:their|his|her|its)\b)`,
    String.raw`\b(?:do not|don't|never) let (?:the |your )(?:end )?(?:user|human) (?:know|see|notice|find out)\b`,
    String.raw`\b(?:hide|conceal|keep) (?:this|it|that)(?: (?:a )?(?:secret|hidden|call))? from (?:the |your )(?:end )?(?:user|human)\b`,
    String.raw`\b(?:user|human) (?:must|should) (?:not|never) (?:(?:know|notice|be told|find out)\b|see (?:this|it|that)\b)`,
    // Imitates another author.
    String.raw`< ?/? ?(?:important|system|critical|instructions?|assistant) ?>`,
    String.raw`<\|(?:im_start|im_end|system|user|assistant)\|>|\[/?inst\]|<</?sys>>`,
    String.raw`(?:^|[.!?\]>] )(?:#+ )?\[?(?:system|developer) ?(?:prompt|message|note|override)?\]?: (?:you (?:are|must|will|should|have|shall)|ignore|always|never|do not|don't|from now|the assistant|this)\b`,
    // Addresses the model.
    String.raw`\byou are (?:now )?(?:an? |the )?(?:helpful )?(?:ai|llm|language model|chatbot)\b`,
    String.raw`\b(?:dear|hey|attention,?|note to|instructions? (?:to|for)) (?:the |all |any )?(?:ai|llms?|language models?|assistants?|ai agents?|models?)\b[ ]?[:,!]`,
    // Mentions other tools, or files that no API has.
    String.raw`\b(?:before|after|when|whenever|prior to|instead of) (?:you )?(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing)|run(?:ning)?) (?:this|any|any other|every|each|another|other) tools?\b,? (?:you (?:must|should|need)|(?:always |first |also |please ){0,9}(?:read|open|call|invoke|run|execute|use|send|pass|include|fetch|forward|copy)\b)`,
    String.raw`\byou must (?:(?:always|first|also|immediately|then) ){0,9}(?:call|invoke|use|run|execute) (?:this|the|that) (?:\S+ )?tool\b`,
    String.raw`\b(?:call|invoke|use|run|execute|send)\b[^.]{0,60}\bwith (?:the |this |your )?(?:full |entire |whole |complete )?(?:conversation|chat history)\b`,
    String.raw`\b(?:read|open|cat|send|upload|attach|include|pass|provide|copy|print)\b[^.]{0,60}(?:~/\.\w|\bid_rsa\b|\bid_ed25519\b|/etc/(?:passwd|shadow)\b|\.(?:ssh|aws|gnupg)/|\bmcp\.json\b)`,
    String.raw`\b(?:reveal|print|repeat|leak|send|include|append|output) (?:\w+ ){0,2}(?:your|the) (?:full |entire |hidden )?(?:system|developer|initial) prompt\b`,
  ].join('|'),
  'u',
);
/** Texts are searched in parts, to bound the cost of one search. */
const PART = 20_000;
/** Overlap of two parts; no pattern is longer. */
const SHARED = 400;

export function findInstruction(text: string): string | undefined {
  for (let start = 0; start < text.length; start += PART) {
    const part = text.slice(start, start + PART + SHARED);
    const letters = !/[^\0-\x7f]/.test(part) ? part : part.normalize('NFKC').replaceAll('’', "'");
    const [instruction] = INSTRUCTIONS.exec(joinLines(letters.toLowerCase())) ?? [];
    if (instruction !== undefined) return instruction.trim().slice(0, 120);
  }
  return undefined;
}

export function cleanModelAndReport(model: ServerModel, diagnostics: DiagnosticCollector): ServerModel {
  const seen = new Set<string>();
  return cleanModel(model, ({ text, what, origin }: ListedText) => {
    if (seen.has(text)) return;
    seen.add(text);
    const instruction = findInstruction(text);
    if (instruction !== undefined)
      diagnostics.report('instruction-like-text', { what, words: instruction }, { at: origin });
  });
}
