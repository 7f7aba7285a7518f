/** A ServerModel as a page of text for a person. */
import { bindingKey } from '../model/operation-key.ts';
import { type Paint, escapeInvisible } from '../diagnostics/render/terminal-text.ts';
import type { ListingCost } from '../api/inspect.ts';
import { REQUESTS, isHeadersVariable, originsOfModel } from '../model/credential-origins.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import { filesOfSkill } from '../model/skills.ts';
import { formatCount, formatToolCount, formatCountWithNoun, formatSection } from './words.ts';

export function renderModel(model: ServerModel, cost: ListingCost, paint: Paint): string {
  const { name, version, title, tools, resources, resourceTemplates, prompts, skills } = model;
  const counts = [
    formatToolCount(tools.length, cost),
    formatCountWithNoun(resources.length, 'resource'),
    formatCountWithNoun(resourceTemplates.length, 'resource template'),
    formatCountWithNoun(prompts.length, 'prompt'),
    ...(skills === undefined ? [] : [formatCountWithNoun(skills.entries.length, 'skill')]),
  ];
  const whole = cost.all === undefined ? '' : ` (all tools: about ${formatCount(cost.all.tokens)})`;
  const size = `tools/list takes ${formatCount(cost.bytes)} bytes, about ${formatCount(cost.tokens)} tokens${whole}`;
  const rows: Record<string, string[][]> = {
    'Bodies sent as one of several media types': tools.flatMap(makeBodyRows),
    Resources: resources.map(({ uri, mimeType = '' }) => [uri, mimeType]),
    'Resource templates': resourceTemplates.map(({ uriTemplate, mimeType = '' }) => [uriTemplate, mimeType]),
    Prompts: prompts.map((one) => [
      one.name,
      (one.arguments ?? []).map((argument) => argument.name).join(', '),
    ]),
    Skills: (skills?.entries ?? []).map(({ uri, frontmatter }) => [
      uri,
      formatCountWithNoun(filesOfSkill({ uri, frontmatter }, skills?.files ?? []).length, 'file'),
    ]),
    'Credentials, and where they are sent': Object.entries(originsOfModel(model))
      .filter(([variable]) => variable !== REQUESTS && !isHeadersVariable(variable))
      .map(([variable, origins]) => [variable, origins.join(', ')]),
  };
  const sections = Object.entries(rows).map(([heading, cells]) => formatSection(heading, cells, paint));
  const heading = `${paint('bold', escapeInvisible(name))} ${escapeInvisible(version)} · ${escapeInvisible(title)}`;
  const head = `${heading}\n${counts.join(' · ')} · ${size}\n`;
  return [head, ...[renderTools(tools, cost, paint), ...sections].filter((text) => text !== '')].join('\n');
}

/** Prints under each tool the words that a model chooses it by. */
function renderTools(tools: readonly Tool[], cost: ListingCost, paint: Paint): string {
  const rows = tools.map((tool, index) => toolRow(tool, cost.tools[index]?.tokens ?? 0));
  const [heading = '', ...lines] = formatSection('Tools', rows, paint).split('\n');
  const entries = tools.map(
    (tool, index) => `${lines[index] ?? ''}\n      ${paint('dim', toolWords(tool))}\n`,
  );
  return tools.length === 0 ? '' : `${heading}\n${entries.join('')}`;
}

const longestLine = 100;

function toolWords({ name, title = name, description = '' }: Tool): string {
  const text = description.startsWith(title) || title === name ? description : `${title} – ${description}`;
  const line = escapeInvisible(text.replace(/(?<![.!?:])\n\n/g, '. ').replace(/\s+/g, ' '));
  return line.length <= longestLine ? line : `${line.slice(0, longestLine - 1).trimEnd()}…`;
}

function toolRow({ name, binding, annotations = {} }: Tool, tokens: number): string[] {
  const { readOnlyHint: isReadOnly = false, destructiveHint = true } = annotations;
  const { idempotentHint = false, openWorldHint = true } = annotations;
  const hints = [
    isReadOnly ? 'read-only' : destructiveHint ? 'destructive' : 'additive',
    ...(!isReadOnly && idempotentHint ? ['idempotent'] : []),
    ...(openWorldHint ? [] : ['closed world']),
    ...(binding.kind !== 'steps' && binding.confirm !== undefined ? [`confirm: ${binding.confirm}`] : []),
  ];
  return [name, bindingKey(binding), `${formatCount(tokens)} tokens`, hints.join(', ')];
}

/** Prints a row only for tools whose request body the document also offers in other media types. */
function makeBodyRows({ name, binding }: Tool): string[][] {
  const { mediaType = '', alternatives = [] } = (binding.kind === 'http' ? binding.body : undefined) ?? {};
  return alternatives.length === 0 ? [] : [[name, mediaType, `also offered: ${alternatives.join(', ')}`]];
}
