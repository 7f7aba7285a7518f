// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The five tools of the search surface, as they are listed, and which tools each of them may call. */
import { MAX_NAME } from '../../json-rpc.ts';
import type { ToolInfo } from '../../types.ts';
import type { Access } from '../access.ts';
import { shortenTo } from './signature.ts';

export const CALL_TOOLS: Readonly<Record<Access, string>> = {
  read: 'call_read_tool',
  write: 'call_write_tool',
  destructive: 'call_destructive_tool',
};

const NAME = { type: 'string', maxLength: MAX_NAME };
/** Characters of the server's title: the list stays within 600 tokens. */
const TITLE = 50;

function makeTool(
  name: string,
  words: Pick<ToolInfo, 'title' | 'description'>,
  properties: Record<string, object>,
  annotations: NonNullable<ToolInfo['annotations']>,
): ToolInfo {
  const required = Object.keys(properties).slice(0, 1);
  const { readOnlyHint = false } = annotations;
  const hints = { readOnlyHint, destructiveHint: false, idempotentHint: readOnlyHint, ...annotations };
  const inputSchema = { type: 'object', properties, required, additionalProperties: false };
  return { name, ...words, inputSchema: inputSchema as ToolInfo['inputSchema'], annotations: hints };
}

export const describeTool = makeTool(
  'describe_tool',
  {
    title: 'Describe a tool',
    description:
      'What a tool does, and the type of its arguments. `path` shows one argument in depth: /body/items/*',
  },
  { name: NAME, path: NAME },
  { readOnlyHint: true, openWorldHint: false },
);

/** @param title of the server @param count of its tools @param hasTasks some of them may be tasks */
export function listSurfaceTools(title: string, count: number, hasTasks: boolean): ToolInfo[] {
  const limit = { type: 'integer', minimum: 1, maximum: 20, default: 8 };
  const target = { name: NAME, arguments: { type: 'object', description: 'As in its signature' } };
  const description =
    `Finds tools among the ${count} of ${shortenTo(title, TITLE)}. Ask for one action: a verb and the nouns of the API, such as "list invoices ` +
    'of a customer"; or a name. The best come first, the first with its signature. `access` says which call_…_tool calls it.';
  const callTools = [
    makeTool(
      CALL_TOOLS.read,
      { title: 'Call a reading tool', description: 'Calls a tool that only reads.' },
      target,
      { readOnlyHint: true, openWorldHint: true },
    ),
    makeTool(
      CALL_TOOLS.write,
      {
        title: 'Call a reading or adding tool',
        description: 'Calls a tool that reads, or adds without changing what is there.',
      },
      target,
      { openWorldHint: true },
    ),
    makeTool(
      CALL_TOOLS.destructive,
      { title: 'Call any tool', description: 'Calls any tool, also one that changes or deletes.' },
      target,
      { destructiveHint: true, openWorldHint: true },
    ),
  ];
  return [
    makeTool(
      'search_tools',
      { title: 'Search tools', description },
      { query: NAME, limit },
      { readOnlyHint: true, openWorldHint: false },
    ),
    describeTool,
    ...callTools.map((tool) =>
      hasTasks ? { ...tool, execution: { taskSupport: 'optional' as const } } : tool,
    ),
  ];
}

const NAMES = new Set(listSurfaceTools('', 0, false).map(({ name }) => name));

export function isSurfaceTool(name: string): boolean {
  return NAMES.has(name);
}
