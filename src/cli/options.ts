/** The options that commands share, grouped as help shows them. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { baseUrlProblem, hostProblem, originProblem } from '../config/options/addresses.ts';
import { namesIn } from '../config/options/permissions.ts';
import {
  isOutputSchemaMode,
  nameLengthProblem,
  omitProblem,
  targetProblem,
  registryNameProblem,
} from '../config/options/settings.ts';
import { publishTargets } from '../model/published.ts';
import { bodyMediaTypeProblem, selectorProblem } from '../config/options/selector.ts';

/** `of` is what the command takes: documents alone, or functions too, whose defaults are others. */
export function addCompileOptions(command: Command, of: 'documents' | 'sources'): Command {
  const isAny = of === 'sources';
  const version = isAny ? "the document's, or the package's" : "the document's";
  const mode = isAny ? 'loose; for functions strict' : 'loose';
  return command
    .optionsGroup('Server:')
    .addOption(new Option('--name <name>', 'package, command and server name').argParser(filled))
    .addOption(
      new Option('--server-version <version>', `version of the server (default: ${version})`).argParser(
        filled,
      ),
    )
    .addOption(
      new Option('--base-url <url>', "base URL of the API, instead of the document's servers").argParser(
        baseUrl,
      ),
    )
    .addOption(
      repeatable('--overlay <file>', 'apply an OpenAPI Overlay to the document first').argParser(overlay),
    )
    .addOption(
      repeatable(
        '--include <selector>',
        'only these operations: tag:pets, path:/pets/**, op:list*, method:GET',
      ).argParser(selector),
    )
    .addOption(
      repeatable('--exclude <selector>', 'without these operations; overrides --include').argParser(selector),
    )
    .addOption(
      repeatable(
        '--body-media-type <selector=type>',
        'request body type, if the document offers several',
      ).argParser(bodyMediaType),
    )
    .addOption(
      new Option(
        '--route-map <file>',
        'JSON or YAML rules that map operations to tools and resources',
      ).argParser(filled),
    )
    .addOption(
      new Option('--max-name-length <n>', 'maximum length of tool names, 16 to 128 (default: 64)').argParser(
        nameLength,
      ),
    )
    .addOption(
      new Option('--output-schema <mode>', `loose, strict or off (default: ${mode})`).argParser(outputSchema),
    )
    .optionsGroup('Input:')
    .addOption(
      new Option('--allow-remote-refs <host...>', 'hosts that remote $refs may be loaded from').argParser(
        hosts,
      ),
    )
    .addOption(
      new Option('--ref-root <dir>', 'folder that contains all files reached by $ref').argParser(filled),
    );
}

/** Of commands that write a project: what is served from its source asks nobody. */
export function addAuthOption(command: Command): Command {
  return command
    .optionsGroup('Server:')
    .addOption(
      new Option('--auth <mode>', 'oauth: HTTP callers need a token (default: none)').argParser(auth),
    );
}

/** Those of `ts`: functions have no API behind them. */
export function addFunctionOptions(command: Command): Command {
  return command
    .optionsGroup('Server:')
    .addOption(new Option('--name <name>', 'package, command and server name').argParser(filled))
    .addOption(
      new Option('--server-version <version>', "version of the server (default: the package's)").argParser(
        filled,
      ),
    )
    .addOption(
      new Option('--max-name-length <n>', 'maximum length of tool names, 16 to 128 (default: 64)').argParser(
        nameLength,
      ),
    )
    .addOption(
      new Option('--output-schema <mode>', 'loose, strict or off (default: strict)').argParser(outputSchema),
    )
    .optionsGroup('Input:')
    .addOption(tsconfigOption());
}

export function tsconfigOption(): Option {
  return new Option(
    '--tsconfig <file>',
    'compiler options for functions (default: the nearest tsconfig.json)',
  ).argParser(filled);
}

export function addWriteOptions(command: Command): Command {
  const options = command
    .optionsGroup('Output:')
    .addOption(
      new Option('-o, --output <dir>', 'project folder (default: ./<server name>)').argParser(filled),
    )
    .addOption(
      new Option('--templates <dir>', 'folder of templates that replace the built-in ones').argParser(filled),
    )
    .addOption(
      new Option('--registry-name <name>', 'name in the MCP registry: io.github.<account>/<name>').argParser(
        registryName,
      ),
    )
    .addOption(
      repeatable('--publish <target>', `add the files for a target: ${publishTargets.join(', ')}`).argParser(
        published,
      ),
    )
    .addOption(repeatable('--omit <file>', 'skip a file, such as Dockerfile').argParser(omitted))
    .option('--dry-run', 'list the changes, write nothing')
    .option('--check', 'exit 1 if the folder is not up to date; write nothing');
  return addEditOptions(options);
}

/** Consent to what a run refuses otherwise: files that are in the way, origins that are new to credentials. */
export function addEditOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--force', 'overwrite edited and foreign files, keeping each as .orig').conflicts([
        'keep',
        'merge',
      ]),
    )
    .addOption(
      new Option('--keep', 'keep edited generated files, and stop generating them').conflicts('merge'),
    )
    .option('--merge', 'merge the new output into edited files')
    .addOption(
      repeatable(
        '--accept-origin <origin>',
        'allow credentials for an origin that mcpgen.lock does not name',
      ).argParser(origin),
    )
    .addOption(
      new Option('--rebuild-lock', 'rewrite mcpgen.lock without reading it; removes no files').conflicts(
        'check',
      ),
    );
}

