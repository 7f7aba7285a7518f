/** Drafts skills from a server's tools, one for each tag: a beginning that a person improves. */
import { SURFACE_TOOLS } from '../model/listed-items.ts';
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

/** Most tools of a step, since nobody reads more. */
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
      surface === 'search'
        ? `Call these tools by ${SURFACE_TOOLS.slice(2).map(printCodeSpan).join(', ')}.`
        : '',
      describeToolSteps(ordered),
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
  if (readOnlyHint) return (tool.inputSchema.required ?? []).length > 0 ? 'Read' : 'Find';
  if (method === 'DELETE') return 'Remove';
  return destructiveHint ? 'Change' : 'Create';
}

function describeToolSteps(members: readonly Described[]): string {
  const steps = STEPS.flatMap((step): string[] => {
    const stepMembers = members.filter((member) => chooseStep(member) === step);
    if (stepMembers.length === 0) return [];
    const rows = stepMembers.slice(0, MOST_ROWS).map((member) => `- ${describeTool(member, members)}`);
    const more = stepMembers.length - rows.length;
    return [[`**${step}**`, '', ...rows, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')];
  });
  return `## Steps\n\n${steps.join('\n\n')}`;
}

function describeTool({ tool, operation }: Described, members: readonly Described[]): string {
  const needed = tool.inputSchema.required ?? [];
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

function printCodeSpan(name: string): string {
  return `\`${name}\``;
}

/** Marks of the document's words would become links, images and HTML. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>]/g, String.raw`\$&`);
}
