/** Drafts skills from a server's tools, one for each tag: a beginning that a person improves. */
import { SURFACE_TOOLS } from '../../templates/runtime/contract/json-schema.ts';
import { isSkillName } from '../model/skills.ts';
import type { ServerModel, Tool } from '../model/server-model.ts';
import type { Operation, SourceModel } from '../model/source-model.ts';
import { groupBy, formatNameList } from '../util/collections.ts';
import { firstParagraph, htmlToPlainLine, trimText } from './text/plain-text.ts';
import { findFreeName } from '../util/free-name.ts';

export interface SkillDraft {
  name: string;
  tools: number;
  /** `SKILL.md` */
  text: string;
}

interface Described {
  tool: Tool;
  /** Absent for a function. */
  operation?: Operation | undefined;
}

/** Most rows of a table, since nobody reads more. */
const MOST_ROWS = 60;
const LONGEST_LINE = 160;

export function draftSkillTexts(
  { title, name: server, tools, surface }: Pick<ServerModel, 'title' | 'name' | 'tools' | 'surface'>,
  sources: readonly SourceModel[],
): SkillDraft[] {
  const operations = new Map(
    sources.flatMap(({ capabilities }) =>
      capabilities.flatMap((capability) =>
        capability.kind === 'operation' ? [[capability.origin, capability] as const] : [],
      ),
    ),
  );
  const tagged = tools.flatMap((tool) => {
    const described: Described = { tool, operation: operations.get(tool.origin) };
    const tags = new Set(tool.tags.length === 0 ? [''] : tool.tags.map(htmlToPlainLine));
    return [...tags].map((tag) => ({ tag, described }));
  });
  const takenNames = new Set<string>();
  return [...groupBy(tagged, ({ tag }) => tag)].map(([tag, group]) => {
    const members = group.map(({ described }) => described);
    const wish = skillNameFrom(tag) || skillNameFrom(server) || 'tools';
    const name = findFreeName(
      wish,
      (free) => takenNames.has(free),
      (number) => `${wish}-${number}`,
    );
    takenNames.add(name);
    const ordered = STEPS.flatMap((step) => members.filter((member) => chooseStep(member) === step));
    const parts = [
      skillFrontmatter(name, tag, title, ordered),
      `# ${escapeMarkdown(tag || title)}\n\n<!-- A draft by mcpgen: say what people want to achieve, and remove what says nothing. -->`,
      surface === 'search' ? `Call these tools by ${codeSpans(SURFACE_TOOLS.slice(2))}.` : '',
      describeToolSteps(ordered),
      describePaging(ordered),
      describeErrors(ordered),
    ];
    return { name, tools: members.length, text: `${parts.filter((part) => part !== '').join('\n\n')}\n` };
  });
}

function skillNameFrom(text: string): string {
  const textWords = text
    .normalize('NFKD')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z\d]+/g, '-');
  const name = textWords.slice(0, 60).replace(/^-|-$/g, '');
  return isSkillName(name) ? name : '';
}

function skillFrontmatter(name: string, tag: string, title: string, members: readonly Described[]): string {
  const does = formatNameList(
    members.map(({ tool }) => trimText(htmlToPlainLine(tool.title ?? tool.name), 60).replace(/\.$/, '')),
    8,
  );
  const about = tag === '' ? '' : ` about ${tag}`;
  const description = trimText(`Tasks${about} with ${title}: ${does}.`, 1000);
  // A JSON string is a YAML string too.
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---`;
}

/** Steps by what a call of a tool does, in the order in which they come. */
const STEPS = ['Find', 'Read', 'Create', 'Change', 'Remove'] as const;

type Step = (typeof STEPS)[number];

function chooseStep({ tool, operation }: Described): Step {
  const { readOnlyHint = false, destructiveHint = true } = tool.annotations ?? {};
  const method = operation?.method;
  if (readOnlyHint) return requiredArguments(tool).length > 0 ? 'Read' : 'Find';
  if (method === 'DELETE') return 'Remove';
  if (method === 'POST') return destructiveHint ? 'Change' : 'Create';
  return destructiveHint ? 'Change' : 'Create';
}

function requiredArguments({ inputSchema: { required = [] } }: Tool): string[] {
  return required;
}

function describeToolSteps(members: readonly Described[]): string {
  const steps = STEPS.flatMap((step): string[] => {
    const stepMembers = members.filter((member) => chooseStep(member) === step);
    if (stepMembers.length === 0) return [];
    const rows = stepMembers.slice(0, MOST_ROWS).map((member) => `- ${describeTool(member, members)}`);
    return [[`**${step}**`, '', ...rows, ...moreRowsLine(stepMembers.length)].join('\n')];
  });
  return `## Steps\n\n${steps.join('\n\n')}`;
}

