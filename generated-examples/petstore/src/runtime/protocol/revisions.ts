// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The dated revisions and their features: code asks the table, and never compares dates. */
import type { JsonObject } from '../contract/json-schema.ts';
import { omitUndefined, isRecord } from '../contract/json-value.ts';
import type { Params } from './json-rpc.ts';

/** Revisions that open with `initialize`, oldest first. */
export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** Revisions without sessions, oldest first. */
export const MODERN_REVISIONS = ['2026-07-28'] as const;

type LegacyRevision = (typeof LEGACY_REVISIONS)[number];

export type ModernRevision = (typeof MODERN_REVISIONS)[number];

export type Revision = LegacyRevision | ModernRevision;

export const NEWEST_LEGACY_REVISION: LegacyRevision = '2025-11-25';

type ShapeName =
  | 'tool'
  | 'resource'
  | 'resourceTemplate'
  | 'prompt'
  | 'promptArgument'
  | 'implementation'
  | 'annotations'
  | 'content'
  | 'resourceContents'
  | 'toolResult';

export interface RevisionFeatures {
  methods: ReadonlySet<string>;
  /** `extension`: `io.modelcontextprotocol/tasks`. */
  tasks: 'none' | 'core' | 'extension';
  batches: boolean;
  completionsCapability: boolean;
  progressMessage: boolean;
  /** Whether invalid arguments fail the tool, or the request (`-32602`). */
  invalidArguments: 'tool-error' | 'protocol-error';
  elicitation: ReadonlySet<'form' | 'url'>;
  /** Whether `elicitation/create` by URL has this member. */
  elicitationId: boolean;
  richForms: boolean;
  samplingTools: boolean;
  /** Whether streams begin with an event to come back to, and say when (`retry`). */
  polling: boolean;
  /** Whether messages that belong to no request reach the client. */
  pushes: boolean;
  unknownResource: -32002 | -32602;
  content: ReadonlySet<string>;
  /** Members that only newer revisions know, by object. */
  unknownMembers: Readonly<Partial<Record<ShapeName, readonly string[]>>>;
}

const COMMON_METHODS = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  ...['skills/list', 'skills/get', 'resources/directory/read'],
];

const LEGACY_METHODS = [
  ...COMMON_METHODS,
  ...['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'],
];

const CORE_TASK_METHODS = ['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list'];

const MODERN_METHODS = [
  ...COMMON_METHODS,
  ...['server/discover', 'subscriptions/listen', 'tasks/get', 'tasks/update', 'tasks/cancel'],
];

const V2025_11_25: RevisionFeatures = {
  methods: new Set([...LEGACY_METHODS, ...CORE_TASK_METHODS]),
  tasks: 'core',
  batches: false,
  completionsCapability: true,
  progressMessage: true,
  invalidArguments: 'tool-error',
  elicitation: new Set(['form', 'url']),
  elicitationId: true,
  richForms: true,
  samplingTools: true,
  polling: true,
  pushes: true,
  unknownResource: -32002,
  content: new Set(['text', 'image', 'audio', 'resource', 'resource_link']),
  unknownMembers: {},
};

const V2026_07_28: RevisionFeatures = {
  ...V2025_11_25,
  methods: new Set(MODERN_METHODS),
  tasks: 'extension',
  polling: false,
  elicitationId: false,
  unknownResource: -32602,
  unknownMembers: { tool: ['execution'] },
};

/** Each older revision is the next newer one without its additions. */
const V2025_06_18: RevisionFeatures = {
  ...V2025_11_25,
  methods: new Set(LEGACY_METHODS),
  tasks: 'none',
  invalidArguments: 'protocol-error',
  elicitation: new Set(['form']),
  richForms: false,
  samplingTools: false,
  polling: false,
  unknownMembers: {
    tool: ['icons', 'execution'],
    resource: ['icons'],
    resourceTemplate: ['icons'],
    prompt: ['icons'],
    implementation: ['icons', 'description', 'websiteUrl'],
    content: ['icons'],
  },
};

const V2025_03_26: RevisionFeatures = {
  ...V2025_06_18,
  batches: true,
  elicitation: new Set<never>(),
  content: new Set(['text', 'image', 'audio', 'resource']),
  unknownMembers: {
    tool: ['icons', 'execution', 'title', 'outputSchema', '_meta'],
    resource: ['icons', 'title', '_meta'],
    resourceTemplate: ['icons', 'title', '_meta'],
    prompt: ['icons', 'title', '_meta'],
    promptArgument: ['title'],
    implementation: ['icons', 'description', 'websiteUrl', 'title'],
    annotations: ['lastModified'],
    content: ['icons', '_meta'],
    resourceContents: ['_meta'],
    toolResult: ['structuredContent'],
  },
};

const V2024_11_05: RevisionFeatures = {
  ...V2025_03_26,
  batches: false,
  completionsCapability: false,
  progressMessage: false,
  content: new Set(['text', 'image', 'resource']),
  unknownMembers: {
    ...V2025_03_26.unknownMembers,
    tool: ['icons', 'execution', 'title', 'outputSchema', '_meta', 'annotations'],
  },
};

const FEATURES: Readonly<Record<Revision, RevisionFeatures>> = {
  '2024-11-05': V2024_11_05,
  '2025-03-26': V2025_03_26,
  '2025-06-18': V2025_06_18,
  '2025-11-25': V2025_11_25,
  '2026-07-28': V2026_07_28,
};

