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
  const mode = isAny ? 'loose; of functions strict' : 'loose';
  return command
    .optionsGroup('What the server offers:')
    .addOption(new Option('--name <name>', 'package, command and server name').argParser(filled))
    .addOption(
      new Option('--server-version <version>', `version of the server (default: ${version})`).argParser(
        filled,
      ),
    )
    .addOption(
      new Option('--base-url <url>', "root of the API, in place of the document's servers").argParser(
        baseUrl,
      ),
    )
    .addOption(
      repeatable('--overlay <file>', 'apply an OpenAPI Overlay to the document first').argParser(overlay),
    )
    .addOption(
      repeatable(
        '--include <selector>',
        'serve only these: tag:pets, path:/pets/**, op:list*, method:GET',
      ).argParser(selector),
    )
    .addOption(repeatable('--exclude <selector>', 'leave these out; wins over --include').argParser(selector))
    .addOption(
      repeatable(
        '--body-media-type <selector=type>',
        'send bodies as this, where the document offers several',
      ).argParser(bodyMediaType),
    )
    .addOption(
      new Option('--route-map <file>', 'JSON or YAML rules: which operation becomes what').argParser(filled),
    )
    .addOption(
      new Option('--max-name-length <n>', 'longest tool name, 16 to 128 (default: 64)').argParser(nameLength),
    )
    .addOption(
      new Option('--output-schema <mode>', `loose, strict or off (default: ${mode})`).argParser(outputSchema),
    )
    .optionsGroup('What may be read:')
    .addOption(
      new Option('--allow-remote-refs <host...>', 'hosts whose documents a $ref may load').argParser(hosts),
    )
    .addOption(new Option('--ref-root <dir>', 'folder that file $refs stay inside').argParser(filled));
}

/** Of commands that write a project: what is served from its source asks nobody. */
export function addAuthOption(command: Command): Command {
  return command
    .optionsGroup('What the server offers:')
    .addOption(
      new Option('--auth <way>', 'oauth: callers over HTTP are asked for a token (default: none)').argParser(
        auth,
      ),
    );
}

/** Those of `ts`: functions have no API behind them. */
export function addFunctionOptions(command: Command): Command {
  return command
    .optionsGroup('What the server offers:')
    .addOption(new Option('--name <name>', 'package, command and server name').argParser(filled))
    .addOption(
      new Option('--server-version <version>', "version of the server (default: the package's)").argParser(
        filled,
      ),
    )
    .addOption(
      new Option('--max-name-length <n>', 'longest tool name, 16 to 128 (default: 64)').argParser(nameLength),
    )
    .addOption(
      new Option('--output-schema <mode>', 'loose, strict or off (default: strict)').argParser(outputSchema),
    )
    .optionsGroup('What may be read:')
    .addOption(tsconfigOption());
}

export function tsconfigOption(): Option {
  return new Option(
    '--tsconfig <file>',
    'compiler options of functions (default: the nearest tsconfig.json)',
  ).argParser(filled);
}

export function addWriteOptions(command: Command): Command {
  const options = command
    .optionsGroup('What is written:')
    .addOption(
      new Option('-o, --output <dir>', 'project folder (default: ./<server name>)').argParser(filled),
    )
    .addOption(
      new Option('--templates <dir>', 'templates of yours, in place of the built-in ones').argParser(filled),
    )
    .addOption(
      new Option('--registry-name <name>', 'name in the MCP registry: io.github.<account>/<name>').argParser(
        registryName,
      ),
    )
    .addOption(
      repeatable('--publish <target>', `add what a target needs: ${publishTargets.join(', ')}`).argParser(
        published,
      ),
    )
    .addOption(repeatable('--omit <file>', 'leave out a file, such as Dockerfile').argParser(omitted))
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--check', 'exit 1 when the folder is not what would be written');
  return addEditOptions(options);
}

/** Consent to what a run refuses otherwise: files that are in the way, origins that are new to credentials. */
export function addEditOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--force', 'overwrite files that are not ours, keeping each as .orig').conflicts([
        'keep',
        'merge',
      ]),
    )
    .addOption(
      new Option('--keep', 'leave generated files that were edited to their editor').conflicts('merge'),
    )
    .option('--merge', 'merge what is generated now into files that were edited')
    .addOption(
      repeatable(
        '--accept-origin <origin>',
        'let credentials go to an origin that mcpgen.lock does not name',
      ).argParser(origin),
    )
    .addOption(
      new Option(
        '--rebuild-lock',
        'write a new mcpgen.lock without reading the old one; no file is removed',
      ).conflicts('check'),
    );
}

/** Tool names that an earlier run gave stay, unless. Of documents alone: functions are called what their code says. */
export function renameOption(): Option {
  return new Option('--rename', 'take the tool names the document suggests now, not those in mcpgen.lock');
}

export function addReportOptions(command: Command): Command {
  return command
    .optionsGroup('What is said:')
    .option('--json', 'one JSON document on stdout, also on failure')
    .option('--quiet', 'say nothing on stderr but errors')
    .option('--verbose', 'show every diagnostic in full');
}

export function addStrictOption(command: Command): Command {
  return command.optionsGroup('What is said:').option('--strict', 'count warnings as errors');
}

export function addWatchOption(command: Command, what: string): Command {
  return command.optionsGroup('What happens later:').option('--watch', what);
}

/** Adds the consent options of commands that read a configuration or run code of a repository. */
export function addPermissionOptions(command: Command): Command {
  return addCodeOption(command)
    .addOption(
      repeatable(
        '--allow-env <name>',
        'a variable that a URL of the configuration may send; A,B for two',
      ).argParser(variables),
    )
    .addOption(
      repeatable(
        '--allow-output <dir>',
        'let the configuration place the project in this folder, outside the repository',
      ).argParser((value: string, previous: string[] = []) => [...previous, filled(value)]),
    );
}

export function addCodeOption(command: Command): Command {
  return command
    .optionsGroup('What the repository may do:')
    .option('--no-code', 'refuse configurations in code, hooks and helpers, and functions to serve');
}

/** Of commands that take a configuration. */
export function addServerOption(command: Command): Command {
  return addPermissionOptions(command)
    .optionsGroup('What is meant:')
    .addOption(
      new Option('--server <name>', 'of a configuration of several servers this one').argParser(filled),
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
