/** The questions of `mcpgen init` on a terminal. An answer becomes the flag that says the same. */
import { type CANCEL_SYMBOL, isCancel, log, multiselect, select, text } from '@clack/prompts';
import { inspect } from '../api/inspect.ts';
import type { Flags } from '../config/options/option-types.ts';
import { listRows } from '../config/options/rows.ts';
import { TRANSPORTS, featuresForTransports } from '../model/features.ts';
import { isLargeList } from '../model/listed-tools.ts';
import { isPackageName } from '../model/published.ts';
import { omitUndefined } from '../util/collections.ts';
import { makeSourceInputs } from './commands/init.ts';
import { pickRunOptions } from './compile-options.ts';
import type { Host, Terminal } from './host.ts';
import { CancelledError } from './outcome.ts';
import { formatCount, formatCountWithNoun, quoteShellWord, printablePath } from './words.ts';

interface Answers {
  sources: string[];
  flags: Flags;
  /** A command that gives the same answers without questions. */
  command: string;
}

interface Draft {
  sources: string[];
  /** The name that the server gets if none is given. */
  name: string;
  tools: Priced[];
}

interface Priced {
  /** The tool's tags: empty for operations without tags, undefined for functions. */
  tags: readonly string[] | undefined;
  tokens: number;
}

type Asked = Terminal & { signal: AbortSignal };

/** Asks for what neither `given` nor `flags` say. Throws `CancelledError` after Ctrl-C. */
export async function askForMissingFlags(
  given: string[],
  usual: string | undefined,
  flags: Flags,
  host: Host,
  terminal: Terminal,
): Promise<Answers> {
  const on = { ...terminal, signal: host.signal };
  const draft = await askForSources(given, usual, flags, host, on);
  const name = flags.name ?? (await askForName(draft.name, on));
  const isSelected = (flags.include ?? flags.exclude) !== undefined;
  const selection = isSelected ? {} : await askForTags(draft.tools, on);
  const surface = flags.surface ?? (await askForSurface(draft.tools.filter(matchesSelection(selection)), on));
  const transports = flags.transports ?? (await askForTransports(on));
  const hasHttp = transports.some((transport) => transport !== 'stdio');
  const auth = flags.auth ?? (hasHttp ? await askForAuth(on) : undefined);
  const all = omitUndefined({
    ...{ ...flags, ...selection, name, surface, auth },
    transports: flags.transports ?? (featuresForTransports(transports) && transports),
  });
  return { sources: draft.sources, flags: all, command: printInitCommand(draft.sources, all) };
}

/** Asks for sources and compiles them; asks again for one that does not compile. */
async function askForSources(
  given: string[],
  usual: string | undefined,
  flags: Flags,
  host: Host,
  on: Asked,
): Promise<Draft> {
  for (let sources = given; ; sources = []) {
    if (sources.length === 0) {
      const message = 'Source: an OpenAPI document (path or URL), or a file or glob of annotated functions';
      const answer = text({ ...on, message, initialValue: usual ?? '', validate: findSourceProblem });
      sources = [(await awaitAnswer(answer)).trim()];
    }
    const { model, cost, diagnostics } = await inspect({
      ...pickRunOptions(host, flags),
      source: sources.join(', '),
      sources: makeSourceInputs(sources, flags),
    });
    if (model !== undefined && cost !== undefined) {
      const tools = model.tools.map(({ binding, tags }, index) => ({
        tags: binding.kind === 'http' ? tags : undefined,
        tokens: cost.tools[index]?.tokens ?? 0,
      }));
      return { sources, name: model.name, tools };
    }
    for (const { severity, code, message } of diagnostics)
      if (severity === 'error') log.error(`${code}: ${printablePath(message)}`, on);
  }
}

function findSourceProblem(source = ''): string | undefined {
  if (source.trim() === '-') return 'A later run cannot read standard input again. Name a file or a URL.';
  return source.trim() === '' ? 'Name a file or a URL.' : undefined;
}

export async function askForText(message: string, on: Asked): Promise<string> {
  return awaitAnswer(text({ ...on, message, defaultValue: '' }));
}

async function askForName(derived: string, on: Asked): Promise<string> {
  return awaitAnswer(
    text({
      ...on,
      message: 'Name of the package, its command and the server',
      initialValue: derived,
      validate: (value = '') =>
        isPackageName(value) ? undefined : 'Write a name that npm accepts: small letters, digits and "-".',
    }),
  );
}

type Selection = Pick<Flags, 'include' | 'exclude'>;

const UNTAGGED = '';

