/** `x-mcp` of operations, parameters and properties, and `x-mcp-prompts`: checked as configurations are. */
import { nearest } from '../../../../templates/runtime/validate.ts';
import { META_KEY_FORM, isValidMetaKey } from '../../../util/json-value.ts';
import { ownMember, isRecord } from '../../../../templates/runtime/json-rpc.ts';
import { NO_REFERENCES, argumentMembers, checksOfMembers } from '../../../config/options/tool-rules.ts';
import {
  type Check,
  type Fault,
  describeFault,
  flag,
  makeChoiceCheck,
  makeListCheck,
  makeMapCheck,
  makeObjectCheck,
  makePredicateCheck,
  text,
} from '../../../config/options/shape.ts';
import { removeInvisible } from '../../../model/clean-prose.ts';
import type { ToolAnnotations } from '../../../model/listed-items.ts';
import type { ArgumentRule, SourcePrompt, SourcePromptArgument, XMcp } from '../../../model/source-model.ts';
import { omitUndefined } from '../../../util/collections.ts';
import type { ReadContext } from '../read-context.ts';
import {
  type RecordNode,
  type SourceNode,
  childNode,
  isRecordNode,
  keyOrigin,
  listItemNodes,
  listMemberNodes,
  memberNode,
  nodeOrigin,
} from '../reference/source-node.ts';
import { hasBoundedSize } from './document-value.ts';
import { type Rec, readCleanText } from './record.ts';

const isIcon = (value: unknown): boolean =>
  isRecord(value) && /^(?:https?:\/\/|data:)/i.test(String(value.src));
const icons = makeListCheck(
  makePredicateCheck(isIcon, 'must be an object with `src`, an http(s) or data URI'),
  'must be a list of icons',
);
const meta: Check = (value, path) =>
  isRecord(value)
    ? Object.keys(value)
        .filter((key) => !isValidMetaKey(key))
        .map((key) => ({
          path,
          problem: `has the key ${JSON.stringify(key)}, which must be ${META_KEY_FORM}`,
          key,
        }))
    : [{ path, problem: 'must be an object' }];

function orBoolean(check: Check): Check {
  return (value, path) => (typeof value === 'boolean' ? [] : check(value, path));
}

/** `false` hides the argument. A parameter may also have `argument`: see `isKeptArgument`. */
const argumentRule = orBoolean(
  makeObjectCheck({ ...argumentMembers, argument: flag }, 'must be false or an object'),
);

const annotationMembers: Record<keyof ToolAnnotations, Check> = {
  title: text,
  readOnlyHint: flag,
  destructiveHint: flag,
  idempotentHint: flag,
  openWorldHint: flag,
};

const xMcp = orBoolean(
  makeObjectCheck(
    {
      enabled: flag,
      ...checksOfMembers('name', 'title', 'description', 'scopes', 'confirm', 'timeout'),
      ...checksOfMembers('pin', 'output', 'fields'),
      annotations: makeObjectCheck(annotationMembers, 'must be an object of hints'),
      arguments: makeMapCheck(argumentRule, 'must be an object of arguments'),
      resource: orBoolean(makeChoiceCheck('only')),
      ...{ icons, _meta: meta, bodyMediaType: text },
    },
    'must be true, false or an object',
  ),
);

export function readXMcp(context: ReadContext, owner: RecordNode): XMcp | undefined {
  const value = readChecked(context, memberNode(owner, 'x-mcp'), xMcp, reportXMcpFault);
  if (typeof value === 'boolean') return { enabled: value };
  if (!isRecord(value)) return undefined;
  const { annotations, arguments: args, ...members } = value;
  const rules = isRecord(args) ? collectRules(Object.entries(args)) : undefined;
  return {
    ...cleanTexts(members),
    ...(isRecord(annotations) && { annotations: cleanTexts(annotations) }),
    ...omitUndefined({ arguments: rules }),
  };
}

/** Reads a rule of a parameter or property. */
export function readArgumentRule(context: ReadContext, owner: RecordNode): ArgumentRule | undefined {
  return toRule(readChecked(context, memberNode(owner, 'x-mcp'), argumentRule, reportXMcpFault));
}

/** `x-mcp.argument` of a parameter: `true` keeps one that holds a credential among the arguments. */
export function isKeptArgument({ value }: RecordNode): boolean {
  return isRecord(value['x-mcp']) && value['x-mcp'].argument === true;
}

