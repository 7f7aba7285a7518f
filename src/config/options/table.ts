/**
 * The table of all options. Flags, members of configurations, their schema and types, checks, `mcpgen init` and the reference
 * are made from it: a new option is a row here, its use and its test. `npm run schema` and `npm run docs` update the committed files.
 */
import { isRecord } from '../../../templates/runtime/json-rpc.ts';
import { CLIENT_NAMES } from '../../model/client-profiles.ts';
import { DEFAULT_FEATURES, FEATURE_NAMES } from '../../model/features.ts';
import { publishTargets } from '../../model/published.ts';
import { toolRules } from './tool-rules.ts';
import { checkAuth } from './auth.ts';
import * as install from './install-options.ts';
import * as row from './option-row.ts';
import { CONFIG_FORMATS } from './project-config.ts';
import * as values from './values.ts';
import {
  type Check,
  flag,
  makeListCheck,
  makeChoiceCheck,
  text,
  makeTextCheck,
  addChoices,
  makeMapCheck,
  makePredicateCheck,
} from './shape.ts';
import { hooksCheck } from './user-code.ts';

const makeTextListCheck = (check: Check): Check => makeListCheck(check, 'must be a list of strings');
const makeTextListOption = (check: Check) => ({ type: 'string[]', check: makeTextListCheck(check) }) as const;
const textOption = (problem: (text: string) => string | undefined) =>
  ({ type: 'string', check: makeTextCheck(problem) }) as const;
const TEXT = { type: 'string', check: text } as const;
const WORKFLOWS = 'must be an object of workflows, or a list of files';
const workflow = makePredicateCheck(isRecord, 'must be an object');
const SWITCH = { type: 'boolean', check: flag } as const;
const CLIENTS = {
  type: 'ClientName[]',
  check: makeListCheck(makeChoiceCheck(...CLIENT_NAMES), 'must be a list of clients'),
} as const;
const BOTH_INSTALLS = ['install', 'uninstall'] as const;

const FORCE =
  'overwrite edited and foreign files, keeping each as .orig; of install and uninstall: change an entry that starts something else';
const KEEP = 'keep edited generated files, and stop generating them';
const REBUILD = 'rewrite mcpgen.lock without reading it; removes no files';
const RENAME = 'derive tool names again instead of taking them from mcpgen.lock';

