// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The user is asked before a tool runs that may delete or overwrite data (`--confirm destructive`), or that says `confirm`. Workflows ask for their calls at once. */
import type { Call, CallGuest, Feature } from '../feature.ts';
import { MISSING_CAPABILITY, ownMember, RpcError, writeJson } from '../json-rpc.ts';
import { errorResult } from '../results.ts';
import type { Server } from '../server.ts';
import { getSetting, lacksFeature, parseChoice } from '../settings.ts';
import { makeContext } from '../tools.ts';
import { type Args, type Binding, type HttpBinding, ToolError } from '../types.ts';
import { confirmedArguments } from './access.ts';
import { hashParams } from './ask/rounds.ts';
import type {} from './ask/index.ts';

/** The part `confirm`: asks once for several calls. */
export type AskForCalls = (call: Call, calls: readonly { name: string; args: Args }[]) => Promise<boolean>;

/** @param tools what the configuration says: the flag can't take it back */
export function confirm({ tools }: { tools?: 'destructive' } = {}): Feature {
  const isOn = ({ flags }: Server): boolean => (tools ?? flags['confirm']) === 'destructive';
  const guest: CallGuest = async (call, next) => {
    const { server } = call.request;
    const confirmed = call.parent && confirmedArguments.get(call.parent);
    // The person's own code may have changed them since.
    if (confirmed === writeJson(call.args)) return next();
    const mayRun = !mustAsk(server, call, isOn(server)) || isConfirmed(server, call, isOn(server));
    if (confirmed === undefined && mayRun) return next();
    if (await askUser(server, call, isOn(server))) return next();
    const text = `${call.name} was not run: the user did not confirm it.`;
    return { result: errorResult(text), cause: 'refused' };
  };
  return {
    name: 'confirm',
    settings: [
      {
        flag: 'confirm',
        value: 'destructive',
        help: 'Ask the user before a tool runs that may delete or overwrite data. Clients that cannot ask are refused.',
      },
    ],
    aroundCall: { confirm: guest },
    parts: { confirm: { askForCalls } },
    startLine: (server) => {
      if (isOn(server)) return 'confirm: destructive';
      return hasRules(server) ? 'confirm: some tools' : undefined;
    },
    start: (server, flags, env) => {
      parseChoice(getSetting({ confirm: 'destructive', ...flags }, env, 'confirm', ''), ['destructive']);
      const rule = isOn(server) ? '--confirm destructive' : hasRules(server) && '`confirm` of a tool';
      if (rule && !server.features.some(({ name }) => name === 'ask')) throw lacksFeature(rule, 'ask');
    },
  };
}

/** A tool's handler may call its own operation: the user has been asked. */
function isConfirmed(server: Server, { name, parent }: Call, isOn: boolean): boolean {
  for (let outer = parent; outer !== undefined; outer = outer.parent)
    if (outer.name === name && outer.kind === 'tool' && mustAsk(server, outer, isOn)) return true;
  return false;
}

/** Tools, and operations that only code calls, by name. */
function listBindings({ bindings: { tools, operations = {} } }: Server): Record<string, { do: Binding }>[] {
  return [tools, ...Object.values(operations)];
}

function hasRules(server: Server): boolean {
  return listBindings(server).some((items) =>
    Object.values(items).some((item) => item.do['confirm'] !== undefined),
  );
}

function mustAsk(server: Server, call: Call, isOn: boolean): boolean {
  const rules = listBindings(server).map((items) => ownMember(items, call.name)?.do['confirm']);
  if (rules.includes('always')) return true;
  return (isOn || rules.includes('destructive')) && isDestructive(server, call);
}

