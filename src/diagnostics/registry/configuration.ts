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
    message: ({ file, forms }) =>
      `${file} does not exist${forms === '' ? '' : ` (nor with the endings ${forms})`}, so mcpgen cannot tell what to compile.`,
    hint: ({ file, above, below }) => suggestProject(folderOfFile(file), above, below),
  }),
  'invalid-config': defineDiagnostic<{ file: string; problem: string; fix?: string }>({
    code: 'MCPG604',
    message: ({ file, problem }) => `${file} cannot be used: ${problem}.`,
    hint: ({ fix = 'Correct the file.' }) => fix,
  }),
  'several-configs': defineDiagnostic<{ dir: string; files: string }>({
    code: 'MCPG611',
    message: ({ dir, files }) => `${dir} has several configurations, ${files}, but only one can apply.`,
    hint: 'Delete all but one.',
  }),
  'config-exists': defineDiagnostic<{ file: string }>({
    code: 'MCPG614',
    message: ({ file }) => `The configuration ${file} already exists.`,
    hint: 'Edit it. For a new one, delete it and run `mcpgen init` again.',
  }),
  'config-not-edited': defineDiagnostic<{ file: string; added: string; changed: string; command: string }>({
    code: 'MCPG628',
    message: ({ file, added, changed }) => {
      const changes = [added && `Add to it: ${added}`, changed && `Change in it: ${changed}`];
      return [`mcpgen does not edit ${file}`, ...changes.filter((change) => change !== '')].join('. ');
    },
    hint: ({ command }) => `Then run \`${command}\`, which writes the files.`,
  }),
  'settings-written': defineDiagnostic<{ file: string; setting: string; before: string }>({
    code: 'MCPG634',
    severity: 'info',
    message: ({ file, setting, before }) =>
      `${file} gets ${quoteAsCodeSpan(setting)}${before === '' ? '' : ` instead of ${quoteAsCodeSpan(before)}`}, so later runs keep it.`,
  }),
  'configured-twice': defineDiagnostic<{ problem: string; fix: string }>({
    code: 'MCPG629',
    message: ({ problem }) => `${problem}. Nothing was written.`,
    hint: ({ fix }) => fix,
  }),
  'nothing-to-configure': defineDiagnostic({
    code: 'MCPG615',
    message: () => 'No source was named, and the working folder has no openapi.yaml or similar file.',
    hint: 'Name documents or files of annotated functions: `mcpgen init petstore.yaml`.',
  }),
  'unset-variable': defineDiagnostic<{ name: string }>({
    code: 'MCPG616',
    message: ({ name }) => `The configuration uses the environment variable ${name} here, but it is not set.`,
    hint: ({ name }) =>
      `Set it, or give a default: \`\${${name}:-default}\`. For the literal characters, write \`$\${${name}}\`.`,
  }),
  'unknown-server': defineDiagnostic<{ file: string; problem: string; fix: string }>({
    code: 'MCPG617',
    message: ({ file, problem }) => `${file} ${problem}.`,
    hint: ({ fix }) => fix,
  }),
  'invalid-options': defineDiagnostic<{ call: string; problem: string }>({
    code: 'MCPG622',
    message: ({ call, problem }) => `The options of ${call} cannot be used: ${problem}.`,
    hint: 'See the types of the package for the allowed values.',
  }),
  'code-refused': defineDiagnostic<{ file: string; because: string }>({
    code: 'MCPG623',
    message: ({ file, because }) =>
      `mcpgen did not run ${file}: ${because}, but code of the repository is disabled.`,
    hint: ({ file }) =>
      `Review ${file}. To run it, repeat the command without \`--no-code\` and with MCPGEN_NO_CODE unset.`,
  }),
  'variable-in-request': defineDiagnostic<{
    names: string;
    list: string;
    consent: string;
    /** `url`: mcpgen itself would request a URL with the variable. Else the server would send it, as the document or the configuration says. */
    by: 'url' | 'document' | 'configuration';
  }>({
    code: 'MCPG624',
    message: ({ names, by }) => {
      if (by === 'url')
        return `This URL contains the environment variable ${names}, so mcpgen would send its value to the server in the configuration.`;
      return by === 'document'
        ? `The document has the server send the environment variable ${names} to the API as an argument, by \`x-mcp\`.`
        : `The configuration has the server send the environment variable ${names} to the API, and no lock accepts it.`;
    },
    hint: ({ list, consent, by }) =>
      by === 'url'
        ? `If you trust that server with the value: ${consent}. Or set MCPGEN_ALLOW_ENV=${list}, or in a program, pass \`allowEnv\`.`
        : `If you trust the ${by} and its API with the value: ${consent}. Or set MCPGEN_ALLOW_ENV=${list}.`,
  }),
  'base-url-variable': defineDiagnostic<{ names: string }>({
    code: 'MCPG625',
    severity: 'info',
    message: ({ names }) =>
      `"baseUrl" contains the environment variable ${names}: the server sends requests and credentials to its current value.`,
  }),
  'output-outside': defineDiagnostic<{ file: string; folder: string; root: string; consent: string }>({
    code: 'MCPG626',
    message: ({ file, folder, root }) =>
      `${file} places the project in ${folder}, outside ${root}. mcpgen writes and removes files there, so this needs your consent.`,
    hint: ({ consent }) => `If this folder is correct, run ${consent}.`,
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
