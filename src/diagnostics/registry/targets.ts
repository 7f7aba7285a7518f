/** MCPG5xx: the folder that a project is written to. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';
import { hintAboutAppCopies } from './edits.ts';

export const targetDiagnostics = {
  'target-not-a-folder': defineDiagnostic<{ dir: string; is: 'a file' | 'a link that leads nowhere' }>({
    code: 'MCPG501',
    message: ({ dir, is }) => `${dir} is ${is}, so no project can be written there.`,
    hint: ({ is }) =>
      is === 'a file'
        ? 'Name another folder with -o.'
        : 'Create the folder that the link points to, delete the link, or name another folder with -o.',
  }),
  'output-reserved': defineDiagnostic<{ file: string; folder: string }>({
    code: 'MCPG567',
    message: ({ file, folder }) =>
      `${file} places the project in ${folder}, inside .git or node_modules, where mcpgen would overwrite and remove files of git or npm. Nothing was written.`,
    hint: 'Name another folder as `output`, or check where links in its path lead.',
  }),
  'golden-call-left-out': defineDiagnostic<{ tool: string; reason: string }>({
    code: 'MCPG585',
    severity: 'info',
    message: ({ tool, reason }) => `The wire test has no call of ${tool}. ${reason}`,
    hint: 'Calls of the tool are unaffected. Give its parameters and body examples that can be sent.',
  }),
  'target-not-empty': defineDiagnostic<{ dir: string; files: string }>({
    code: 'MCPG502',
    message: ({ dir, files }) =>
      `${dir} is not empty, and mcpgen did not write it: it contains ${files}. Nothing was written, to avoid mixing your files with generated ones.`,
    hint: 'Name another folder with -o, or add --force to write the project beside these files.',
  }),
  'file-not-ours': defineDiagnostic<{ dir: string; files: string; lock: 'there' | 'none' }>({
    code: 'MCPG503',
    message: ({ dir, files }) =>
      `In ${dir}, mcpgen would overwrite files that it did not write: ${files}. Nothing was written.`,
    hint: ({ lock }) =>
      lock === 'there'
        ? 'The project now needs these names for its own files. Rename or move yours, or add --force, which keeps each as <name>.orig.'
        : 'If mcpgen.lock was lost, restore it from version control, or add --rebuild-lock. Otherwise, move these files, or add --force, which keeps each as <name>.orig and merges package.json.',
  }),
  'path-in-the-way': defineDiagnostic<{ path: string }>({
    code: 'MCPG509',
    message: ({ path }) =>
      `${path} is in the way, since a file and a folder cannot have the same name. Nothing was written.`,
    hint: 'Move it, or name another folder with -o.',
  }),
  'path-outside-target': defineDiagnostic<{ path: string }>({
    code: 'MCPG510',
    message: ({ path }) =>
      `${path} is a symbolic link, and writing through it could change files outside the project. Nothing was written.`,
    hint: 'Replace the link with a real file or folder.',
  }),
  'file-inaccessible': defineDiagnostic<{ reason: string }>({
    code: 'MCPG511',
    message: ({ reason }) => `Cannot read or write ${reason}. Nothing was changed.`,
    hint: 'Close programs that have the file open. Check its permissions, those of its folders, the free space and `ulimit -f`. Or use another folder.',
  }),
  'target-of-another': defineDiagnostic<{ dir: string; there: string; name: string }>({
    code: 'MCPG534',
    message: ({ dir, there, name }) =>
      there === name
        ? `${dir} contains the project of other sources, which this run would replace. Nothing was written.`
        : `${dir} contains the project of another server, ${there}, which ${name} would replace. Nothing was written.`,
    hint: 'Name another folder with -o, or add --force if the project should become this server.',
  }),
  'project-renamed': defineDiagnostic<{ there: string; name: string; file: string }>({
    code: 'MCPG551',
    severity: 'warning',
    message: ({ there, name }) =>
      `The server ${quoteAsCodeSpan(there)} becomes ${quoteAsCodeSpan(name)}, like its source. So do its package, command, registry name, image and bundle. Users who installed it are not notified.`,
    hint: ({ there, name, file }) =>
      `To keep the old name, ${file === '' ? `run again with \`--name ${there}\`` : `give \`name\` in ${file} the value ${quoteAsCodeSpan(there)}`}; to confirm the new one, set ${quoteAsCodeSpan(name)} there.`,
  }),
  'project-missing': defineDiagnostic<{ dir: string; command: string }>({
    code: 'MCPG518',
    message: ({ dir }) =>
      `${dir} contains no project by mcpgen (no mcpgen.lock), so there is nothing to compare with.`,
    hint: ({ command }) =>
      `Write it first: ${command === '' ? 'leave `--check` out' : `run \`${command}\``}.`,
  }),
  'project-stale': defineDiagnostic<{
    dir: string;
    count: number;
    edited: number;
    files: string;
    command: string;
    configuration: string;
  }>({
    code: 'MCPG516',
    message: ({ dir, count }) =>
      `${dir} is out of date: ${String(count)} ${count === 1 ? 'file differs' : 'files differ'}. Nothing was changed.`,
    hint: ({ count, edited, files, command, configuration }) =>
      edited < count
        ? `Run \`${command}\` and commit the result. Edits of generated files belong in src/handlers/ or in your templates.${hintAboutAppCopies(files, configuration)}`
        : `Move the edits to src/handlers/ or to your templates, then run \`${command} --force\`, which keeps each edited file as .orig; or make the files yours with \`--keep\` or \`--merge\`.${hintAboutAppCopies(files, configuration)}`,
  }),
  'source-not-kept': defineDiagnostic({
    code: 'MCPG519',
    severity: 'info',
    message: () =>
      'The document came from standard input, so `mcpgen generate` cannot read it again. To compile this project again, save the document to a file and compile that.',
  }),
  'secret-written': defineDiagnostic<{ name: string; files: string }>({
    code: 'MCPG547',
    severity: 'warning',
    message: ({ name, files }) =>
      `The value of ${name}, which appears to be a secret, is in generated files: ${files}. Anyone who reads them has it.`,
    hint: 'Remove it from the configuration. The server reads credentials from environment variables at start, listed in .env.example.',
  }),
};

export const handlerDiagnostics = {
  'handler-broken': defineDiagnostic<{ file: string; problem: string; fix: string }>({
    code: 'MCPG515',
    message: ({ file, problem }) => `${file} ${problem}, so the server could not start. Nothing was written.`,
    hint: ({ fix }) => fix,
  }),
  'handler-without-tool': defineDiagnostic<{
    file: string;
    tool: string;
    suggestion?: string;
    newName?: string;
  }>({
    code: 'MCPG542',
    message: ({ file, tool }) =>
      `${file} replaces the tool ${quoteAsCodeSpan(tool)}, which does not exist, so the server would not start. Nothing was written.`,
    hint: ({ suggestion, newName }) => {
      if (newName !== undefined) return `It is called ${quoteAsCodeSpan(newName)} now: rename the key.`;
      return suggestion === undefined
        ? 'Remove it from `tools`, or move an additional tool to `extraTools`.'
        : `Did you mean ${quoteAsCodeSpan(suggestion)}? Otherwise, remove it from \`tools\`, or move an additional tool to \`extraTools\`.`;
    },
  }),
};

export const overlayDiagnostics = {
  'nothing-to-overlay': defineDiagnostic<{ source: string }>({
    code: 'MCPG563',
    message: ({ source }) =>
      `No overlay was written: each tool of ${source} comes from an operation in another file, but an overlay only changes its own document.`,
    hint: 'Name the file with the operations, or combine the files into one document.',
  }),
};