/** A tool without hints may destroy (MCP, `ToolAnnotations`), and so may an operation that is no tool, unless its method only reads. */
function isDestructive({ catalog, bindings }: Server, { name, origin }: Call): boolean {
  const mayWrite = (item: { do: Binding } | undefined): boolean => {
    const { method } = (item?.do ?? {}) as Partial<Binding & HttpBinding>;
    return item !== undefined && !/^(?:GET|HEAD|OPTIONS|QUERY)$/.test(method ?? '');
  };
  const sources = Object.values(bindings.operations ?? {});
  // An operation that code calls may have the name of a tool that only reads.
  if (origin === 'code' && sources.some((operations) => mayWrite(ownMember(operations, name)))) return true;
  // A workflow asks for its calls, unless a handler has taken its place.
  if (
    ownMember(bindings.tools, name)?.do.kind === 'steps' &&
    !Object.hasOwn(catalog.handlers.tools ?? {}, name)
  )
    return false;
  const { annotations } = catalog.tools.get(name) ?? {};
  if (catalog.tools.has(name))
    return annotations?.readOnlyHint !== true && annotations?.destructiveHint !== false;
  return mayWrite(ownMember(bindings.tools, name));
}

async function askUser(server: Server, call: Call, isOn: boolean): Promise<boolean> {
  const { name, args } = call;
  const title = server.catalog.tools.get(name)?.title ?? name;
  const effect = isDestructive(server, call) ? 'may delete or overwrite data' : 'runs only if you agree';
  const question = `${title} (${name}) ${effect}. Run it with these arguments?\n${printArguments(args)}`;
  const setting = isOn ? '--confirm destructive' : '`confirm` of the tool';
  const reason = `${name} was not run. The server asks its user before this tool runs (${setting}).`;
  return ask(call, { question, reason, title: 'Run it', about: { name, arguments: args } });
}

const askForCalls: AskForCalls = async (call, calls) => {
  const lines = calls.map(({ name, args }) => `${name} ${printArguments(args)}`);
  const { annotations } = call.request.server.catalog.tools.get(call.name) ?? {};
  const effect =
    annotations?.destructiveHint === false ? 'run only if you agree' : 'may delete or overwrite data';
  const question = `${call.name} makes calls that ${effect} (${calls.length}). Run all of them?\n${lines.join('\n')}`;
  const reason = `${call.name} asks its user before it makes such calls.`;
  return ask(call, { question, reason, title: 'Run all', about: { name: call.name, calls } });
};

/** `about`: all that the answer is for, since code may call with other arguments when it runs again. */
async function ask(
  call: Call,
  { question, reason, title, about }: Record<'question' | 'reason' | 'title', string> & { about: object },
): Promise<boolean> {
  const form = { confirm: { type: 'boolean', title } } as const;
  const options = { key: `confirm ${hashParams({ ...about })}`, once: true };
  try {
    const { content } = await makeContext(call).elicit(question, form, options);
    return content?.confirm === true;
  } catch (thrown) {
    if (thrown instanceof RpcError && thrown.code === MISSING_CAPABILITY)
      throw new RpcError(thrown.code, `${reason} ${thrown.message}`, thrown);
    throw thrown instanceof ToolError ? new ToolError(`${reason} ${thrown.message}`) : thrown;
  }
}

/** Characters of the arguments, of one text among them, and of their names. */
const MAX_SHOWN = { arguments: 2_000, text: 200, names: 1_000 };

/** Never between the halves of a surrogate pair. */
function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** The names of all arguments are shown where values are cut. Direction marks would make the user read another text. */
function printArguments(args: Args): string {
  const escape = (text: string): string =>
    text.replace(/\p{Cf}/gu, (mark) =>
      mark
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join(''),
    );
  const shorten = (value: unknown): unknown => {
    if (typeof value === 'string') return cut(value, MAX_SHOWN.text);
    if (Array.isArray(value)) return value.map(shorten);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member)]));
  };
  const values = escape(writeJson(shorten(args)));
  if (values.length <= MAX_SHOWN.arguments) return values;
  const names = escape(Object.keys(args).join(', '));
  return `${cut(values, MAX_SHOWN.arguments)}\nAll arguments: ${cut(names, MAX_SHOWN.names)}`;
}
