/**
 * `tools` of the configuration: which tools a key matches, and what its members do to them. Rules become `x-mcp` of operations and
 * parts of functions, before anything is derived; a new name alone comes last, since the lock keeps the name without it.
 */
import { nearest } from '../../templates/runtime/validate.ts';
import { OPERATION_KEY, TOOL_MEMBERS, type ToolHints, isSelector } from '../config/options/tool-rules.ts';
import type { ToolRules } from '../config/options/option-types.ts';
import { NAME_LENGTH } from '../config/options/values.ts';
import { DiagnosticCollector } from '../diagnostics/collector.ts';
import type { ConfirmRule, Selectable } from '../model/bindings.ts';
import { SURFACE_TOOLS, type ToolAnnotations } from '../model/listed-items.ts';
import { keyWithoutVariableNames, operationKey } from '../model/operation-key.ts';
import type { DocumentOrigin } from '../model/origin.ts';
import type { Resource, ResourceTemplate, ServerModel, Tool } from '../model/server-model.ts';
import type { ArgumentRule, FunctionTool, SourceModel, XMcp } from '../model/source-model.ts';
import { omitUndefined, pickMembers } from '../util/collections.ts';
import { type JsonSchema, type ObjectSchema, escapePointerToken } from '../util/json-schema.ts';
import { findNameFault } from './names/clean-name.ts';
import type { DeriveOptions } from './options.ts';
import { deriveScopes } from './security/auth-rules.ts';
import { type Described, type NameOf, parseSelectors } from './selection.ts';

/** Keys are compared with it: an operation, or a function by its name alone. The name is that of the lock. */
type RuledItem = { name: string } & Partial<Described>;

interface Entry {
  key: string;
  rules: ToolRules;
  matches: (item: RuledItem) => boolean;
  /** Reports a fault at the place below the key. */
  report: (what: string, hint: string, ...place: string[]) => void;
  /** The arguments of all tools that the key matches. It is absent if none of them tells its arguments. */
  argumentNames?: Set<string>;
}

/** Rules of one key for the arguments of a tool. */
export interface ConfiguredArguments {
  rules: Record<string, ArgumentRule>;
  /** Says which arguments there are. */
  note: (names: readonly string[]) => void;
  report: (argument: string, because: string) => void;
}

type Changes = {
  [M in keyof ToolRules]?: (value: NonNullable<ToolRules[M]>, before: XMcp) => Partial<XMcp>;
};

const NOTHING = (): object => ({});

/** What members do to `x-mcp`. The others replace the one before. */
const CHANGES: Changes = {
  name: NOTHING,
  arguments: NOTHING,
  exclude: () => ({ enabled: false }),
  confirm: (confirm, before) => ({ confirm: findStricterConfirm(before.confirm, confirm) }),
  scopes: (scopes, before) => ({ scopes: [...new Set([...(before.scopes ?? []), ...scopes])] }),
  headers: (headers, before) => ({ headers: { ...before.headers, ...headers } }),
  hints: (hints, before) => ({ annotations: joinHints(before.annotations, hints) }),
  output: (output, before) => ({ output: { ...before.output, ...output } }),
};

/** Members of `x-mcp` that functions have. */
const OF_FUNCTIONS = ['title', 'description', 'annotations', 'scopes', 'confirm', 'pin'] as const;

function applyRules(before: XMcp, rules: ToolRules): XMcp {
  const members = Object.entries(rules) as [keyof ToolRules, never][];
  return members.reduce<XMcp>(
    (xMcp, [member, value]) => ({ ...xMcp, ...(CHANGES[member]?.(value, xMcp) ?? { [member]: value }) }),
    before,
  );
}

export function findStricterConfirm(one: ConfirmRule | undefined, other: ConfirmRule): ConfirmRule {
  return one === 'always' ? one : other;
}

/** `readOnlyHint: false` stays where somebody has said it. */
function joinHints(
  before: ToolAnnotations = {},
  { readOnly, destructive, idempotent, openWorld }: ToolHints,
): ToolAnnotations {
  const readOnlyHint = before.readOnlyHint === false ? false : readOnly;
  return {
    ...before,
    ...(readOnlyHint === true && { destructiveHint: false }),
    ...omitUndefined({
      readOnlyHint,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    }),
  };
}

/** The entries of `tools`, for all sources of a server. */
export class ConfiguredTools {
  /** The strongest last: selectors, then operations, then names. */
  readonly #entries: readonly Entry[];
  readonly #items: RuledItem[] = [];
  readonly #configuration: DeriveOptions['configuration'];