async function askForTags(tools: readonly Priced[], on: Asked): Promise<Selection> {
  const operations = tools.flatMap(({ tags, tokens }) => (tags === undefined ? [] : [{ tags, tokens }]));
  const found = [...new Set(operations.flatMap(({ tags }) => (tags.length === 0 ? [UNTAGGED] : tags)))];
  if (found.length < 2) return {};
  const options = found.map((tag) => {
    const own = operations.filter(({ tags }) => (tag === UNTAGGED ? tags.length === 0 : tags.includes(tag)));
    return { value: tag, label: tag === UNTAGGED ? '(no tag)' : printablePath(tag), hint: describeCost(own) };
  });
  const message = `Operations, by tag: ${describeCost(operations)} in all`;
  const chosen = await awaitAnswer(
    multiselect({ ...on, message, options, initialValues: found, maxItems: 12, required: true }),
  );
  const left = found.filter((tag) => !chosen.includes(tag));
  if (left.length === 0) return {};
  // No selector names operations without tags.
  const formatTagSelectors = (tags: readonly string[]): string[] => tags.map((tag) => `tag:${tag}`);
  return chosen.includes(UNTAGGED)
    ? { exclude: formatTagSelectors(left) }
    : { include: formatTagSelectors(chosen) };
}

/** Whether a tool is served with tags chosen by the question. */
function matchesSelection({ include, exclude = [] }: Selection): (tool: Priced) => boolean {
  const hasSelectedTag = (tags: readonly string[], list: readonly string[]): boolean =>
    tags.some((tag) => list.includes(`tag:${tag}`));
  return ({ tags }) =>
    tags === undefined ||
    (!hasSelectedTag(tags, exclude) && (include === undefined || hasSelectedTag(tags, include)));
}

function describeCost(tools: readonly { tokens: number }[]): string {
  return `${formatCountWithNoun(tools.length, 'tool')}, about ${formatCount(countTokens(tools))} tokens`;
}

function countTokens(tools: readonly { tokens: number }[]): number {
  return tools.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Asks for the surface only where the list is too long for many clients. */
async function askForSurface(tools: readonly Priced[], on: Asked): Promise<Flags['surface']> {
  if (!isLargeList(tools.length, countTokens(tools))) return undefined;
  const surface = await awaitAnswer(
    select<'search' | 'tools' | 'both'>({
      ...on,
      message: `Tools that clients list: ${describeCost(tools)} would be all of them`,
      options: [
        { value: 'search', label: 'five tools that search, describe and call the others' },
        { value: 'tools', label: 'all of them' },
        { value: 'both', label: 'both' },
      ],
    }),
  );
  return surface === 'tools' ? undefined : surface;
}

async function askForTransports(on: Asked): Promise<string[]> {
  const words: Record<string, string> = {
    http: 'Streamable HTTP',
    sse: 'HTTP+SSE, for older clients',
    websocket: 'WebSocket',
  };
  const chosen = await awaitAnswer(
    multiselect({
      ...on,
      message: 'Transports beside stdio',
      options: Object.entries(words).map(([value, label]) => ({ value, label })),
      initialValues: ['http'],
      required: false,
    }),
  );
  return TRANSPORTS.filter((name) => name === 'stdio' || chosen.includes(name));
}

async function askForAuth(on: Asked): Promise<Flags['auth']> {
  const auth = await awaitAnswer(
    select<'none' | 'oauth'>({
      ...on,
      message: 'Callers over HTTP',
      options: [
        { value: 'none', label: 'need no token', hint: 'on your machine, or behind a gateway' },
        { value: 'oauth', label: 'need an OAuth token', hint: 'adds the package jose' },
      ],
    }),
  );
  return auth === 'none' ? undefined : auth;
}

async function awaitAnswer<T>(asked: Promise<T | typeof CANCEL_SYMBOL>): Promise<T> {
  const answer = await asked;
  if (isCancel(answer)) throw new CancelledError();
  return answer;
}

function printInitCommand(sources: readonly string[], flags: Flags): string {
  const given = new Map<string, unknown>(Object.entries(flags));
  const words = listRows().flatMap(([key, { flag = '', isSplit = false }]) => {
    const value = given.get(key);
    if (value === undefined || value === false) return [];
    const name = flag.replace(/ .*/, '').replace(/.*, /, '');
    if (value === true) return [name];
    const values = Array.isArray(value) ? value.map(String) : [String(value)];
    return (isSplit ? [values.join(',')] : values).flatMap((each) => [name, quoteShellWord(each)]);
  });
  return ['mcpgen init', ...sources.map(quoteShellWord), ...words, '--yes'].join(' ');
}
