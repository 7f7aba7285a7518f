// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** Skills (the extension `io.modelcontextprotocol/skills`): instructions that models read when a task needs them. */
import { cutPage } from '../catalog.ts';
import type { Feature, MethodCall } from '../feature.ts';
import { invalidParams, ownMember, writeJson } from '../json-rpc.ts';
import type { Server } from '../server.ts';
import { LIMITS, readGenerated } from '../settings.ts';
import type { JsonObject, ResourceContents } from '../types.ts';
import { readUri } from './resources.ts';

/** `src/generated/skills.json`. */
interface Skills {
  skills: {
    uri: string;
    frontmatter: JsonObject;
    resources: { uri: string; digest: string; size: number }[];
  }[];
  /** By URI. */
  files: Record<string, { mimeType: string } & ({ text: string } | { blob: string })>;
}

export function skills(): Feature {
  const opened = new WeakMap<Server, Skills>();
  const open = (server: Server): Skills => {
    const data = opened.get(server) ?? (readGenerated(server.definition, 'skills.json') as Skills);
    opened.set(server, data);
    return data;
  };
  const read = ({ server }: MethodCall, uri: string): ResourceContents | undefined => {
    const file = ownMember(open(server).files, uri);
    return file && { uri, ...file };
  };
  return {
    name: 'skills',
    capabilities: () => ({ extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } } }),
    catalog: {
      // `resources/list` has only the `SKILL.md` of each.
      find: (kind, uri, call) => {
        const contents = kind === 'resource' ? read(call, uri) : undefined;
        return contents && { item: { name: uri }, run: () => contents };
      },
    },
    methods: {
      'skills/list': {
        run: (call) => listPage('skills', 'skills', open(call.server).skills, call),
        isLimited: true,
      },
      'skills/get': {
        run: (call) => {
          const uri = readUri(call);
          const skill = open(call.server).skills.find((entry) => entry.uri === uri);
          if (skill === undefined) throw invalidParams(`No skill is served at ${writeJson(uri)}.`, { uri });
          return { skill, ...cachingOf(call) };
        },
        isLimited: true,
      },
      'resources/directory/read': {
        run: (call) => {
          const uri = readUri(call);
          const children = listChildren(open(call.server), uri);
          if (children.length > 0) return listPage('resources', `directory ${uri}`, children, call);
          throw invalidParams(`No folder of a skill is served at ${writeJson(uri)}.`, { uri });
        },
        isLimited: true,
      },
    },
  };
}

/** The same for all callers (2026-07-28, "Caching"). */
function cachingOf({ agreement }: MethodCall): object {
  return agreement.era === 'modern' ? { ttlMs: LIMITS.listTtlMs, cacheScope: 'public' } : {};
}

function listPage(member: string, list: string, items: readonly object[], call: MethodCall): object {
  return { ...cutPage(member, items, call, list), ...cachingOf(call) };
}

/** What is directly in a folder. */
function listChildren({ files }: Skills, folder: string): object[] {
  const start = `${folder}/`;
  const children = new Map<string, object>();
  for (const [uri, { mimeType }] of Object.entries(files)) {
    if (!uri.startsWith(start) || !folder.startsWith('skill://')) continue;
    const [name = '', ...deeper] = uri.slice(start.length).split('/');
    const type = deeper.length === 0 ? mimeType : 'inode/directory';
    children.set(name, { uri: start + name, name: decodeURIComponent(name), mimeType: type });
  }
  return [...children.values()];
}
