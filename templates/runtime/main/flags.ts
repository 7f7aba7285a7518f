// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** The command line of a server. */
import { LOG_LEVELS } from '../core/log-level.ts';
import type { FlagDefinition } from '../contract/feature.ts';
import { suggest } from '../contract/suggest.ts';
import {
  explainMissingFeature,
  readFeatures,
  type FeatureParts,
  type ServerFeatures,
} from './present-features.ts';
import { UsageError } from './settings.ts';

/** Flags of every server; `transport` comes before those of features, the others after them. */
const COMMON_FLAGS: Readonly<Record<string, FlagDefinition>> = {
  transport: { value: 'stdio|http', example: 'http', help: 'How clients reach the server. Default: stdio' },
  include: {
    value: 'selector',
    example: 'op:get*',
    help: 'Serve only these: op:, tag:, path:, method:',
    withoutApi: 'Serve only these: op: and a name, * for any characters',
    repeatable: true,
  },
  exclude: { value: 'selector', example: 'tag:admin', help: 'Do not serve these', repeatable: true },
  'rate-limit': {
    value: 'n|off',
    example: '600',
    help: 'Calls a minute of one client, by its subject or else its address. Default: 6000 over HTTP, off on stdio',
  },
  dotenv: {
    value: 'file',
    example: '/path/to/.env',
    help: 'Read variables from this file, instead of .env beside package.json. Default: $MCP_DOTENV',
  },
  'log-level': { value: 'level', example: 'warning', help: `${LOG_LEVELS.join(', ')}. Default: info` },
  'page-size': { value: 'n', example: '50', help: 'Items a page of a list. Default: everything on one page' },
  help: { help: 'Show this help' },
  version: { help: 'Show the version' },
};

/** The values given, by flag; a switch has the value `true`. */
export type FlagValues = ReadonlyMap<string, readonly string[]>;

/** The flags of a server with these features, in the order of its help. */
export function flagsFor({ rows, present }: ServerFeatures): Readonly<Record<string, FlagDefinition>> {
  const { transport, ...others } = COMMON_FLAGS;
  const ofFeatures = rows
    .filter(({ name }) => present.has(name))
    .flatMap(({ flags = {} }) =>
      Object.entries(flags).filter(([, flag]) => flag.with === undefined || present.has(flag.with)),
    );
  const all = { ...(transport && { transport }), ...Object.fromEntries(ofFeatures), ...others };
  if (present.has('api')) return all;
  return Object.fromEntries(
    Object.entries(all).map(([name, flag]) => [name, { ...flag, help: flag.withoutApi ?? flag.help }]),
  );
}

/**
 * Reads `--name value`, `--name=value` and `-h`.
 *
 * @throws {UsageError} on anything else.
 */
export function readFlags(args: readonly string[], definition: FeatureParts): FlagValues {
  const features = readFeatures(definition);
  const flags = flagsFor(features);
  const values = new Map<string, string[]>();
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? '';
    const [name, inline] = splitFlag(argument);
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) throw unknownFlag(argument, name, flags, features);
    if (flag.value === undefined && inline !== undefined) throw new UsageError(`--${name} takes no value.`);
    const value = flag.value === undefined ? 'true' : (inline ?? args[++index]);
    if (value === undefined || value === '')
      throw new UsageError(`--${name} needs a value, as in --${name} ${flag.example}. See --help.`);
    const known = values.get(name) ?? [];
    if (known.length > 0 && flag.repeatable !== true) throw new UsageError(`--${name} is given twice.`);
    values.set(name, [...known, value]);
  }
  return values;
}

function splitFlag(argument: string): [name: string, value: string | undefined] {
  if (argument === '-h') return ['help', undefined];
  const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(argument) ?? [];
  return [name, value];
}

/** Flags that people try, and the flag that they mean. */
const MEANT: Readonly<Record<string, string>> = { http: 'transport http', stdio: 'transport stdio' };

function unknownFlag(
  argument: string,
  name: string,
  flags: Readonly<Record<string, FlagDefinition>>,
  features: ServerFeatures,
): UsageError {
  const absent = features.rows.find((each) => Object.hasOwn(each.flags ?? {}, name));
  if (absent !== undefined)
    return new UsageError(explainMissingFeature(absent, absent.flags?.[name]?.with, features));
  const bare = argument.replace(/^-*/, '').replace(/=.*$/s, '');
  const meant = Object.hasOwn(MEANT, bare) ? MEANT[bare] : suggest(bare, Object.keys(flags));
  return new UsageError(
    `${name === '' ? `Unexpected argument: ${argument}` : `Unknown option: --${name}`}.` +
      (meant === undefined ? ' See --help.' : ` Did you mean --${meant}?`),
  );
}
