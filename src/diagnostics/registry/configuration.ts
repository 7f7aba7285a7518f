/** MCPG6xx: the configuration. An error among these ends with exit code 2. */
import { define } from '../define.ts';

export const configurationDiagnostics = {
  'missing-config': define<{ file: string; forms: string; above: string }>({
    code: 'MCPG603',
    severity: 'error',
    message: ({ file, forms }) =>
      `There is no ${file}${forms === '' ? '' : ` (nor one that ends with ${forms})`}, so it is not known what the project is compiled from.`,
    hint: ({ above }) =>
      above === ''
        ? 'Name the folder of an emitted project, compile one with `mcpgen openapi <source>`, or write a configuration with `mcpgen init`.'
        : `${above} is in a folder above: name it in place of the folder. Or write a configuration here with \`mcpgen init\`.`,
    docs: {
      cause:
        '`mcpgen generate`, `mcpgen check` and `mcpgen inspect <dir>` read the source and the options from `mcpgen.config.json` (or `.ts`, `.js`, `.mjs`, `.yaml`, `.yml`) in the project folder. The folder has none. One in a folder above is not taken: it is named.',
      fix: 'Give the folder that `mcpgen openapi` wrote, or a configuration itself; or write one with `mcpgen init`; or run `mcpgen openapi <source> -o <dir>` once; it writes the file.',
      example: 'mcpgen generate some-other-folder',
    },
  }),
  'invalid-config': define<{ file: string; problem: string; missing?: string }>({
    code: 'MCPG604',
    severity: 'error',
    message: ({ file, problem }) => `${file} cannot be used: ${problem}.`,
    hint: ({ file, missing }) =>
      missing !== undefined
        ? `Correct the path of ${missing} in ${file}. Where a clone of the repository lacks it, it stands outside of that: put it into the project, and commit it.`
        : file.endsWith('.json')
          ? `Correct the file, or compile again with \`mcpgen openapi <source> -o ${folderOf(file)} --force\`, which writes it anew.`
          : 'Correct the file.',
    docs: {
      cause:
        'The configuration file is not readable, is not JSON (or YAML, or a module that can be run), holds a member that mcpgen does not know or cannot use, or names a file or folder that is not there. An unknown member is refused because a misspelt option would silently change the server.',
      fix: 'Correct the member that the message names. What is compiled stands in `source`, `typescript` or `sources`; the other members have the names of the command line options. All members of one document, in camelCase: source, output, name, serverVersion, registryName, baseUrl, include, exclude, bodyMediaType, routeMap, maxNameLength, outputSchema, auth, publish, omit, templates, helpers, hooks, strict, allowRemoteRefs, refRoot.',
      example: '{ "source": "../petstore.yaml", "maxNameLenght": 40 }',
    },
  }),
  'several-configs': define<{ dir: string; files: string }>({
    code: 'MCPG611',
    severity: 'error',
    message: ({ dir, files }) => `${dir} has several configurations, ${files}, and one holds.`,
    hint: 'Delete all but one.',
    docs: {
      cause:
        'A project is compiled from one configuration. With two of them, a change in the one that does not count would do nothing.',
      fix: 'Delete all but one. An emitted `mcpgen.config.json` can be left to mcpgen where a `mcpgen.config.ts` takes its place: delete it once, and it is not written again.',
      example: 'mcpgen.config.json\nmcpgen.config.ts',
    },
  }),
  'config-exists': define<{ file: string }>({
    code: 'MCPG614',
    severity: 'error',
    message: ({ file }) => `There is a configuration already: ${file}.`,
    hint: 'Add what is missing there. `mcpgen init <source>` in another folder shows every member.',
    docs: {
      cause: 'A folder has one configuration, and `mcpgen init` never writes over it.',
      fix: 'Edit the file, or remove it before.',
      example: 'mcpgen init petstore.yaml\nmcpgen init petstore.yaml',
    },
  }),
  'nothing-to-configure': define({
    code: 'MCPG615',
    severity: 'error',
    message: () => 'No source is named, and the working folder has no openapi.yaml or its like.',
    hint: 'Name documents, or files of annotated functions: `mcpgen init petstore.yaml`.',
    docs: {
      cause:
        '`mcpgen init` writes down what a server is made of. Without a word it takes a document of a usual name.',
      fix: 'Name the sources: documents, URLs, files or globs of functions.',
      example: 'mcpgen init',
    },
  }),
  'unset-variable': define<{ name: string }>({
    code: 'MCPG616',
    severity: 'error',
    message: ({ name }) => `The environment has no variable ${name}, which the configuration names here.`,
    hint: ({ name }) =>
      `Set it, or write what stands for it when it is not set: \`\${${name}:-default}\`. For the characters themselves write \`$\${${name}}\`.`,
    docs: {
      cause:
        'A text of the configuration has `${NAME}`, and NAME is not set. An empty text in its place could compile another server than you meant.',
      fix: 'Set the variable where mcpgen runs, or give it a default: `${NAME:-default}`. With `$${` the characters stand as they are.',
      example: '{ "source": "${API_DIR}/petstore.yaml" }',
    },
  }),
  'unknown-server': define<{ file: string; server: string; known: string; near: string }>({
    code: 'MCPG617',
    severity: 'error',
    message: ({ file, server, known }) =>
      known === ''
        ? `${file} is of one server alone, so there is no server "${server}" in it.`
        : `${file} has no server "${server}". It has ${known}.`,
    hint: ({ known, near }) =>
      known === ''
        ? 'Leave `--server` out.'
        : near === ''
          ? 'Name one of them, or leave `--server` out for all.'
          : `Did you mean ${near}?`,
    docs: {
      cause:
        '`--server` names one of the servers in the member `servers` of a configuration, and there is none of this name.',
      fix: 'Name one of those that the message lists.',
      example: 'mcpgen generate --server petstor',
    },
  }),
  'server-not-named': define<{ file: string; taker: string; known: string; first: string }>({
    code: 'MCPG618',
    severity: 'error',
    message: ({ file, taker, known }) => `${file} has several servers (${known}), and ${taker} takes one.`,
    hint: ({ first }) => `Name it: \`--server ${first}\`.`,
    docs: {
      cause:
        'The configuration has the member `servers`, and what was asked for can be done for one server alone: to run it, to compare it with something else, to write it to the folder of `-o`.',
      fix: 'Name the server by `--server`. `mcpgen generate`, `check` and `inspect` do their work for all servers without it.',
      example: 'mcpgen serve mcpgen.config.yaml',
    },
  }),
  'servers-share-folder': define<{ server: string; other: string; folder: string; how: string }>({
    code: 'MCPG619',
    severity: 'error',
    message: ({ server, other, folder, how }) =>
      `The folder of the server ${server} (${folder}) ${how} that of the server ${other}, and each run would undo what the other has written.`,
    hint: 'Give each server an `output` of its own, beside the others.',
    docs: {
      cause:
        'Two servers of one configuration would be written to one folder, or one into the folder of the other, which mcpgen keeps in order as a whole.',
      fix: 'Give each server a folder of its own. Without `output` it is called as the server is.',
      example:
        '{ "servers": { "a": { "source": "a.yaml", "output": "out" }, "b": { "source": "b.yaml", "output": "out" } } }',
    },
  }),
  'user-code-unusable': define<{ member: string; file: string; problem: string }>({
    code: 'MCPG620',
    severity: 'error',
    message: ({ member, file, problem }) => `${file}, which "${member}" names, cannot be used: ${problem}.`,
    hint: ({ member }) =>
      member === 'hooks'
        ? 'A module of hooks exports functions `onModel` and `onFiles`, or one of them.'
        : 'A module of helpers exports functions, each by the name that templates call it.',
    docs: {
      cause:
        'The configuration names a module of hooks or of helpers that is not there, cannot be run, or exports something else.',
      fix: 'Correct the path, which is taken from the folder of the configuration, or the module at the place that the message says.',
      example: "export default defineConfig({ source: 'api.yaml', hooks: './hoks.ts' });",
    },
  }),
  'invalid-options': define<{ call: string; problem: string }>({
    code: 'MCPG622',
    severity: 'error',
    message: ({ call, problem }) => `The options of ${call} cannot be used: ${problem}.`,
    hint: 'The types of the package say what each member may be.',
    docs: {
      cause:
        'A program calls `compile`, `generate` or another function of the package with options that it does not know or cannot use. They are checked as those of a configuration: a misspelt option would silently change the server.',
      fix: 'Correct the member that the message names. In TypeScript the compiler tells most of it before.',
      example: "await generate({ source: 'petstore.yaml', include: 'tag:pets' });",
    },
  }),
  'code-refused': define<{ file: string; because: string }>({
    code: 'MCPG623',
    severity: 'error',
    message: ({ file, because }) =>
      `${file} is not run: ${because}, and no code of the repository may run here.`,
    hint: ({ file }) =>
      `Read ${file}. To run it, repeat the command without \`--no-code\` and with MCPGEN_NO_CODE unset.`,
    docs: {
      cause:
        'With `--no-code`, or `MCPGEN_NO_CODE=1`, mcpgen runs no code of the repository: no configuration in TypeScript or JavaScript, no hooks or helpers that a configuration names, no functions that `mcpgen serve` would serve, and no `dist/main.js` of a project. The command needs one of these. A server compiled without it would be another one, so nothing was done.',
      fix: 'Read the file, and run the command without the option once you trust it. Configurations in JSON and YAML without `hooks` and `helpers` work with the option; `mcpgen ts` reads sources of functions and runs none.',
      example: '{ "source": "petstore.yaml", "hooks": "./hooks.ts" }',
    },
  }),
  'variable-in-request': define<{ names: string; list: string; consent: string }>({
    code: 'MCPG624',
    severity: 'error',
    message: ({ names }) =>
      `This URL contains ${names} of the environment, so mcpgen would send the value to the server that the configuration names.`,
    hint: ({ list, consent }) =>
      `If you trust that server with it: ${consent}. Or set MCPGEN_ALLOW_ENV=${list}, or in a program, pass \`allowEnv\`.`,
    docs: {
      cause:
        "A configuration's `source`, `overlays` or `sources` is a URL with `${NAME}` in it, and mcpgen itself requests that URL. The configuration of a repository that somebody else wrote could send any variable, such as a cloud credential, to any server.",
      fix: 'Read the line. Where the variable is meant for that server, allow it by name: `--allow-env NAME` (repeatable, also `A,B`) or `MCPGEN_ALLOW_ENV=A,B`. Local paths, names and `baseUrl` need no consent: mcpgen requests none of them.',
      example: '{ "source": "https://api.example.com/openapi.json?key=${API_KEY}" }',
    },
  }),
  'base-url-variable': define<{ names: string }>({
    code: 'MCPG625',
    severity: 'info',
    message: ({ names }) =>
      `"baseUrl" contains ${names} of the environment: the server sends its requests, with their credentials, to the value that is set now.`,
    docs: {
      cause:
        'The text of `baseUrl` has `${NAME}`, which is filled in when the server is compiled or served. mcpgen requests nothing there; the server does.',
      fix: 'Nothing has to be done when the variable is meant to choose the API. Where the repository is not yours, read what it adds around the variable.',
      example: '{ "source": "petstore.yaml", "baseUrl": "https://${API_HOST}/v1" }',
    },
  }),
  'output-outside': define<{ file: string; folder: string; root: string; consent: string }>({
    code: 'MCPG626',
    severity: 'error',
    message: ({ file, folder, root }) =>
      `${file} places the project in ${folder}, which is not below ${root}. A configuration may name a folder outside of ${root} only with your consent, since mcpgen writes and removes files there.`,
    hint: ({ consent }) => `If you mean that folder, run ${consent}.`,
    docs: {
      cause:
        "The configuration's `output`, links followed, leads out of the repository: the nearest folder upward with `.git` or `package.json`, or else the folder of the configuration. The configuration of a repository that somebody else wrote could overwrite files anywhere.",
      fix: 'Allow the folder with `--allow-output DIR` (repeatable), or name it on the command line with `-o`. `--force` does not allow it.',
      example: '{ "source": "petstore.yaml", "output": "../../elsewhere" }',
    },
  }),
  'file-without-effect': define<{ file: string; suggestion: string }>({
    code: 'MCPG621',
    severity: 'warning',
    message: ({ file }) => `${file} is no template, so it has no effect: names of templates end with .hbs.`,
    hint: ({ suggestion }) =>
      suggestion === ''
        ? 'Take it out of the folder of templates.'
        : `Call it ${suggestion}, or take it out of the folder.`,
    docs: {
      cause:
        'A file in the folder of templates does not end with .hbs. It replaces nothing, and no template can take it as a part. Modules of code, JSON, and files whose names begin with a dot may stand there.',
      fix: 'Give it the name of a template, or of a partial, with .hbs at the end; or keep it elsewhere.',
      example: 'templates/README.md',
    },
  }),
};

/** Of a file; this one's own is `.`. */
function folderOf(file: string): string {
  return /^(.*)[\\/]/.exec(file)?.[1] ?? '.';
}