  constructor(
    { tools = {}, configuration }: Pick<DeriveOptions, 'tools' | 'configuration'>,
    diagnostics = new DiagnosticCollector(),
  ) {
    const rank = ({ key }: Entry): number => (isSelector(key) ? 0 : OPERATION_KEY.test(key) ? 1 : 2);
    this.#configuration = configuration;
    this.#entries = Object.entries(tools)
      .map(([key, rules]): Entry => ({
        key,
        rules,
        matches: compileKey(key),
        report: (what, hint, ...place) =>
          diagnostics.report('tools-unusable', { what, hint }, { at: this.#locate(key, ...place) }),
      }))
      .sort((one, other) => rank(one) - rank(other));
  }

  /** Changes `x-mcp` of the operations, which are the caller's own copies. */
  changeOperations(source: SourceModel, nameOf: NameOf): void {
    for (const operation of this.#entries.length === 0 ? [] : source.capabilities) {
      if (operation.kind !== 'operation') continue;
      const item = { ...operation, name: nameOf(operation) };
      this.#items.push(item);
      if (this.#find(item).length === 0) continue;
      const annotations = { ...source.xMcp?.annotations, ...operation.xMcp?.annotations };
      const scopes = deriveScopes(operation, source);
      operation.xMcp = this.#apply(item, { ...operation.xMcp, annotations, scopes });
    }
  }

  changeFunction(tool: FunctionTool, name: string): FunctionTool {
    this.#items.push({ name });
    for (const entry of this.#find({ name }))
      for (const member of Object.keys(entry.rules) as (keyof ToolRules)[])
        if ('of' in TOOL_MEMBERS[member])
          entry.report(
            `\`${member}\` is for operations, and \`${name}\` is a function`,
            'Remove it, and change what the function does.',
            member,
          );
    const before = pickMembers(tool, OF_FUNCTIONS);
    return { ...tool, ...pickMembers(this.#apply({ name }, before), OF_FUNCTIONS) };
  }

  /** What is said of a tool that has the name of the lock. */
  rulesOf(item: RuledItem | Tool): ToolRules {
    return this.#find('binding' in item ? itemOf(item) : item).reduce<ToolRules>(
      (all, { rules }) => ({ ...all, ...rules, arguments: { ...all.arguments, ...rules.arguments } }),
      {},
    );
  }

  /** The keys that match an operation or function which is not served. */
  keysOf({ op, tag, path: [path = ''], method: [method = ''] }: Selectable): string[] {
    const entries = op.flatMap((name) => this.#find({ name, tags: [...tag], method, path }));
    return [...new Set(entries.map(({ key }) => key))];
  }

  argumentsOf(item: RuledItem): ConfiguredArguments[] {
    return this.#find(item).flatMap((entry) => {
      const { arguments: rules } = entry.rules;
      if (rules === undefined) return [];
      return {
        rules,
        note: (names) => (entry.argumentNames = new Set([...(entry.argumentNames ?? []), ...names])),
        report: (argument, because) =>
          entry.report(
            `the argument \`${argument}\` of \`${item.name}\` stays as it is, since ${because}`,
            'Correct the rule, or remove it.',
            ...['arguments', argument],
          ),
      };
    });
  }

  /** The place of the strongest rule with this member. */
  placeOf(item: RuledItem, member: keyof ToolRules): DocumentOrigin | undefined {
    const entry = this.#find(item).findLast(({ rules }) => rules[member] !== undefined);
    return entry && this.#locate(entry.key, member);
  }

  /** Reports keys and arguments without a match, when all sources are known: what is lost may have been a safeguard. */
  reportUnused(): void {
    const candidates = this.#items.flatMap(({ name, method = '', path = '', tags = [] }) => [
      name,
      ...(method === '' ? [] : [operationKey({ method, path })]),
      ...tags.map((tag) => `tag:${tag}`),
    ]);
    for (const { key, rules, matches, report, argumentNames } of this.#entries) {
      if (!this.#items.some(matches)) {
        const renamed = this.#entries.find((other) => other.rules.name === key);
        const lockedName = renamed?.key ?? this.#items.find(({ operationId }) => operationId === key)?.name;
        const hint =
          lockedName === undefined
            ? suggest(key, candidates, 'key')
            : `The key is its name in the lock: \`${lockedName}\`.`;
        report(`no tool or operation matches the key \`${key}\``, hint);
      }
      for (const name of argumentNames === undefined ? [] : Object.keys(rules.arguments ?? {}))
        if (argumentNames?.has(name) === false)
          report(
            `no tool that \`${key}\` matches has an argument \`${name}\``,
            suggest(name, [...argumentNames], 'name'),
            ...['arguments', name],
          );
    }
  }

  /** The new names of tools by their old ones. One that clients refuse, or that another tool has, is not given. */
  chooseNames(tools: readonly Tool[]): Map<string, string> {
    const names = new Map<string, string>();
    const takenNames = new Set([...tools.map(({ name }) => name), ...SURFACE_TOOLS]);
    for (const { key, rules, matches, report } of this.#entries) {
      const [tool, other] = tools.filter((one) => matches(itemOf(one)));
      if (rules.name === undefined || tool === undefined || rules.name === tool.name) continue;
      const fault =
        other === undefined
          ? (findNameFault(rules.name, NAME_LENGTH.longest, 'models') ??
            (takenNames.has(rules.name) ? 'another tool has it' : undefined))
          : `the key \`${key}\` matches several tools, such as \`${tool.name}\` and \`${other.name}\``;
      takenNames.add(rules.name);
      if (fault === undefined) names.set(tool.name, rules.name);
      else
        report(
          `no tool can be called \`${rules.name}\`, since ${fault}`,
          'Choose another name, under the key of one tool.',
          'name',
        );
    }
    return names;
  }

  #find(item: RuledItem): Entry[] {
    return this.#entries.filter(({ matches }) => matches(item));
  }

  #apply(item: RuledItem, before: XMcp): XMcp {
    return this.#find(item).reduce((xMcp, entry) => {
      if (entry.rules.hints?.readOnly === true && xMcp.annotations?.readOnlyHint === false)
        entry.report(
          `\`readOnly\` is true, and the source of \`${item.name}\` or another key says false, which is stricter`,
          'Remove one of the two.',
          ...['hints', 'readOnly'],
        );
      return applyRules(xMcp, entry.rules);
    }, before);
  }

  #locate(...steps: string[]): DocumentOrigin | undefined {
    const { file, text, pointers } = this.#configuration ?? {};
    if (file === undefined || text === undefined) return undefined;
    const pointer = [pointers?.tools, ...steps.map(escapePointerToken)].join('/');
    return { kind: 'document', file, pointer, on: 'key' };
  }
}

