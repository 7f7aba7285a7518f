/** The table of commands: what they take and what their help says. The code of a command loads when it runs. */
import type { CommandName } from '../config/options/option-row.ts';
import type { Flags } from '../config/options/option-types.ts';
import { CHECKED_PLACES, type CheckedPlace, publishTargets } from '../model/published.ts';
import type { Host } from './host.ts';
import type { Outcome } from './outcome.ts';

export interface CommandRow {
  summary: string;
  description: string;
  arguments: readonly Argument[];
  /** Lines of examples, without `mcpgen`. */
  examples: readonly string[];
  run: (words: string[], flags: Flags, host: Host) => Promise<Outcome>;
}

interface Argument {
  /** In commander's notation: `<source>`, `[dir]`, `[more...]`. */
  name: string;
  about: string;
  default?: string;
  choices?: readonly string[];
}

const DIR: Argument = { name: '[dir]', about: 'folder of the project', default: '.' };

const SOURCE: Argument = {
  name: '<source>',
  about:
    'file, http(s) URL, - for standard input, folder of a project, or file or glob of annotated functions',
};

/** Commands of commands, by their first words. */
export const GROUPS: Readonly<Record<string, Pick<CommandRow, 'summary' | 'description'>>> = {
  publish: {
    summary: 'add files for publishing a project, check what a registry wants',
    description:
      'Adds files for npm, Docker, the MCP registry, MCP bundles, Kubernetes and GitHub to a project, and checks what they want.',
  },
  overlay: {
    summary: 'write an OpenAPI Overlay with all tool names and descriptions',
    description:
      'OpenAPI Overlays hold changes to a document in a separate file. mcpgen openapi applies them with --overlay.',
  },
  skills: {
    summary: 'write a first skill for each tag of a document',
    description: 'A folder skills beside a source is served: clients read a skill when a task needs it.',
  },
  templates: {
    summary: "list the templates of a project's files, or copy them",
    description:
      "Handlebars templates produce a project's files, except its runtime. To replace some, pass your folder with --templates, or set templates in the configuration.",
  },
};