/** Reads rules at the properties of a body, also behind references and in `allOf`. */
export function readPropertyRules(
  context: ReadContext,
  schema: SourceNode,
): Record<string, ArgumentRule> | undefined {
  const rules = new Map<string, unknown>();
  const open = [schema];
  const seen = new Set<unknown>();
  for (const next of open) {
    const node = context.resolver.followReference(next);
    if (node === undefined || !isRecordNode(node) || seen.has(node.value)) continue;
    seen.add(node.value);
    open.push(...listItemNodes(memberNode(node, 'allOf')));
    const properties = memberNode(node, 'properties');
    if (!isRecordNode(properties)) continue;
    for (const [name, property] of listMemberNodes(properties)) {
      if (!isRecordNode(property)) continue;
      context.schemas.argumentSchemas.add(property.value);
      const rule = readArgumentRule(context, property);
      if (rule !== undefined) rules.set(name, rule);
    }
  }
  return collectRules([...rules]);
}

function collectRules(
  entries: readonly (readonly [string, unknown])[],
): Record<string, ArgumentRule> | undefined {
  const rules = entries.flatMap(([name, value]) => {
    const rule = toRule(value);
    return rule === undefined ? [] : [[name, rule] as const];
  });
  return rules.length === 0 ? undefined : Object.fromEntries(rules);
}

function toRule(value: unknown): ArgumentRule | undefined {
  if (value === false) return { hide: true };
  if (!isRecord(value)) return undefined;
  const { argument, ...rule } = value;
  void argument;
  return Object.keys(rule).length === 0 ? undefined : cleanTexts(rule);
}

export function mergeXMcp(path: XMcp | undefined, operation: XMcp | undefined): XMcp | undefined {
  if (path === undefined || operation === undefined) return operation ?? path;
  const merged = { ...path, ...operation };
  for (const name of ['annotations', 'arguments', 'output', '_meta'] as const)
    if (path[name] !== undefined) Object.assign(merged, { [name]: { ...path[name], ...operation[name] } });
  return merged;
}

type ReportFault = (context: ReadContext, node: SourceNode, fault: Fault) => void;

/** Reports the faults of a value, and returns it without the members that have them. */
function readChecked(
  context: ReadContext,
  node: SourceNode,
  check: Check,
  reportFault: ReportFault,
): unknown {
  if (node.value === undefined) return undefined;
  const faults = hasBoundedSize(node.value, node.document)
    ? check(node.value, []).filter(({ key = '' }) => !key.startsWith('x-'))
    : [{ path: [], problem: 'is too large' }];
  if (faults.length === 0) return node.value;
  const holder: Rec = { value: structuredClone(node.value) };
  for (const fault of faults) {
    reportFault(context, node, fault);
    removeAt(holder, ['value', ...fault.path, ...(fault.key === undefined ? [] : [fault.key])]);
  }
  return holder.value;
}

/** A list goes whole. */
function removeAt(holder: Rec, [step = '', ...rest]: Fault['path']): void {
  const member = ownMember(holder, String(step));
  if (rest.length > 0 && isRecord(member)) removeAt(member, rest);
  else Reflect.deleteProperty(holder, step);
}

function originOfFault(node: SourceNode, { path, key }: Fault): ReturnType<typeof nodeOrigin> {
  const place = path.reduce<SourceNode>((at, step) => childNode(at, step, undefined), node);
  return key === undefined ? nodeOrigin(place) : keyOrigin(childNode(place, key, undefined));
}

function reportXMcpFault(context: ReadContext, node: SourceNode, fault: Fault): void {
  const at = originOfFault(node, fault);
  if (fault.problem === NO_REFERENCES) context.report('argument-value-reference', {}, { at });
  else context.report('invalid-x-mcp', { problem: describeFault(fault) }, { at });
}

const PROSE = ['name', 'title', 'description'];

/** Cleans the texts of members that were checked. */
function cleanTexts<T extends object>(members: T): T {
  return omitUndefined(
    Object.fromEntries(
      Object.entries(members).map(([key, value]) => [
        key,
        PROSE.includes(key) ? readCleanText(value) : value,
      ]),
    ),
  ) as T;
}

