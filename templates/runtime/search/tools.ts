// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The five tools of the search surface, as they are listed, and which tools each of them may call. */
import { LONGEST_SEARCHED } from '../contract/feature.ts';
import type { ListedTool, ToolAnnotations } from '../contract/json-schema.ts';
import { DESCRIBE_TOOL } from '../contract/search-index.ts';
import { shortenTo } from './signature.ts';

/** The effect that a call of a tool may have, by its hints. */
export const ACCESS = ['read', 'write', 'destructive'] as const;
export type Access = (typeof ACCESS)[number];

export const CALL_TOOLS: Readonly<Record<Access, string>> = {
  read: 'call_read_tool',
  write: 'call_write_tool',
  destructive: 'call_destructive_tool',
};

/** Without hints a tool may do anything. */
export function readAccess({ annotations = {} }: Pick<ListedTool, 'annotations'>): Access {
  if (annotations.readOnlyHint === true) return 'read';
  return annotations.destructiveHint === false ? 'write' : 'destructive';
}

/** The access that a tool of the surface gives; undefined for all other tools. */
export function accessOfCallTool(name: unknown): Access | undefined {
  return ACCESS.find((access) => CALL_TOOLS[access] === name);
}

export function mayCall(by: Access, target: Access): boolean {
  return ACCESS.indexOf(target) <= ACCESS.indexOf(by);
}

export const MOST_FOUND = 20;
export const USUALLY_FOUND = 8;

/** Characters of the server's title: the list stays within 600 tokens. */
const MOST_TITLE = 50;

const NAME = { type: 'string', maxLength: LONGEST_SEARCHED } as const;

/** @param server its title @param tools how many there are */
export function makeSurfaceTools(server: string, tools: number, hasTasks: boolean): ListedTool[] {
  return [
    {
      name: 'search_tools',
      title: 'Search tools',
      description:
        `Finds tools among the ${tools} of ${shortenTo(server, MOST_TITLE)}. Ask for one action: a verb and the nouns of the API, such as "list invoices ` +
        'of a customer"; or a name. The best come first, the first with its signature. `access` says which call_…_tool calls it.',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', maxLength: LONGEST_SEARCHED },
          limit: { type: 'integer', minimum: 1, maximum: MOST_FOUND, default: USUALLY_FOUND },
        },
        required: ['query'],
        additionalProperties: false,
      },
      annotations: toolHints(true, false),
    },
    DESCRIBE_TOOL,
    makeCallTool(
      'read',
      'Call a reading tool',
      'Calls a tool that only reads.',
      toolHints(true, true),
      hasTasks,
    ),
    makeCallTool(
      'write',
      'Call a reading or adding tool',
      'Calls a tool that reads, or adds without changing what is there.',
      { ...toolHints(false, true), destructiveHint: false },
      hasTasks,
    ),
    makeCallTool(
      'destructive',
      'Call any tool',
      'Calls any tool, also one that changes or deletes.',
      { ...toolHints(false, true), destructiveHint: true },
      hasTasks,
    ),
  ];
}

function makeCallTool(
  access: Access,
  title: string,
  description: string,
  annotations: ToolAnnotations,
  hasTasks: boolean,
): ListedTool {
  const tool: ListedTool = {
    name: CALL_TOOLS[access],
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: { name: NAME, arguments: { type: 'object', description: 'As in its signature' } },
      required: ['name'],
      additionalProperties: false,
    },
    annotations,
  };
  return hasTasks ? { ...tool, execution: { taskSupport: 'optional' } } : tool;
}

function toolHints(readOnlyHint: boolean, openWorldHint: boolean): ToolAnnotations {
  return { readOnlyHint, destructiveHint: false, idempotentHint: readOnlyHint, openWorldHint };
}