export const COMMANDS: Readonly<Record<CommandName, CommandRow>> = {
  openapi: {
    summary: 'compile an OpenAPI document to a server project',
    description: 'Compiles an OpenAPI document (2.0, 3.0, 3.1, 3.2; JSON or YAML) to a server project.',
    arguments: [{ name: '<source>', about: 'file, http(s) URL, or - for standard input' }],
    examples: [
      'openapi petstore.yaml',
      'openapi https://api.example.com/openapi.json -o example-mcp',
      'openapi petstore.yaml --include tag:pets --exclude method:DELETE',
      'openapi - --name example-mcp < openapi.json',
    ],
    run: async ([source = ''], flags, host) =>
      (await import('./run-generation.ts')).runOpenapi(source, flags, host),
  },
  ts: {
    summary: 'compile annotated functions to a server project',
    description:
      'Compiles exported functions with the JSDoc tags @tool, @resource, @prompt and @complete to a server project. The project contains a copy of their imports, or with --link, builds them in place.',
    arguments: [{ name: '<files...>', about: 'TypeScript or JavaScript files and globs' }],
    examples: ['ts src/tools.ts', 'ts "src/**/*.ts" -o my-server --name my-server'],
    run: async (files, flags, host) => (await import('./run-generation.ts')).runTs(files, flags, host),
  },
  generate: {
    summary: 'compile a project from its mcpgen.config.*',
    description:
      'Compiles a project from its configuration: the one that mcpgen.lock names, or mcpgen.config.json, .ts, .js or .mjs in the folder. Flags that change the project are written into it.',
    arguments: [{ ...DIR, about: 'folder of the project or the configuration' }],
    examples: [
      'generate',
      'generate petstore-mcp --dry-run',
      'generate petstore-mcp --watch',
      'generate -o build/petstore-mcp',
      'generate --server orders',
    ],
    run: async ([dir = ''], flags, host) =>
      (await import('./run-generation.ts')).runRegeneration(dir, flags, {}, host),
  },
  check: {
    summary: 'exit 1 if a project is stale or edited',
    description:
      'Compiles a project in memory and lists the files that differ, except src/handlers/ and dist/. Writes nothing.',
    arguments: [DIR],
    examples: ['check petstore-mcp', 'check petstore-mcp --json'],
    run: async ([dir = ''], flags, host) =>
      (await import('./run-generation.ts')).runRegeneration(dir, { ...flags, check: true }, {}, host),
  },
  diff: {
    summary: 'compare what clients see in two versions',
    description:
      'Compares the tools, resources and prompts of two documents, projects or models, and reports changes that break clients. For a folder, it reads the generated project; for a mcpgen.config.* file, it compiles. Writes nothing.',
    arguments: [
      {
        name: '<old>',
        about: 'document, file or glob of annotated functions, folder of a project, or model',
      },
      { name: '[new]', about: 'as <old>; if absent, what the project <old> would become now' },
    ],
    examples: [
      'diff old.yaml new.yaml',
      'diff petstore-mcp                  shows what mcpgen generate would change',
      'diff petstore-mcp new.yaml --fail-on breaking',
      'diff - api.yaml < old.yaml',
    ],
    run: async ([old = '', now], flags, host) =>
      (await import('./commands/diff.ts')).runDiff(old, now, flags, host),
  },
  inspect: {
    summary: 'show the tools, resources, prompts and their tokens',
    description:
      'Shows the tools, resources and prompts of the server, and the tokens that listing them takes. --json prints the ServerModel (schema/server-model.json), or after an error { ok, exitCode, diagnostics, result }.',
    arguments: [SOURCE],
    examples: [
      'inspect petstore.yaml',
      'inspect petstore-mcp',
      'inspect "src/**/*.ts"',
      'inspect petstore.yaml --json > server-model.json',
    ],
    run: async ([source = ''], flags, host) =>
      (await import('./commands/inspect.ts')).inspectSource(source, flags, host),
  },
  lint: {
    summary: 'judge what the source tells a model: words, arguments, siblings, clients',
    description:
      'Judges the names, descriptions and schemas that a model reads, and scores each tool and the server. Writes nothing without --fix.',
    arguments: [SOURCE],
    examples: [
      'lint petstore.yaml',
      'lint petstore-mcp --client claude,cursor --strict',
      'lint petstore.yaml --fix           writes mcpgen.overlay.yaml',
    ],
    run: async ([source = ''], flags, host) =>
      (await import('./commands/lint.ts')).lintSource(source, flags, host),
  },
  serve: {
    summary: 'run a server from a source or a project',
    description:
      'Compiles a document, annotated functions or a configuration in memory and runs the server. For the folder of a project, runs its last build in dist/. stdout carries only the protocol.',
    arguments: [
      {
        name: '<source>',
        about: SOURCE.about.replace('project,', 'project, its mcpgen.config.*,'),
      },
      { name: '[more...]', about: 'more files of functions, and server options' },
    ],
    examples: [
      'serve petstore.yaml',
      'serve petstore.yaml --transport http --port 8080',
      'serve petstore-mcp',
      'serve src/tools.ts --watch',
      'serve https://api.example.com/openapi.json --include tag:pets',
    ],
    run: async ([source = '', ...rest], flags, host) =>
      (await import('./commands/serve.ts')).runServe(source, rest, flags, host),
  },
  preview: {
    summary: 'show and change the tools on a page',
    description:
      'Prints the address of a page on this machine that shows the tools, their words, tokens and findings, tries calls, and writes changes to the mcpgen.config.json of a project. Ctrl-C ends it.',
    arguments: [
      {
        name: '[source]',
        about:
          'file, http(s) URL, folder of a project, its mcpgen.config.*, or file or glob of annotated functions',
        default: '.',
      },
      { name: '[more...]', about: 'more files of functions' },
    ],
    examples: ['preview petstore.yaml', 'preview petstore-mcp', 'preview src/tools.ts'],
    run: async ([source = '', ...more], flags, host) =>
      (await import('./commands/preview.ts')).runPreview([source, ...more], flags, host),
  },
  init: {
    summary: 'write the configuration of a project',
    description:
      'Writes mcpgen.config.json into the folder of a new project; with --format ts or js a configuration in code to the working folder. Then run mcpgen generate.',
    arguments: [
      {
        name: '[source...]',
        about:
          'documents, and files or globs of functions (default: openapi.yaml or a similar file, if present)',
      },
    ],
    examples: [
      'init',
      'init petstore.yaml "src/**/*.ts"',
      'init petstore.yaml --include tag:pets --feature websocket',
      'init pets.yaml orders.yaml --format ts',
    ],
    run: async (sources, flags, host) => (await import('./commands/init.ts')).runInit(sources, flags, host),
  },
  install: {
    summary: "add a project's server to clients",
    description:
      'Adds the server of a project to the configuration of Claude Code, Claude Desktop, VS Code, Cursor, Codex, Gemini CLI, Windsurf or Zed. Nothing else in the file changes, and a backup is kept beside it.',
    arguments: [DIR, { name: '[options...]', about: "the server's own options, after --" }],
    examples: [
      'install petstore-mcp --client claude-code',
      'install petstore-mcp --client cursor,vscode --scope project --env API_KEY_SHOPKEY',
      'install petstore-mcp --client codex --dry-run -- --read-only',
    ],
    run: async (words, flags, host) => {
      const { installServer } = await import('./commands/install.ts');
      // Without a folder, `--` is followed by the first option.
      const [dir = '', ...options] = words[0]?.startsWith('-') === true ? ['.', ...words] : words;
      return installServer(dir, options, flags, host);
    },
  },
  uninstall: {
    summary: "remove a project's server from clients",
    description: 'Removes what `mcpgen install` added.',
    arguments: [{ ...DIR, about: 'folder of the project; not needed with --name' }],
    examples: [
      'uninstall petstore-mcp --client claude-code',
      'uninstall --name petstore-mcp --client cursor,vscode --scope project',
    ],
    run: async ([dir = ''], flags, host) =>
      (await import('./commands/install.ts')).uninstallServer(dir, flags, host),
  },
  doctor: {
    summary: 'find out why a server does not work',
    description:
      'Checks Node.js, the project, its lock and build, the API and its credentials (by one tool that only reads), and the clients that start the server. Each problem has a next step, and exit code 1 says that there is one. Writes nothing.',
    arguments: [DIR],
    examples: ['doctor petstore-mcp', 'doctor petstore-mcp --json'],
    run: async ([dir = ''], flags, host) =>
      (await import('./commands/doctor.ts')).runDoctor(dir, flags, host),
  },
  'publish init': {
    summary: 'add targets and their files',
    description:
      'Adds the targets to `publish` in the configuration of the project, and generates the project again.',
    arguments: [
      { name: '<target>', about: 'where the project is published', choices: publishTargets },
      { name: '[more...]', about: 'more targets, and the folder of the project', default: '.' },
    ],
    examples: ['publish init docker', 'publish init npm registry petstore-mcp'],
    run: async (words, flags, host) =>
      (await import('./commands/publish.ts')).addPublishTargets(words, flags, host),
  },
  'publish check': {
    summary: 'say what a registry misses',
    description:
      'Checks a project against the rules of a registry, with their source and date, and exits 1 if something is missing. Writes nothing.',
    arguments: [{ name: '<place>', about: 'where the server is published', choices: CHECKED_PLACES }, DIR],
    examples: ['publish check docker petstore-mcp'],
    run: async ([place, dir = ''], flags, host) =>
      (await import('./commands/publish.ts')).checkPublishing(place as CheckedPlace, dir, flags, host),
  },
  'overlay init': {
    summary: 'write a first overlay',
    description:
      'Writes an overlay with the name, title, description and hints of each tool of a document, ready to edit. Unedited, it changes nothing.',
    arguments: [
      {
        name: '<source>',
        about:
          'OpenAPI document: file, http(s) URL, or - for standard input; or a project folder, which supplies the tool names',
      },
    ],
    examples: [
      'overlay init petstore.yaml',
      'overlay init petstore.yaml -o names.overlay.yaml',
      'openapi petstore.yaml --overlay petstore.overlay.yaml',
    ],
    run: async ([source = ''], flags, host) =>
      (await import('./commands/overlay.ts')).runOverlayInit(source, flags, host),
  },
  'skills init': {
    summary: 'write first skills',
    description:
      'Writes a skill for each tag of a document: what its tools are for, and in which order they are called. Improve them: they say only what the document says.',
    arguments: [
      {
        name: '<source>',
        about: 'OpenAPI document, TypeScript file, or project folder, which supplies the tool names',
      },
    ],
    examples: ['skills init petstore.yaml', 'skills init petstore.yaml -o ./skills'],
    run: async ([source = ''], flags, host) =>
      (await import('./commands/skills.ts')).runSkillsInit(source, flags, host),
  },
  'templates list': {
    summary: 'list the templates',
    description: 'Lists the templates, and the files that replace them in your folder.',
    arguments: [],
    examples: ['templates list', 'templates list --templates templates'],
    run: async (_, flags, host) => (await import('./commands/templates.ts')).listTemplates(flags, host),
  },
  'templates eject': {
    summary: 'copy built-in templates into a folder',
    description: 'Copies built-in templates into a folder, where you can change them.',
    arguments: [{ name: '[name...]', about: 'names of templates (mcpgen templates list)' }],
    examples: ['templates eject README.md Dockerfile', 'openapi petstore.yaml --templates templates'],
    run: async (names, flags, host) =>
      (await import('./commands/templates.ts')).ejectTemplates(names, flags, host),
  },
  explain: {
    summary: 'explain a diagnostic and its fix',
    description: 'Explains a diagnostic: its cause, its effect and its fix.',
    arguments: [{ name: '[code]', about: 'code (MCPG101) or name (source-not-found); if absent, lists all' }],
    examples: ['explain MCPG101', 'explain source-not-found', 'explain              list every diagnostic'],
    run: async ([query], _, host) => (await import('./commands/explain.ts')).runExplain(query, host),
  },
};