function describeTool({ tool, operation }: Described, members: readonly Described[]): string {
  const needed = requiredArguments(tool);
  const source = operation === undefined ? undefined : findListingTool(operation, members);
  const from = source === undefined || source === tool ? '' : `, which ${printCodeSpan(source.name)} finds`;
  const needs = needed.length === 0 ? '' : ` Needs ${formatNameList(needed.map(printCodeSpan), 6)}${from}.`;
  const asks = tool.annotations?.destructiveHint === true ? ' Ask the user first.' : '';
  const paragraph =
    htmlToPlainLine(firstParagraph(tool.description ?? '')) || htmlToPlainLine(tool.title ?? tool.name);
  // The step itself says what the tool needs, and the tool that finds it, so this part goes.
  const line = paragraph.replace(/ Needs (?:no arguments|[^.]*)\.$/, '');
  return `${printCodeSpan(tool.name)}: ${escapeMarkdown(trimText(/[.!?…]$/.test(line) ? line : `${line}.`, LONGEST_LINE))}${needs}${asks}`;
}

/** Finds the tool that lists what the last variable of a path names: `GET /pets` for `/pets/{id}`. */
function findListingTool({ path }: Operation, members: readonly Described[]): Tool | undefined {
  const at = path.lastIndexOf('/{');
  if (at <= 0) return undefined;
  const list = path.slice(0, at);
  return members.find(({ operation }) => operation?.path === list && operation.method === 'GET')?.tool;
}

const PAGING =
  /^(?:page|page_?(?:size|token|number)|per_?page|limit|offset|cursor|after|before|starting_after|ending_before|next_?token|continuation_?token|max_?results|\$?(?:skip|top))$/i;

function describePaging(members: readonly Described[]): string {
  const rows = members.flatMap(({ tool }): string[] => {
    const names = Object.keys(tool.inputSchema.properties ?? {}).filter((name) => PAGING.test(name));
    return names.length === 0 ? [] : [`- ${printCodeSpan(tool.name)}: ${codeSpans(names)}`];
  });
  if (rows.length === 0) return '';
  const words = 'These answer in pages. Ask for the next page only if the answer is not in this one.';
  return `## Pages\n\n${words}\n\n${[...rows.slice(0, MOST_ROWS), ...moreRowsLine(rows.length)].join('\n')}`;
}

function describeErrors(members: readonly Described[]): string {
  const meanings = new Map<string, string[]>();
  for (const { tool, operation } of members)
    for (const { status, description = '' } of operation?.responses ?? []) {
      if (!/^[45]/.test(status)) continue;
      const meaning = escapeMarkdown(trimText(htmlToPlainLine(description), LONGEST_LINE)).replaceAll(
        '|',
        String.raw`\|`,
      );
      const key = `| ${status} | ${meaning} |`;
      meanings.set(key, [...(meanings.get(key) ?? []), tool.name]);
    }
  if (meanings.size === 0) return '';
  const rows = [...meanings].sort(([one], [other]) => (one < other ? -1 : 1));
  const shown = rows
    .slice(0, MOST_ROWS)
    .map(([start, names]) => `${start} ${formatNameList(names.map(printCodeSpan), 4)} |`);
  const head = '| status | meaning | tools |\n| --- | --- | --- |';
  return `## Errors\n\n${head}\n${[...shown].join('\n')}${rows.length > MOST_ROWS ? `\n\nAnd ${rows.length - MOST_ROWS} more.` : ''}`;
}

function moreRowsLine(count: number): string[] {
  return count > MOST_ROWS ? [`- and ${count - MOST_ROWS} more`] : [];
}

function codeSpans(names: readonly string[]): string {
  return names.map(printCodeSpan).join(', ');
}

function printCodeSpan(name: string): string {
  return `\`${name}\``;
}

/** Marks of the document's words would become links, images and HTML. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>]/g, String.raw`\$&`);
}
