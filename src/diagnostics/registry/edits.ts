import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan, quoteShellWord } from '../quoting.ts';

/** Extends a hint if edited files are copies of the user's own code. */
export function hintAboutAppCopies(files: string, configuration: string): string {
  if (!/(?:^|, )src\/app\//.test(files)) return '';
  return ` Files in src/app/ are copies of your code: edit the sources that ${configuration} names, and compile again with --force.`;
}

export const editDiagnostics = {
  'file-edited': defineDiagnostic<{ dir: string; configuration: string; files: string }>({
    code: 'MCPG504',
    message: ({ dir, files }) =>
      `Generated files in ${dir} were edited: ${files}. Nothing was written, since regeneration would lose the edits.`,
    hint: ({ files, configuration }) =>
      `Move the changes to src/handlers/, or to your templates (\`templates\` in ${configuration}). Or add --keep to make the files yours, or --force to overwrite them, keeping each as <name>.orig.${hintAboutAppCopies(files, configuration)}`,
  }),
  'obsolete-file-kept': defineDiagnostic<{ path: string }>({
    code: 'MCPG514',
    severity: 'warning',
    message: ({ path }) =>
      `${path} is no longer generated, but it was edited, so mcpgen does not remove it. It is yours.`,
    hint: 'Delete it if you do not need it.',
  }),
  'owned-file-behind': defineDiagnostic<{ path: string }>({
    code: 'MCPG529',
    severity: 'info',
    message: ({ path }) =>
      `${path} is yours and unchanged, but its generated version has changed since you took it over.`,
    hint: 'Apply by hand what you want of it, and run with --keep. To get the generated file, delete yours and run again.',
  }),
  'package-keys-kept': defineDiagnostic<{ file: string; keys: string }>({
    code: 'MCPG531',
    severity: 'info',
    message: ({ file, keys }) =>
      `${file} keeps your values for keys that mcpgen would now write differently: ${keys}.`,
    hint: "Compare them with `package` in `mcpgen.lock`, which has mcpgen's values.",
  }),
  'published-otherwise': defineDiagnostic<{ file: string; there: string; here: string }>({
    code: 'MCPG543',
    severity: 'warning',
    message: ({ file, there, here }) =>
      `${file} has ${quoteAsCodeSpan(there)} as \`version\`, but the configuration has ${quoteAsCodeSpan(here)} as \`serverVersion\`. Published files use the value of package.json.`,
    hint: 'Remove `serverVersion` from the configuration, or use the same value for `version` in package.json.',
  }),
  'package-value-unusable': defineDiagnostic<{
    file: string;
    key: string;
    /** As JSON. */
    there: string;
    wanted: string;
  }>({
    code: 'MCPG565',
    severity: 'warning',
    message: ({ file, key, there, wanted }) =>
      `${file} has ${quoteAsCodeSpan(there)} as \`${key}\`, which is not ${wanted}. Other published files do not repeat it.`,
    hint: ({ key }) => `Correct or remove \`${key}\`. mcpgen's value is in mcpgen.lock, under \`package\`.`,
  }),
};

export const mergeDiagnostics = {
  'file-conflict': defineDiagnostic<{
    /** Files with lines. */
    places: string;
    /** Words of a shell. */
    files: string;
  }>({
    code: 'MCPG537',
    message: ({ places }) => `These files contain conflict markers: ${places}. Nothing was written.`,
    hint: ({ files }) =>
      `Resolve the conflicts, or take one side (${quoteAsCodeSpan(`git checkout --ours -- ${files}`)}), and run again.`,
  }),
  'merge-generated-anew': defineDiagnostic<{ dir: string; files: string }>({
    code: 'MCPG569',
    severity: 'info',
    message: ({ dir, files }) =>
      `In ${dir}, version control merged generated files of two branches line by line. mcpgen regenerated these files: ${files}.`,
    hint: 'Commit them with the merge and `mcpgen.lock`.',
  }),
  'owned-file-broken': defineDiagnostic<{ problem: string; fix: string }>({
    code: 'MCPG536',
    message: ({ problem }) => `${problem}. Nothing was written.`,
    hint: ({ fix }) => fix,
  }),
};

function rebuildCommand(file: string): string {
  const dir = file.replace(/[\\/]?mcpgen\.lock$/, '');
  return quoteAsCodeSpan(`mcpgen generate ${quoteShellWord(dir === '' ? '.' : dir)} --rebuild-lock`);
}

export const lockDiagnostics = {
  'invalid-lock': defineDiagnostic<{ file: string; conflict?: string }>({
    code: 'MCPG505',
    message: ({ file, conflict }) =>
      conflict === undefined
        ? `${file} is damaged, so mcpgen cannot tell its own files from yours. Nothing was written.`
        : `${file} contains conflict markers that mcpgen cannot resolve: ${conflict}. Nothing was written.`,
    hint: ({ file, conflict }) =>
      conflict === undefined
        ? `Restore the lock from version control, or run ${rebuildCommand(file)}, which writes a new lock and removes no files.`
        : `Take the right side of the lock (\`git checkout --ours -- ${file}\` or \`--theirs\`), and run \`mcpgen generate\`.`,
  }),
  'lock-stray-paths': defineDiagnostic<{ file: string; paths: string }>({
    code: 'MCPG573',
    message: ({ file, paths }) =>
      `${file} lists files that mcpgen does not generate: ${paths}. mcpgen removes listed files once they are no longer generated, so nothing was written.`,
    hint: ({ file }) =>
      `Find out who added the paths. ${rebuildCommand(file)} writes a new lock and removes no files.`,
  }),
  'names-swapped': defineDiagnostic<{ list: string; by: 'lock' | 'rename' }>({
    code: 'MCPG574',
    severity: 'warning',
    message: ({ list, by }) =>
      `${by === 'lock' ? 'mcpgen.lock gives operations names that belong to other operations of the document' : 'New names belonged to other operations before'}: ${list}. A client that calls a tool by this name reaches a different operation.`,
    hint: ({ by }) =>
      by === 'lock'
        ? 'Look at the history of mcpgen.lock and of the document. `--rename` gives every operation the name that the document suggests, and clients must then call changed tools by their new names.'
        : 'Update all callers before they use this server, or give the operations other names by `x-mcp.name`.',
  }),
  'lock-from-future': defineDiagnostic<{ file: string; format: number; supported: number }>({
    code: 'MCPG506',
    message: ({ file, format, supported }) =>
      `${file} has format ${String(format)}, but this mcpgen only supports formats up to ${String(supported)}. A newer mcpgen wrote the project.`,
    hint: 'Update mcpgen, then run the command again.',
  }),
  'project-of-newer': defineDiagnostic<{ file: string; there: string; here: string }>({
    code: 'MCPG549',
    severity: 'warning',
    message: ({ file, there, here }) =>
      `According to ${file}, mcpgen ${quoteAsCodeSpan(there)} wrote the project. This is the older mcpgen ${here}, so its output lacks newer features and fixes.`,
    hint: ({ there }) => `Update mcpgen to ${quoteAsCodeSpan(there)} or newer, then run the command again.`,
  }),
  'lock-edited': defineDiagnostic<{ file: string }>({
    code: 'MCPG532',
    severity: 'info',
    message: ({ file }) => `${file} was edited, or merged by version control. mcpgen uses it as it is.`,
    hint: "Run `mcpgen generate`, and check the project's list of tools.",
  }),
};
