// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Skills (the extension `io.modelcontextprotocol/skills`): their list, single entries, files and folders, all from `skills.json`. */
import type { JsonObject, ListedResource } from '../contract/json-schema.ts';
import { getOwnMember } from '../contract/json-value.ts';
import type { Call, Method } from '../core/call.ts';
import type { ResourceContents } from '../core/handler-result.ts';
import { getUriParameter } from '../core/resources.ts';
import type { ServerInstance } from '../core/server-instance.ts';
import { invalidParamsError, cutPage, parseCursorParameter } from '../protocol/json-rpc.ts';

/** `src/generated/skills.json`, for the extension `io.modelcontextprotocol/skills`. */
interface SkillsData {
  skills: ListedSkill[];
  /** By URI. */
  files: Record<string, { mimeType: string } & ({ text: string } | { blob: string })>;
}

interface ListedSkill {
  uri: string;
  frontmatter: JsonObject;
  resources: { uri: string; digest: string; size: number }[];
}

export const listSkills: Method = async (call: Call) => {
  const { items, nextCursor } = pageOfItems(call, getSkillsData(call.server).skills, 'skills');
  return { skills: items, nextCursor };
};

export const getSkill: Method = async (call: Call) => {
  const uri = getUriParameter(call);
  const skill = getSkillsData(call.server).skills.find((each) => each.uri === uri);
  if (skill === undefined) throw invalidParamsError(`No skill is served at ${JSON.stringify(uri)}.`, { uri });
  return { skill };
};

/** `resources/directory/read`: the direct children of a folder. */
export const readDirectory: Method = async (call: Call) => {
  const uri = getUriParameter(call);
  const children = listChildren(getSkillsData(call.server), uri);
  if (children.length === 0)
    throw invalidParamsError(`No folder of a skill is served at ${JSON.stringify(uri)}.`, { uri });
  const { items, nextCursor } = pageOfItems(call, children, `directory ${uri}`);
  return { resources: items, nextCursor };
};

export function readSkillFile(server: ServerInstance, uri: string): ResourceContents | undefined {
  const file = getOwnMember(getSkillsData(server).files, uri);
  return file && { uri, ...file };
}

function listChildren({ files }: SkillsData, folder: string): ListedResource[] {
  const start = `${folder}/`;
  const children = new Map<string, ListedResource>();
  for (const [uri, { mimeType }] of Object.entries(files)) {
    if (!uri.startsWith(start) || !folder.startsWith('skill://')) continue;
    const [name = '', ...deeper] = uri.slice(start.length).split('/');
    const child = `${start}${name}`;
    const type = deeper.length === 0 ? mimeType : 'inode/directory';
    children.set(child, { uri: child, name: decodeURIComponent(name), mimeType: type });
  }
  return [...children.values()];
}

function pageOfItems<T>(
  call: Call,
  all: readonly T[],
  list: string,
): { items: T[]; nextCursor: string | undefined } {
  const size = (index: number): number => Buffer.byteLength(JSON.stringify(all[index]));
  const cursor = parseCursorParameter(call.params);
  const { from, end, next } = cutPage({ count: all.length, size }, list, call.server, cursor);
  return { items: all.slice(from, end), nextCursor: next };
}

function getSkillsData({ cache, readSkills: read }: ServerInstance): SkillsData {
  return (cache.skills ??= JSON.parse(read?.() ?? '{"skills":[],"files":{}}') as SkillsData) as SkillsData;
}