function suggest(word: string, candidates: readonly string[], what: string): string {
  const near = nearest(word, candidates);
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  return `Correct the ${what}, or remove it: a lost rule may be a lost safeguard.`;
}

function itemOf({ name, tags, binding }: Tool): RuledItem {
  if (binding.kind !== 'http') return { name, tags };
  const { method, path, operationId } = binding;
  return { name, tags, method, path, ...omitUndefined({ operationId }) };
}

/** Names of variables don't count, as in the lock. */
function compileKey(key: string): Entry['matches'] {
  if (OPERATION_KEY.test(key)) {
    const shape = keyWithoutVariableNames(key.replace(/^\w+/, (method) => method.toUpperCase()));
    return ({ method = '', path = '' }) => keyWithoutVariableNames(operationKey({ method, path })) === shape;
  }
  if (!isSelector(key)) return ({ name }) => name === key;
  const nameOf = ({ name }: Described & RuledItem): string => name;
  const [selector] = parseSelectors([key], nameOf, new DiagnosticCollector());
  return (item) => selector?.matches({ tags: [], method: '', path: '', ...item }) ?? false;
}

/** The code of a function fixes what it takes, so rules only describe its arguments and hide optional ones. */
export function applyParameterRules(
  input: ObjectSchema,
  configured: readonly ConfiguredArguments[],
): ObjectSchema {
  const properties = new Map(Object.entries(input.properties ?? {}));
  for (const { rules, note, report } of configured) {
    note(Object.keys(input.properties ?? {}));
    for (const [argument, { hide = false, description, ...others }] of Object.entries(rules)) {
      const schema = properties.get(argument);
      const [unfit] = Object.keys(others);
      if (schema === undefined) continue;
      if (unfit !== undefined) report(argument, `\`${unfit}\` is for operations, and this is a function`);
      else if (hide && input.required?.includes(argument) === true) report(argument, 'it is required');
      else if (hide) properties.delete(argument);
      else if (description !== undefined) properties.set(argument, describe(schema, description));
    }
  }
  return configured.length === 0 ? input : { ...input, properties: Object.fromEntries(properties) };
}

function describe(schema: JsonSchema, description: string): JsonSchema {
  if (schema === false) return schema;
  return { ...(schema === true ? {} : schema), description };
}

export function renameTools(
  model: ServerModel,
  options: DeriveOptions,
  diagnostics: DiagnosticCollector,
): ServerModel {
  const names = new ConfiguredTools(options, diagnostics).chooseNames(model.tools);
  if (names.size === 0) return model;
  return {
    ...model,
    tools: model.tools.map((tool) => ({ ...tool, name: names.get(tool.name) ?? tool.name })),
    resources: model.resources.map((resource) => renameToolInResource(resource, names)),
    resourceTemplates: model.resourceTemplates.map((template) => renameToolInResource(template, names)),
  };
}

function renameToolInResource<T extends Resource | ResourceTemplate>(
  item: T,
  names: ReadonlyMap<string, string>,
): T {
  const { binding } = item;
  const name = binding.do.kind === 'tool' ? names.get(binding.do.name) : undefined;
  return name === undefined ? item : { ...item, binding: { ...binding, do: { ...binding.do, name } } };
}