export const OPTIONS = {
  source: {
    of: 'input',
    ...TEXT,
    paths: 'place',
    help: 'path or URL of the OpenAPI document, or `-` for standard input',
    docs: 'file or URL of the OpenAPI document',
  },
  typescript: {
    of: 'input',
    type: 'TypeScriptSource',
    check: values.checkTypescript,
    help: 'annotated functions, in place of a document',
    docs: 'instead of `source`: `{ "files": […], "tsconfig": … }`, files and globs of annotated functions',
  },
  sources: {
    of: 'input',
    type: 'ConfigSource[]',
    check: () => [],
    help: 'several sources of one server; options of one document are members of its source',
    docs: 'instead of `source`: [several sources in one server](#several-sources-in-one-server)',
  },
  prefix: {
    of: 'source',
    type: 'string',
    check: values.makePrefixCheck(undefined),
    help: 'start of the names of its tools, prompts and resources',
    docs: "start of the names of its tools, prompts and resources; a document's URIs have it in their scheme",
  },
  overlays: {
    of: 'document',
    ...makeTextListOption(makeTextCheck(values.findOverlaySourceProblem)),
    flag: '--overlay <file>',
    commands: row.DOCUMENTS,
    paths: 'place',
    help: 'OpenAPI Overlays (files or URLs), applied in order',
    docs: 'files or URLs of OpenAPI Overlays, applied in order: [Overlays](../overlays.md)',
  },
  output: {
    of: 'project',
    ...TEXT,
    flag: '-o, --output <dir>',
    commands: [...row.WRITING, 'generate', 'overlay init', 'skills init', 'templates eject'],
    help: 'project folder; of overlay init: the overlay, - for stdout; of skills init and templates eject: the folder for them',
    default: 'output in the configuration, else ./<server name>',
    docs: "project folder; default: the file's own folder in an emitted project, else `./<server name>` beside it",
  },
  link: {
    of: 'project',
    ...SWITCH,
    flag: '--link',
    commands: ['ts'],
    help: 'build functions from their own folder instead of copying them below src/app/',
    docs: 'build functions from their own folder instead of copying them: [Linked code](functions.md#linked-code)',
  },
  name: {
    of: 'server',
    ...TEXT,
    flag: '--name <name>',
    commands: [...row.BEGINNING, ...BOTH_INSTALLS],
    help: "package, command and server name; of install and uninstall: the entry's name",
    default: "from the first source: the API's title, or package.json",
  },
  serverVersion: {
    of: 'server',
    ...TEXT,
    flag: '--server-version <version>',
    commands: row.COMPILING,
    help: 'version of the server',
    default: "the document's, or the package's",
  },
  hostedUrl: {
    of: 'project',
    ...textOption(values.hostedUrlProblem),
    help: 'endpoint where the server is hosted, for directories: https://mcp.example.com/mcp',
    docs: 'endpoint of a hosted server, such as `https://mcp.example.com/mcp`, for `server.json` and [directories](../publishing.md#directories)',
  },
  baseUrl: {
    of: 'document',
    ...textOption(values.baseUrlProblem),
    flag: '--base-url <url>',
    commands: row.DOCUMENTS,
    help: "base URL of the API (http or https), instead of the document's servers",
  },
  include: {
    of: 'document',
    ...makeTextListOption(makeTextCheck(values.selectorProblem)),
    flag: '--include <selector>',
    commands: [...row.DOCUMENTS, 'init'],
    help: 'only these operations: tag:pets, path:/pets/**, op:list*, method:GET',
    docs: '[selectors](selection.md#which-operations-are-served) of the operations to serve; default: everything',
  },
  exclude: {
    of: 'document',
    ...makeTextListOption(makeTextCheck(values.selectorProblem)),
    flag: '--exclude <selector>',
    commands: [...row.DOCUMENTS, 'init'],
    help: 'without these operations; overrides include',
    docs: 'selectors; they win over `include`',
  },
  headers: {
    of: 'document',
    type: 'Record<string, string>',
    check: values.checkHeaders,
    help: 'headers of every request; ${NAME} is read from the environment when the server runs',
    docs: '[headers](upstream.md#headers-of-every-request) of every request to the API; secrets only as `${NAME}`, which the server reads when it runs',
  },
  maxNameLength: {
    of: 'server',
    type: 'number',
    check: values.nameLength,
    flag: '--max-name-length <n>',
    commands: row.COMPILING,
    help: 'maximum length of new tool names, 16 to 128',
    default: "64, and 57 together with the server's name",
  },
  toolNames: {
    of: 'server',
    type: "'models' | 'spec'",
    check: makeChoiceCheck('models', 'spec'),
    help: 'characters of tool names: A-Z a-z 0-9 _ - (models), or those and . / (spec)',
    default: 'models',
    docs: '`models` or `spec`: the characters of [names](selection.md#names)',
  },
  outputSchema: {
    of: 'server',
    type: 'OutputSchemaMode',
    check: makeChoiceCheck('loose', 'strict', 'off'),
    flag: '--output-schema <mode>',
    commands: row.COMPILING,
    help: 'output schemas: loose, strict or off',
    default: 'loose; for functions strict',
    docs: '`loose`, `strict` or `off`: [Output schemas](derived.md#output-schemas)',
  },
  readOnly: {
    of: 'server',
    type: 'boolean',
    check: flag,
    flag: '--read-only',
    commands: row.COMPILING,
    help: 'only tools that read, by their readOnlyHint',
    docs: 'only tools that say `readOnlyHint` are served: [Reading only](selection.md#reading-only)',
  },
  confirm: {
    of: 'server',
    type: "'destructive'",
    check: makeChoiceCheck('destructive'),
    flag: '--confirm <what>',
    commands: row.COMPILING,
    help: 'destructive: the user is asked before a tool runs that may delete or overwrite data',
    docs: '`destructive`: the user is asked before a tool runs that may delete or overwrite data: [Confirmation](selection.md#confirmation)',
  },
  surface: {
    of: 'server',
    type: "'tools' | 'search' | 'both' | 'auto'",
    check: makeChoiceCheck('tools', 'search', 'both', 'auto'),
    flag: '--surface <which>',
    commands: row.BEGINNING,
    help: 'tools that are listed: all (tools), five that search, describe and call the others (search), both, or auto',
    default: 'tools',
    docs: '`tools`, `search`, `both` or `auto`: [Large APIs](../large-apis.md#surfaces)',
  },
  skills: {
    of: 'server',
    type: 'string',
    check: text,
    paths: 'place',
    help: 'folder of skills that the server has, or - for none',
    default: 'the folder skills beside the source',
    docs: 'folder of [skills](../extensions.md#skills) that the server has, or `-` for none',
  },
  workflows: {
    of: 'server',
    type: 'string[] | WorkflowsByName',
    check: (value, path) =>
      (isRecord(value) ? makeMapCheck(workflow, WORKFLOWS) : makeListCheck(text, WORKFLOWS))(value, path),
    paths: 'path',
    help: 'workflows by their names, each a tool; or files of them, in JSON or YAML, or of Arazzo 1.0',
    docs: '[workflows](../steps.md#workflows) by their names, or files of them; each is a tool',
  },
  tools: {
    of: 'server',
    type: 'Record<string, ToolRules>',
    check: toolRules,
    help: "how single tools are served, by a tool's name, an operation (DELETE /pets/{petId}) or a selector (tag:admin)",
    docs: 'how single tools are served, by name, operation (`DELETE /pets/{petId}`) or selector (`tag:admin`): [Change one tool](../change-a-tool.md)',
  },
  pin: {
    of: 'document',
    type: 'string[]',
    check: makeListCheck(makeTextCheck(values.selectorProblem), 'must be a list of strings'),
    flag: '--pin <selector>',
    commands: row.DOCUMENTS,
    help: 'operations that are listed beside the tools that search',
    docs: 'selectors of operations that are [listed](../large-apis.md#pinned-tools) with `surface: search`',
  },
  publish: {
    of: 'project',
    type: 'PublishTarget[]',
    check: makeTextListCheck(addChoices(makeTextCheck(values.targetProblem), publishTargets)),
    flag: '--publish <target>',
    commands: row.WRITING,
    help: `add the files for these targets: ${publishTargets.join(', ')}`,
    docs: `targets whose files the project has: ${publishTargets.map((target) => `\`${target}\``).join(', ')}: [Publishing](../publishing.md#targets)`,
  },
  features: {
    of: 'project',
    ...makeTextListOption(addChoices(makeTextCheck(values.featureProblem), FEATURE_NAMES)),
    flag: '--feature <name>',
    commands: [...row.WRITING, 'generate', 'init'],
    isSplit: true,
    help: `features beside those that the sources need; the flag adds to those of the configuration: ${FEATURE_NAMES.join(', ')}`,
    default: DEFAULT_FEATURES.join(', '),
    docs: '[features](features.md) of the server; the flag adds some',
  },
  templates: {
    of: 'project',
    ...TEXT,
    flag: '--templates <dir>',
    commands: [...row.WRITING, 'templates list'],
    paths: 'path',
    help: 'folder of templates that replace the built-in ones',
    docs: 'folder of [templates](../templates.md)',
  },
  strict: {
    of: 'server',
    ...SWITCH,
    flag: '--strict',
    commands: row.COMPILING,
    heading: 'Messages:',
    help: 'treat warnings as errors',
    docs: 'warnings count as errors',
  },
  allowRemoteRefs: {
    of: 'document',
    ...makeTextListOption(makeTextCheck(values.hostProblem)),
    flag: '--allow-remote-refs <host...>',
    commands: row.DOCUMENTS,
    isSplit: true,
    heading: 'Input:',
    help: 'hosts that remote $refs may be loaded from',
    default: 'none',
    docs: 'hosts whose documents a `$ref` may load; default none. A host with a non-public address also needs that address in the list',
  },
  refRoot: {
    of: 'document',
    ...TEXT,
    flag: '--ref-root <dir>',
    commands: row.DOCUMENTS,
    paths: 'path',
    heading: 'Input:',
    help: 'folder that contains all files reached by $ref',
    docs: 'folder that file `$ref`s must stay inside',
  },
  tsconfig: {
    of: 'source',
    ...TEXT,
    flag: '--tsconfig <file>',
    commands: ['ts', 'serve', 'preview'],
    paths: 'path',
    heading: 'Input:',
    help: 'compiler options for functions',
    default: 'the nearest tsconfig.json',
    docs: 'the same for all, since they compile as one program',
  },
  hooks: {
    of: 'server',
    type: 'Hooks | string',
    check: hooksCheck,
    paths: 'module',
    help: 'the hook onModel, which changes the server: the path of a module, or a function',
    docs: '`onModel`, which changes the server: a module, or a function in code: [Hooks](../templates.md#hooks)',
  },
  routeMap: {
    of: 'document',
    type: 'string | RouteRule[]',
    flagType: 'string',
    check: (value, path) => (typeof value === 'string' ? text : values.routeRules)(value, path),
    flag: '--route-map <file>',
    commands: row.DOCUMENTS,
    paths: 'path',
    help: 'rules that map operations to tools and resources, or a JSON or YAML file of them',
    docs: 'a file, or the [rules](selection.md#route-maps) themselves',
  },
  auth: {
    of: 'server',
    type: 'AuthChoice',
    flagType: "'oauth' | 'none'",
    check: checkAuth,
    argument: makeChoiceCheck('oauth', 'none'),
    flag: '--auth <mode>',
    commands: [...row.WRITING, 'init'],
    help: 'oauth: HTTP callers need a token',
    default: 'none',
    docs: '`oauth`: callers over HTTP need a token; `none` (default); or an object of rules: [OAuth](../oauth.md)',
  },
  budget: {
    of: 'server',
    type: 'Budget',
    check: values.checkBudget,
    help: 'the most that the server may list: tools, listTokens and toolTokens; characters that descriptions are cut to: description and argument',
    default: 'no limit; descriptions of tools 1000, of arguments 300',
    docs: '`{ tools, listTokens, toolTokens }`: [limits](../lint.md#budgets) of the list. `description` (1000) and `argument` (300): characters that descriptions are cut to',
  },
  for: {
    of: 'server',
    ...CLIENTS,
    flag: '--for <client>',
    commands: row.COMPILING,
    isSplit: true,
    help: `shorten names for these clients, and report what else they refuse: ${CLIENT_NAMES.join(', ')}`,
    default: 'none',
    docs: 'clients that names are shortened for; what else they refuse is a warning: [Clients](../lint.md#clients)',
  },
  dryRun: row.makeRunSwitch('--dry-run', [...row.EDITING, 'install'], 'list the changes, write nothing'),
  check: row.makeRunSwitch('--check', row.WRITING, 'exit 1 if the folder is not up to date; write nothing'),
  force: {
    ...row.makeRunSwitch(
      '--force',
      [...row.EDITING, 'overlay init', 'skills init', 'templates eject', 'install', 'uninstall'],
      FORCE,
    ),
    conflicts: ['keep'],
  },
  keep: row.makeRunSwitch('--keep', row.EDITING, KEEP),
  acceptOrigins: {
    of: 'run',
    type: 'string[]',
    check: makeListCheck(makeTextCheck(values.originProblem), 'must be a list of origins'),
    flag: '--accept-origin <origin>',
    commands: row.EDITING,
    help: 'allow credentials for an origin that mcpgen.lock does not name',
  },
  rebuildLock: { ...row.makeRunSwitch('--rebuild-lock', row.EDITING, REBUILD), conflicts: ['check'] },
  maxTokens: {
    of: 'run',
    type: 'number',
    check: values.wholeNumber,
    flag: '--max-tokens <n>',
    commands: [...row.WRITING, 'generate', 'check', 'lint'],
    help: 'exit 1 if listing all tools takes more tokens; wins over budget.listTokens',
  },
  rename: row.makeRunSwitch('--rename', ['openapi', 'ts', 'generate'], RENAME),
  noCode: {
    of: 'consent',
    type: 'boolean',
    check: flag,
    flag: '--no-code',
    commands: [...row.WRITING, ...row.CONFIGURED],
    variable: 'MCPGEN_NO_CODE',
    help: 'run no code of the repository (configuration, hooks, functions)',
  },
  allowEnv: {
    of: 'consent',
    type: 'string[]',
    check: makeListCheck(text, 'must be a list of strings'),
    argument: makeListCheck(makeTextCheck(values.findVariableNameProblem), 'must be a list of strings'),
    flag: '--allow-env <name>',
    commands: row.CONFIGURED,
    isSplit: true,
    variable: 'MCPGEN_ALLOW_ENV',
    help: 'variable that URLs of the configuration, or arguments of a served document, may send; A,B for two',
  },
  allowOutput: {
    of: 'consent',
    type: 'string[]',
    check: makeListCheck(text, 'must be a list of strings'),
    flag: '--allow-output <dir>',
    commands: row.CONFIGURED,
    help: 'let the configuration write to this folder outside the repository',
  },
  server: {
    of: 'consent',
    ...TEXT,
    flag: '--server <name>',
    commands: row.CONFIGURED,
    heading: 'Selection:',
    help: 'use this server of a configuration with several',
  },
  watch: {
    ...row.makeCommandOption('Watching:', '--watch', ['ts', 'generate', 'serve'], SWITCH),
    help: 'compile again when a source, the configuration or a handler changes',
  },
  format: {
    ...row.makeCommandOption('Output:', '--format <format>', ['init'], {
      type: 'ConfigFormat',
      check: makeChoiceCheck(...CONFIG_FORMATS),
    }),
    help: `json in the project's folder, or ts or js in this one`,
    default: 'json',
  },
  failOn: {
    ...row.makeCommandOption('Comparison:', '--fail-on <what>', ['diff'], {
      type: "'breaking' | 'any'",
      check: makeChoiceCheck('breaking', 'any'),
    }),
    help: 'exit 1 if there are such changes: breaking or any',
  },
  client: {
    ...row.makeCommandOption('Checks:', '--client <name>', ['lint'], CLIENTS),
    isSplit: true,
    help: `check the rules of these clients: ${CLIENT_NAMES.join(', ')}`,
  },
  fix: {
    ...row.makeCommandOption('Output:', '--fix', ['lint'], SWITCH),
    help: 'write mcpgen.overlay.yaml with what can be fixed by words of the source alone',
  },
  installClient: {
    ...row.makeCommandOption('Client:', '--client <name>', BOTH_INSTALLS, {
      type: 'InstallClientName[]',
      check: makeListCheck(makeChoiceCheck(...install.INSTALL_CLIENT_NAMES), 'must be a list of clients'),
    }),
    isSplit: true,
    help: `clients: ${install.INSTALL_CLIENT_NAMES.join(', ')}`,
  },
  scope: {
    ...row.makeCommandOption('Client:', '--scope <scope>', BOTH_INSTALLS, {
      type: 'InstallScope',
      check: makeChoiceCheck(...install.SCOPES),
    }),
    help: 'user: the configuration of your account; project: a file of the working folder, to be committed',
    default: 'user',
  },
  entryVariables: {
    ...row.makeCommandOption('Client:', '--env <name>', ['install'], {
      type: 'string[]',
      check: makeListCheck(makeTextCheck(install.findVariableProblem), 'must be a list of names'),
    }),
    isSplit: true,
    help: "variable that the server gets, by the client's own variables",
  },
  url: {
    ...row.makeCommandOption('Client:', '--url <url>', BOTH_INSTALLS, {
      type: 'string',
      check: makeTextCheck(install.findUrlProblem),
    }),
    conflicts: ['entryVariables'],
    help: 'a running server over HTTP, instead of a program that the client starts; of uninstall: the URL of the entry',
  },
  json: row.makeReportSwitch('--json', row.PRINTING, 'print one JSON document on stdout, also on failure'),
  quiet: row.makeReportSwitch('--quiet', row.REPORTING, 'print only errors on stderr'),
  verbose: row.makeReportSwitch('--verbose', row.REPORTING, 'show every diagnostic in full'),
} as const satisfies Record<string, row.OptionRow>;