/** Tool names that an earlier run gave stay, unless. Of documents alone: functions are called what their code says. */
export function renameOption(): Option {
  return new Option('--rename', 'derive tool names again instead of taking them from mcpgen.lock');
}

export function addReportOptions(command: Command): Command {
  return command
    .optionsGroup('Messages:')
    .option('--json', 'print one JSON document on stdout, also on failure')
    .option('--quiet', 'print only errors on stderr')
    .option('--verbose', 'show every diagnostic in full');
}

export function addStrictOption(command: Command): Command {
  return command.optionsGroup('Messages:').option('--strict', 'treat warnings as errors');
}

export function addWatchOption(command: Command, what: string): Command {
  return command.optionsGroup('Watching:').option('--watch', what);
}

/** Adds the consent options of commands that read a configuration or run code of a repository. */
export function addPermissionOptions(command: Command): Command {
  return addCodeOption(command)
    .addOption(
      repeatable(
        '--allow-env <name>',
        'variable that URLs in the configuration may send; A,B for two',
      ).argParser(variables),
    )
    .addOption(
      repeatable(
        '--allow-output <dir>',
        'let the configuration write to this folder outside the repository',
      ).argParser((value: string, previous: string[] = []) => [...previous, filled(value)]),
    );
}

export function addCodeOption(command: Command): Command {
  return command
    .optionsGroup('Permissions:')
    .option('--no-code', 'run no code of the repository (configuration, hooks, helpers, functions)');
}

/** Of commands that take a configuration. */
export function addServerOption(command: Command): Command {
  return addPermissionOptions(command)
    .optionsGroup('Selection:')
    .addOption(
      new Option('--server <name>', 'use this server of a configuration with several').argParser(filled),
    );
}

/** A group of its own, below the rest. */
export function addHelpOption(command: Command): Command {
  return command.optionsGroup('Help:').helpOption('-h, --help', 'show this help');
}

/** Those of commands that compile and write no project. */
export function addInspectOptions(command: Command, of: 'documents' | 'sources'): Command {
  addServerOption(addCompileOptions(command, of));
  addReportOptions(addStrictOption(command));
  return addHelpOption(command);
}

function repeatable(flags: string, description: string): Option {
  return new Option(flags, `${description} (repeatable)`);
}

function filled(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

function baseUrl(value: string): string {
  const problem = baseUrlProblem(value);
  if (problem !== undefined) throw new InvalidArgumentError(sentence(problem));
  return value;
}

function origin(value: string, previous: string[] = []): string[] {
  const problem = originProblem(value);
  if (problem !== undefined) throw new InvalidArgumentError(sentence(problem));
  return [...previous, value];
}

function overlay(value: string, previous: string[] = []): string[] {
  if (value === '-') throw new InvalidArgumentError('It must be a file or a URL.');
  return [...previous, filled(value)];
}

function selector(value: string, previous: string[] = []): string[] {
  const problem = selectorProblem(value);
  if (problem !== undefined) throw new InvalidArgumentError(`${sentence(problem)} For example: tag:pets.`);
  return [...previous, value];
}

function bodyMediaType(value: string, previous: string[] = []): string[] {
  const problem = bodyMediaTypeProblem(value);
  if (problem !== undefined)
    throw new InvalidArgumentError(`${sentence(problem)} For example: op:createPet=application/xml.`);
  return [...previous, value];
}

function registryName(value: string): string {
  const problem = registryNameProblem(value);
  if (problem !== undefined) throw new InvalidArgumentError(`It ${problem}.`);
  return value;
}

function published(value: string, previous: string[] = []): string[] {
  const problem = targetProblem(value);
  if (problem !== undefined) throw new InvalidArgumentError(sentence(problem));
  return [...previous, value];
}

function omitted(value: string, previous: string[] = []): string[] {
  const problem = omitProblem(value);
  if (problem !== undefined) throw new InvalidArgumentError(sentence(problem));
  return [...previous, value];
}

function nameLength(value: string): number {
  const length = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  const problem = nameLengthProblem(length);
  if (problem !== undefined) throw new InvalidArgumentError(`It ${problem}.`);
  return length;
}

function outputSchema(value: string): 'loose' | 'strict' | 'off' {
  if (!isOutputSchemaMode(value)) throw new InvalidArgumentError('It must be one of loose, strict, off.');
  return value;
}

function auth(value: string): 'oauth' | 'none' {
  if (value === 'oauth' || value === 'none') return value;
  throw new InvalidArgumentError('It must be oauth or none.');
}

/** Commander hands over one at a time; `a.com,b.com` is taken too. */
function hosts(value: string, previous: string[] = []): string[] {
  const names = value.split(',').map((name) => name.trim());
  const problem = names.map(hostProblem).find((each) => each !== undefined);
  if (problem !== undefined) throw new InvalidArgumentError(sentence(problem));
  return [...previous, ...names];
}

/** `A,B` is two names. */
function variables(value: string, previous: string[] = []): string[] {
  const names = namesIn(value);
  const isFit = names.length > 0 && names.every((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (!isFit) throw new InvalidArgumentError('It must be the name of a variable, such as API_DOCS_HOST.');
  return [...previous, ...names];
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