/** Methods that act on what another request left behind. */
const STATEFUL = new Set([
  ...['logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'],
  ...CORE_TASK_METHODS,
]);

const ALONE = new Map<Revision, RevisionFeatures>();

/** @param isAlone each request stands alone (`--stateless`) */
export function featuresOf(revision: Revision, isAlone = false): RevisionFeatures {
  const features = FEATURES[revision];
  if (!isAlone) return features;
  const known = ALONE.get(revision);
  if (known !== undefined) return known;
  const methods = new Set([...features.methods].filter((name) => !STATEFUL.has(name)));
  const alone: RevisionFeatures = { ...features, methods, tasks: 'none', polling: false, pushes: false };
  ALONE.set(revision, alone);
  return alone;
}

export function isLegacyRevision(value: unknown): value is LegacyRevision {
  return LEGACY_REVISIONS.some((revision) => revision === value);
}

export function isModernRevision(value: unknown): value is ModernRevision {
  return MODERN_REVISIONS.some((revision) => revision === value);
}

export function withoutMembers<T extends object>(value: T, members: readonly string[] = []): Partial<T> {
  if (!members.some((name) => Object.hasOwn(value, name))) return value;
  const kept = Object.entries(value).filter(([name]) => !members.includes(name));
  return Object.fromEntries(kept) as Partial<T>;
}

/** Legacy revisions open sessions; modern requests state revision and capabilities in `_meta`. */
type Era = 'legacy' | 'modern';

/** MCP's own keys of `_meta`. */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const;

/**
 * `_meta` decides, and without a version in it the transport's header. The header of `initialize` is ignored, since
 * no version is agreed on yet.
 */
export function detectEra(
  request: { method: string; params: Params },
  headerVersion: string | undefined,
): Era {
  const { _meta: meta } = request.params;
  if (isRecord(meta) && Object.hasOwn(meta, META.protocolVersion)) return 'modern';
  if (request.method === 'initialize' || headerVersion === undefined) return 'legacy';
  return isModernDate(headerVersion) ? 'modern' : 'legacy';
}

export function isModernDate(version: string): boolean {
  return version >= MODERN_REVISIONS[0] && /^\d{4}-\d{2}-\d{2}$/.test(version);
}

export type ListName = 'tools' | 'resources' | 'resourceTemplates' | 'prompts';

const SHAPES = {
  tools: 'tool',
  resources: 'resource',
  resourceTemplates: 'resourceTemplate',
  prompts: 'prompt',
} as const;

/** Members of a list's items that the revision doesn't know. */
export function listUnknownMembers(list: ListName, { unknownMembers }: RevisionFeatures): readonly string[] {
  const { promptArgument = [], annotations = [] } = unknownMembers;
  const { [SHAPES[list]]: own = [] } = unknownMembers;
  return [...own, ...(list === 'prompts' ? promptArgument : annotations)];
}

export function fitItemToRevision(
  item: object,
  list: ListName,
  { unknownMembers }: RevisionFeatures,
): object {
  const unknown = unknownMembers[SHAPES[list]] ?? [];
  const known: { arguments?: object[]; annotations?: object } = withoutMembers(item, unknown);
  if (known.arguments !== undefined) {
    const described = known.arguments.map((each) => withoutMembers(each, unknownMembers.promptArgument));
    return { ...known, arguments: described };
  }
  if (list === 'tools') return moveTitleToAnnotations(known, item, unknown);
  if (known.annotations === undefined) return known;
  return { ...known, annotations: withoutMembers(known.annotations, unknownMembers.annotations) };
}

/** 2025-03-26 has a tool's title among its annotations. */
function moveTitleToAnnotations(
  tool: { annotations?: object },
  { title }: { title?: string },
  unknown: readonly string[],
): object {
  if (title === undefined || !unknown.includes('title') || unknown.includes('annotations')) return tool;
  return { ...tool, annotations: { title, ...tool.annotations } };
}

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

export type Capability =
  'tools' | 'resources' | 'subscriptions' | 'prompts' | 'completions' | 'logging' | 'tasks' | 'skills';

/** The capabilities of a server as a revision writes them. `changes`: its lists may change. */
export function makeServerCapabilities(
  declared: ReadonlySet<Capability>,
  changes: boolean,
  features: RevisionFeatures,
): JsonObject {
  const { pushes } = features;
  const list: JsonObject = changes && pushes ? { listChanged: true } : {};
  const resources = declared.has('subscriptions') && pushes ? { subscribe: true, ...list } : list;
  const { tasks, extensions: ofTasks } = declared.has('tasks') ? taskCapabilities(features) : {};
  const ofSkills = declared.has('skills') ? { [SKILLS_EXTENSION]: { directoryRead: true } } : undefined;
  const extensions = ofTasks === undefined ? ofSkills : Object.assign({}, ofTasks, ofSkills);
  const completions = declared.has('completions') && features.completionsCapability;
  return omitUndefined({
    tools: declared.has('tools') ? list : undefined,
    resources: declared.has('resources') ? resources : undefined,
    prompts: declared.has('prompts') ? list : undefined,
    completions: completions ? {} : undefined,
    logging: declared.has('logging') && pushes ? {} : undefined,
    tasks,
    extensions,
  }) as JsonObject;
}

function taskCapabilities({ tasks }: RevisionFeatures): JsonObject {
  switch (tasks) {
    case 'none':
      return {};
    case 'core':
      return { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };
    case 'extension':
      return { extensions: { [TASKS_EXTENSION]: {} } };
  }
}
