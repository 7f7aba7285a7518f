/** MCPG6xx: the configuration. An error among these ends with exit code 2. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';

export const configurationDiagnostics = {
  'missing-config': defineDiagnostic<{
    file: string;
    forms: string;
    above: string;
    below: string;
  }>({
    code: 'MCPG603',
    severity: 'error',
    message: ({ file, forms }) =>
      `${file} does not exist${forms === '' ? '' : ` (nor with the endings ${forms})`}, so mcpgen cannot tell what to compile.`,
    hint: ({ file, above, below }) => suggestProject(folderOfFile(file), above, below),
    docs: {
      cause:
        'Commands that work on a project read sources and options from the configuration that `mcpgen.lock` names, or from `mcpgen.config.json` (or `.ts`, `.js`, `.mjs`) in the folder. The folder has neither. They do not search the folders above.',
      fix: 'Name the folder that `mcpgen openapi` wrote, or a configuration file. To create one, run `mcpgen init` or `mcpgen openapi <source> -o <dir>`.',
      example: 'mcpgen generate some-other-folder',
    },
  }),
  'invalid-config': defineDiagnostic<{ file: string; problem: string; missing?: string }>({
    code: 'MCPG604',
    severity: 'error',
    message: ({ file, problem }) => `${file} cannot be used: ${problem}.`,
    hint: ({ file, missing }) =>
      missing !== undefined
        ? `Correct the path of ${missing} in ${file}. If a clone of the repository lacks the file, it is outside the repository: move it into the project and commit it.`
        : 'Correct the file.',
    docs: {
      cause:
        'The configuration is unreadable, is not JSON (or a module that runs), has an unknown or invalid member, or names a file or folder that does not exist. mcpgen refuses unknown members, since a misspelt option would silently change the server.',
      fix: 'Correct the member in the message. `source`, `typescript` or `sources` names what to compile; other members match the command line options. docs/reference/configuration.md lists all.',
      example: '{ "source": "../petstore.yaml", "maxNameLenght": 40 }',
    },
  }),
  'several-configs': defineDiagnostic<{ dir: string; files: string }>({
    code: 'MCPG611',
    severity: 'error',
    message: ({ dir, files }) => `${dir} has several configurations, ${files}, but only one can apply.`,
    hint: 'Delete all but one.',
    docs: {
      cause: 'A project has one configuration. With two, changes in the ignored one would have no effect.',
      fix: 'Delete all but one. If `mcpgen.config.ts` replaces an emitted `mcpgen.config.json`, delete the JSON file.',
      example: 'mcpgen.config.json\nmcpgen.config.ts',
    },
  }),
  'config-exists': defineDiagnostic<{ file: string }>({
    code: 'MCPG614',
    severity: 'error',
    message: ({ file }) => `The configuration ${file} already exists.`,
    hint: 'Edit it. For a new one, delete it and run `mcpgen init` again.',
    docs: {
      cause: 'A folder has one configuration, and `mcpgen init` never overwrites it.',
      fix: 'Edit the file, or remove it first.',
      example: 'mcpgen init petstore.yaml\nmcpgen init petstore.yaml',
    },
  }),
  'config-not-edited': defineDiagnostic<{ file: string; added: string; changed: string; command: string }>({
    code: 'MCPG628',
    severity: 'error',
    message: ({ file, added, changed }) => {
      const changes = [added && `Add to it: ${added}`, changed && `Change in it: ${changed}`];
      return [`mcpgen does not edit ${file}`, ...changes.filter((change) => change !== '')].join('. ');
    },
    hint: ({ command }) => `Then run \`${command}\`, which writes the files.`,
    docs: {
      cause:
        'The command changes a setting of the project, and the configuration that owns the project is code, or a link. mcpgen edits only `mcpgen.config.json` and `mcpgen.surface.json`.',
      fix: 'Write the members of the message into the configuration, and run the command in the hint.',
      example: "export default defineConfig({ source: 'petstore.yaml' });",
    },
  }),
  'settings-written': defineDiagnostic<{ file: string; setting: string }>({
    code: 'MCPG634',
    severity: 'info',
    message: ({ file, setting }) => `${file} gets ${quoteAsCodeSpan(setting)}, so later runs keep it.`,
    docs: {
      cause:
        'A command was given a setting that the configuration of the project says otherwise. mcpgen writes it there; everything else in the file stays.',
      fix: 'Nothing. To undo it, change the file and run `mcpgen generate`.',
      example: 'mcpgen generate petstore-mcp --feature ask',
    },
  }),
  'configured-twice': defineDiagnostic<{ dir: string; there: string; here: string }>({
    code: 'MCPG629',
    severity: 'error',
    message: ({ dir, there, here }) =>
      `${dir} belongs to the configuration ${there}, and this run would make it from ${here}. Nothing was written.`,
    hint: ({ there, here }) =>
      `Keep one: delete ${there} if ${here} has all of its settings, or name another folder with \`output\` or \`-o\`.`,
    docs: {
      cause:
        "A project has one configuration, which its `mcpgen.lock` names. A run from another one would drop the first one's settings, and the files made by them.",
      fix: 'Move the settings into one configuration, and delete the other.',
      example: 'mcpgen openapi petstore.yaml -o petstore-mcp\nmcpgen generate # output: petstore-mcp',
    },
  }),
  'sources-contradict': defineDiagnostic<{ file: string; dir: string; there: string; here: string }>({
    code: 'MCPG633',
    severity: 'error',
    message: ({ file, dir, there, here }) =>
      `${file} compiles ${there} to ${dir}, and this run names ${here}. Nothing was written.`,
    hint: ({ file, dir }) =>
      `Change \`sources\` in ${file}, and run \`mcpgen generate ${dir}\`; or name another folder with -o.`,
    docs: {
      cause:
        'The project is compiled from several sources, or from a source of another kind. A command line with one source cannot say which of them it replaces.',
      fix: 'Edit the sources in the configuration, which `mcpgen generate` compiles.',
      example: 'mcpgen ts src/tools.ts -o petstore-mcp # made by `mcpgen openapi`',
    },
  }),
  'nothing-to-configure': defineDiagnostic({
    code: 'MCPG615',
    severity: 'error',
    message: () => 'No source was named, and the working folder has no openapi.yaml or similar file.',
    hint: 'Name documents or files of annotated functions: `mcpgen init petstore.yaml`.',
    docs: {
      cause:
        '`mcpgen init` writes the sources of a server to a configuration. Without arguments it uses a document with a usual name, such as openapi.yaml.',
      fix: 'Name the sources: documents, URLs, or files and globs of functions.',
      example: 'mcpgen init',
    },
  }),
  'unset-variable': defineDiagnostic<{ name: string }>({
    code: 'MCPG616',
    severity: 'error',
    message: ({ name }) => `The configuration uses the environment variable ${name} here, but it is not set.`,
    hint: ({ name }) =>
      `Set it, or give a default: \`\${${name}:-default}\`. For the literal characters, write \`$\${${name}}\`.`,
    docs: {
      cause:
        'A string in the configuration contains `${NAME}`, but NAME is not set. An empty value could compile a different server.',
      fix: 'Set the variable where mcpgen runs, or give it a default: `${NAME:-default}`. `$${` is the characters `${`.',
      example: '{ "source": "${API_DIR}/petstore.yaml" }',
    },
  }),
  'unknown-server': defineDiagnostic<{ file: string; server: string; known: string; near: string }>({
    code: 'MCPG617',
    severity: 'error',
    message: ({ file, server, known }) =>
      known === ''
        ? `${file} configures a single server, so it has no server "${server}".`
        : `${file} has no server "${server}". It has ${known}.`,
    hint: ({ known, near }) =>
      known === ''
        ? 'Omit `--server`.'
        : near === ''
          ? 'Use one of these names, or omit `--server` for all.'
          : `Did you mean ${near}?`,
    docs: {
      cause: 'No server in the member `servers` of the configuration has the name that `--server` gives.',
      fix: 'Use a name from the message.',
      example: 'mcpgen generate --server petstor',
    },
  }),
  'server-not-named': defineDiagnostic<{ file: string; taker: string; known: string; first: string }>({
    code: 'MCPG618',
    severity: 'error',
    message: ({ file, taker, known }) => `${file} has several servers (${known}), but ${taker} needs one.`,
    hint: ({ first }) => `Choose it with \`--server ${first}\`.`,
    docs: {
      cause:
        'The configuration has the member `servers`, and this command handles one server: running it, comparing it with another source, or writing it to the folder of `-o`.',
      fix: 'Choose the server with `--server`. `mcpgen generate`, `check` and `inspect` handle all servers by default.',
      example: 'mcpgen serve mcpgen.config.ts',
    },
  }),
  'servers-share-folder': defineDiagnostic<{ server: string; other: string; folder: string; how: string }>({
    code: 'MCPG619',
    severity: 'error',
    message: ({ server, other, folder, how }) =>
      `The folder of the server ${server} (${folder}) ${how} that of the server ${other}, so each run would overwrite the other project.`,
    hint: 'Give each server its own `output`.',
    docs: {
      cause:
        'Two servers of one configuration use the same folder, or one folder contains the other. mcpgen manages each folder as a whole.',
      fix: 'Give each server its own folder. By default, it has the name of the server.',
      example:
        '{ "servers": { "a": { "source": "a.yaml", "output": "out" }, "b": { "source": "b.yaml", "output": "out" } } }',
    },
  }),
  'user-code-unusable': defineDiagnostic<{ member: string; file: string; problem: string }>({
    code: 'MCPG620',
    severity: 'error',
    message: ({ member, file, problem }) => `${file}, which "${member}" names, cannot be used: ${problem}.`,
    hint: ({ member }) =>
      member === 'hooks'
        ? 'Export `onModel`, `onFiles` or both from a hooks module.'
        : 'Export functions under the names that templates use.',
    docs: {
      cause: 'The module of hooks or helpers does not exist, fails to run, or has the wrong exports.',
      fix: 'Correct the path, which is relative to the configuration, or the module at the place in the message.',
      example: "export default defineConfig({ source: 'api.yaml', hooks: './hoks.ts' });",
    },
  }),
  'invalid-options': defineDiagnostic<{ call: string; problem: string }>({
    code: 'MCPG622',
    severity: 'error',
    message: ({ call, problem }) => `The options of ${call} cannot be used: ${problem}.`,
    hint: 'See the types of the package for the allowed values.',
    docs: {
      cause:
        'A program calls `compile`, `generate` or another function of the package with unknown or invalid options. mcpgen checks them like a configuration, since a misspelt option would silently change the server.',
      fix: 'Correct the member in the message. In TypeScript, the compiler reports most of these errors.',
      example: "await generate({ source: 'petstore.yaml', include: 'tag:pets' });",
    },
  }),
  'code-refused': defineDiagnostic<{ file: string; because: string }>({
    code: 'MCPG623',
    severity: 'error',
    message: ({ file, because }) =>
      `mcpgen did not run ${file}: ${because}, but code of the repository is disabled.`,
    hint: ({ file }) =>
      `Review ${file}. To run it, repeat the command without \`--no-code\` and with MCPGEN_NO_CODE unset.`,
    docs: {
      cause:
        'With `--no-code` or `MCPGEN_NO_CODE=1`, mcpgen runs no code of the repository: no configuration in TypeScript or JavaScript, no hooks or helpers, no schemas that `@schema Name` names, no functions in `mcpgen serve`, and no `dist/main.js` of a project. This command needs one of them and would otherwise produce a different server, so mcpgen did nothing.',
      fix: 'Review the file, then run the command without the option. Configurations in JSON without `hooks` and `helpers` work with it, and `mcpgen ts` only reads its sources, unless `@schema` names a schema of a library.',
      example: '{ "source": "petstore.yaml", "hooks": "./hooks.ts" }',
    },
  }),
  'variable-in-request': defineDiagnostic<{ names: string; list: string; consent: string }>({
    code: 'MCPG624',
    severity: 'error',
    message: ({ names }) =>
      `This URL contains the environment variable ${names}, so mcpgen would send its value to the server in the configuration.`,
    hint: ({ list, consent }) =>
      `If you trust that server with the value: ${consent}. Or set MCPGEN_ALLOW_ENV=${list}, or in a program, pass \`allowEnv\`.`,
    docs: {
      cause:
        '`source`, `overlays` or `sources` of the configuration is a URL with `${NAME}`, and mcpgen requests that URL. A configuration by somebody else could send any variable, such as a cloud credential, to any server.',
      fix: 'Check the line. If the server should receive the variable, allow it by name: `--allow-env NAME` (repeatable, or `A,B`) or `MCPGEN_ALLOW_ENV=A,B`. Local paths, names and `baseUrl` need no consent, since mcpgen does not request them.',
      example: '{ "source": "https://api.example.com/openapi.json?key=${API_KEY}" }',
    },
  }),
  'variable-as-argument': defineDiagnostic<{ names: string; list: string; consent: string }>({
    code: 'MCPG627',
    severity: 'error',
    message: ({ names }) =>
      `The document has the server send the environment variable ${names} to the API as an argument, by \`x-mcp\`.`,
    hint: ({ list, consent }) =>
      `If you trust the document and its API with the value: ${consent}. Or set MCPGEN_ALLOW_ENV=${list}.`,
    docs: {
      cause:
        '`x-mcp: { env: NAME }` on a parameter or property makes the value of a variable an argument. A document by somebody else could send any variable, such as a cloud credential. A project lists such variables in `mcpgen.lock`, where you review them; `mcpgen serve` has no lock.',
      fix: 'Check the rule in the document. If the API should receive the variable, allow it by name: `--allow-env NAME` (repeatable, or `A,B`) or `MCPGEN_ALLOW_ENV=A,B`. Rules of your own configuration (`tools`) need no consent.',
      example: 'parameters: [{ name: workspace, in: query, x-mcp: { env: WORKSPACE } }]',
    },
  }),
  'base-url-variable': defineDiagnostic<{ names: string }>({
    code: 'MCPG625',
    severity: 'info',
    message: ({ names }) =>
      `"baseUrl" contains the environment variable ${names}: the server sends requests and credentials to its current value.`,
    docs: {
      cause:
        '`baseUrl` contains `${NAME}`, which mcpgen resolves when it compiles or serves. Only the server sends requests there.',
      fix: 'Nothing, if the variable should choose the API. In a repository by somebody else, check what surrounds the variable.',
      example: '{ "source": "petstore.yaml", "baseUrl": "https://${API_HOST}/v1" }',
    },
  }),
  'output-outside': defineDiagnostic<{ file: string; folder: string; root: string; consent: string }>({
    code: 'MCPG626',
    severity: 'error',
    message: ({ file, folder, root }) =>
      `${file} places the project in ${folder}, outside ${root}. mcpgen writes and removes files there, so this needs your consent.`,
    hint: ({ consent }) => `If this folder is correct, run ${consent}.`,
    docs: {
      cause:
        '`output` of the configuration, with links resolved, is outside the repository: the nearest parent folder with `.git` or `package.json`, or else the folder of the configuration. A configuration by somebody else could overwrite files anywhere.',
      fix: 'Allow the folder with `--allow-output DIR` (repeatable), or name it with `-o`. `--force` does not allow it.',
      example: '{ "source": "petstore.yaml", "output": "../../elsewhere" }',
    },
  }),
  'file-without-effect': defineDiagnostic<{ file: string; suggestion: string }>({
    code: 'MCPG621',
    severity: 'warning',
    message: ({ file }) => `${file} has no effect, since template names end with .hbs.`,
    hint: ({ suggestion }) =>
      suggestion === ''
        ? 'Remove it from the template folder.'
        : `Rename it to ${suggestion}, or remove it from the folder.`,
    docs: {
      cause:
        'A file in the template folder does not end with .hbs, so it replaces nothing and cannot be a partial. The folder may also contain code modules, JSON, and files that start with a dot.',
      fix: 'Rename it to a template or partial that ends with .hbs, or move it elsewhere.',
      example: 'templates/README.md',
    },
  }),
};

/** The folder of a file; `.` for a file name alone. */
function folderOfFile(file: string): string {
  return /^(.*)[\\/]/.exec(file)?.[1] ?? '.';
}

function suggestProject(dir: string, above: string, below: string): string {
  if (/\*|\.[mc]?[jt]sx?$/.test(dir))
    return `This takes the folder of a project: compile one with \`mcpgen ts "${dir}" -o <dir>\`, or name the files in a configuration (\`mcpgen init\`).`;
  if (below !== '') return `There are projects in it: name one of ${below}.`;
  return above === ''
    ? 'Name the folder of an emitted project, compile one with `mcpgen openapi <source>` or `mcpgen ts "<dir>/**/*.ts"`, or write a configuration with `mcpgen init`.'
    : `A folder above has ${above}: name it instead of the folder, or write a configuration here with \`mcpgen init\`.`;
}