/** A name of invisible characters is none. */
const name = makePredicateCheck((value) => readCleanText(value) !== undefined, 'must be a name');
const described = { name, title: text, description: text };
const promptArgument = requireName(
  makeObjectCheck(
    { ...described, required: flag, enum: makeListCheck(() => [], 'must be a list') },
    'must be a name or an object',
  ),
);
const message = makePredicateCheck(
  (value) =>
    isRecord(value) &&
    typeof value.text === 'string' &&
    ['user', 'assistant', undefined].some((role) => role === value.role),
  'needs `text`, and a `role` of user or assistant',
);
const promptCheck = requireName(
  makeObjectCheck(
    {
      ...{ ...described, icons, _meta: meta, template: text },
      arguments: makeListCheck(
        (value, path) => (typeof value === 'string' ? name(value, path) : promptArgument(value, path)),
        'must be a list',
      ),
      messages: makeListCheck(message, 'must be a list'),
    },
    'must be an object',
  ),
);

function requireName(check: Check): Check {
  return (value, path) =>
    isRecord(value) && value.name === undefined ? [{ path, problem: 'has no name' }] : check(value, path);
}

export function readPrompts(context: ReadContext, root: RecordNode): SourcePrompt[] {
  const node = memberNode(root, 'x-mcp-prompts');
  if (node.value === undefined) return [];
  if (!Array.isArray(node.value)) {
    reportPromptFault(context, node, { path: [], problem: 'must be a list' });
    return [];
  }
  const byName = new Map<string, SourcePrompt>();
  for (const item of listItemNodes(node)) {
    const prompt = readPrompt(context, item);
    if (prompt === undefined) continue;
    if (byName.has(prompt.name))
      reportPromptFault(context, item, {
        path: [],
        problem: `has the name ${prompt.name} of a prompt before it`,
      });
    else byName.set(prompt.name, prompt);
  }
  return [...byName.values()];
}

function readPrompt(context: ReadContext, node: SourceNode): SourcePrompt | undefined {
  const value = readChecked(context, node, promptCheck, reportPromptFault);
  if (!isRecord(value) || typeof value.name !== 'string') return undefined;
  const { template, messages: list, arguments: args, ...texts } = value as PromptObject;
  const messages = template === undefined ? (list ?? []) : [{ text: template }];
  if (messages.length === 0) {
    const problem = 'has neither `messages` nor a `template`';
    if (list !== undefined || !isRecord(node.value) || node.value.messages === undefined)
      reportPromptFault(context, node, { path: [], problem });
    return undefined;
  }
  const prompt: SourcePrompt = {
    kind: 'prompt',
    origin: nodeOrigin(node),
    ...cleanTexts(texts),
    arguments: readPromptArguments(args),
    messages: messages.map(({ role = 'user', text }) => ({ role, text: removeInvisible(text) })),
  };
  const names = prompt.arguments.map(({ name }) => name);
  const used = messages.flatMap(({ text }) => [...text.matchAll(/\{\{\s*([^{}]*?)\s*\}\}/g)]);
  for (const placeholder of new Set(used.map(([, name = '']) => name)))
    if (!names.includes(placeholder)) {
      const unknown = { placeholder, prompt: prompt.name, suggestion: nearest(placeholder, names) ?? '' };
      context.report('invalid-prompt', unknown, { at: nodeOrigin(node) });
    }
  return prompt;
}

/** A prompt that was checked. */
type PromptObject = Pick<SourcePrompt, 'name' | 'title' | 'description' | 'icons' | '_meta'> & {
  template?: string;
  messages?: { role?: 'user' | 'assistant'; text: string }[];
  arguments?: (
    string | { name: string; title?: string; description?: string; required?: boolean; enum?: unknown[] }
  )[];
};

function readPromptArguments(list: PromptObject['arguments'] = []): SourcePromptArgument[] {
  const byName = new Map<string, SourcePromptArgument>();
  for (const item of list) {
    const { required = false, enum: literals, ...texts } = typeof item === 'string' ? { name: item } : item;
    const values = literals?.filter((value) => typeof value === 'string');
    const argument = { ...cleanTexts(texts), required, ...omitUndefined({ values }) };
    if (!byName.has(argument.name)) byName.set(argument.name, argument);
  }
  return [...byName.values()];
}

function reportPromptFault(context: ReadContext, node: SourceNode, fault: Fault): void {
  context.report('invalid-prompt', { problem: describeFault(fault) }, { at: originOfFault(node, fault) });
}
