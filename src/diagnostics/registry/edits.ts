import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan, quoteShellWord } from '../quoting.ts';

/** Extends a hint if edited files are copies of the user's own code. */
export function hintAboutAppCopies(files: string, configuration: string): string {
  if (!/(?:^|, )src\/app\//.test(files)) return '';
  return ` Files in src/app/ are copies of your code: edit the sources that ${configuration} names, and compile again with --force.`;
}

/** A merge needs the originally generated text, so it is only offered for files with one. */
function describeMergeChoices({
  baseless,
  mergeable,
}: {
  baseless: string;
  mergeable: 'some' | 'none';
}): string {
  if (mergeable === 'none')
    return "The originally generated text is unknown, so nothing can be merged this time: apply mcpgen's changes by hand, and add --keep to make them yours, so that later changes can be merged";
  const but = baseless === '' ? '' : ` (except ${baseless}, whose generated text is unknown)`;
  return `Or add --merge to apply mcpgen's changes to them${but}, --keep to make them yours`;
}

export const editDiagnostics = {
  'file-edited': defineDiagnostic<{
    dir: string;
    configuration: string;
    files: string;
    baseless: string;
    /** `baseless` are the others. */
    mergeable: 'some' | 'none';
  }>({
    code: 'MCPG504',
    severity: 'error',
    message: ({ dir, files }) =>
      `Generated files in ${dir} were edited: ${files}. Nothing was written, since regeneration would lose the edits.`,
    hint: ({ files, configuration, ...merging }) =>
      `Move the changes to src/handlers/, or to your templates (\`templates\` in ${configuration}). ${describeMergeChoices(merging)}, or --force to overwrite them, keeping each as <name>.orig.${hintAboutAppCopies(files, configuration)}`,
    docs: {
      cause:
        'The hash of a generated file differs from mcpgen.lock, so it was changed after mcpgen wrote it.',
      fix: 'Move your changes to src/handlers/, your own template (--templates) or mcpgen.config.json. Then run again with --force, which keeps each edited file as <name>.orig. To keep the edited files, --merge adds new generated changes, if the originally generated text is known (MCPG527), and --keep leaves them unchanged; mcpgen.lock then lists them as yours. Files in src/app/ are copies of your code: edit the originals, which `typescript` in the configuration names.',
    },
  }),
  'obsolete-file-kept': defineDiagnostic<{ path: string }>({
    code: 'MCPG514',
    severity: 'warning',
    message: ({ path }) =>
      `${path} is no longer generated, but it was edited, so mcpgen does not remove it. It is yours.`,
    hint: 'Delete it if you do not need it.',
    docs: {
      cause:
        'An earlier run generated the file, this one does not, and its contents differ from what mcpgen wrote.',
      fix: 'Keep or delete it; mcpgen no longer manages it.',
    },
  }),
  'merge-without-base': defineDiagnostic<{ path: string; state: 'owned' | 'edited' }>({
    code: 'MCPG527',
    severity: 'error',
    message: ({ path }) =>
      `${path} cannot be merged, since its originally generated text is unknown: it is not the current output, and neither mcpgen.lock nor the last commits of git have it. Nothing was written.`,
    hint: ({ state }) =>
      `Apply mcpgen's changes by hand, and run with --keep, so that later changes can be merged. Or ${state === 'owned' ? 'delete the file, and run again to get the generated one' : 'run with --force, which keeps the file as .orig'}.`,
    docs: {
      cause:
        'A merge needs the originally generated text. mcpgen.lock has its hash, and for owned files the text. The first time, mcpgen checks the current output and the last 20 commits of the file. Neither matches: the generated text was edited before it was committed, or an older mcpgen without stored texts wrote the lock.',
      fix: 'The command shows how your file differs from the generated one. Edit it and run with --keep: mcpgen.lock then has the text, and --merge works. To get the generated file, delete yours and run again; --force only replaces files that are not yours yet.',
    },
  }),
  'merge-conflict': defineDiagnostic<{ path: string; lines: string }>({
    code: 'MCPG528',
    severity: 'error',
    message: ({ path, lines }) =>
      `${path} cannot be merged, since mcpgen and you both changed your lines ${lines}. Nothing was written.`,
    hint: "Apply mcpgen's changes by hand, and run with --keep. Or undo your changes to these lines, and run with --merge again.",
    docs: {
      cause:
        '`--merge` applies new generated changes to your edited file. Both sides changed the same or adjacent lines. mcpgen never writes conflict markers, since the server would not start.',
      fix: 'Compare the two diffs that the command shows, edit the file, and run with --keep.',
    },
  }),
  'owned-file-behind': defineDiagnostic<{ path: string; base: 'known' | 'lost' }>({
    code: 'MCPG529',
    severity: 'info',
    message: ({ path, base }) =>
      `${path} is yours and unchanged, but its generated version has changed: \`--merge\` ${base === 'known' ? 'applies the changes' : 'cannot apply the changes, since the original text of yours is unknown'}, \`--keep\` skips them for good.`,
    hint: ({ base }) =>
      `${base === 'known' ? 'Run with --merge to apply the changes, or with --keep to skip them.' : 'Run with --merge to see the differences, apply what you want by hand, and run with --keep, so that later changes can be merged.'} To get the generated file back, delete yours and run again.`,
    docs: {
      cause:
        'The file was taken over with `--keep` or `--merge`, and the generated text has changed since the version in mcpgen.lock.',
      fix: 'Choose --merge or --keep. If --merge lacks the original text because an earlier mcpgen wrote the lock, --keep stores it for the next time. --force does not change the file. To get the generated file back, delete yours and run again. A file that equals the generated one is no longer yours.',
    },
  }),
  'package-not-merged': defineDiagnostic<{ file: string }>({
    code: 'MCPG530',
    severity: 'error',
    message: ({ file }) =>
      `${file} is not a JSON object, so mcpgen cannot merge its changes. Nothing was written.`,
    hint: 'Correct the file, or restore it from version control.',
    docs: {
      cause:
        'mcpgen merges package.json key by key to keep your scripts and dependencies. The file has a syntax error or conflict markers.',
      fix: 'Correct the file. --force rewrites it and keeps yours as package.json.orig.',
      example: '{ "scripts": { "lint": "eslint ." }, }',
    },
  }),
  'package-keys-kept': defineDiagnostic<{ file: string; keys: string }>({
    code: 'MCPG531',
    severity: 'info',
    message: ({ file, keys }) =>
      `${file} keeps your values for keys that mcpgen would now write differently: ${keys}.`,
    hint: "Compare them with `package` in `mcpgen.lock`, which has mcpgen's values.",
    docs: {
      cause:
        'mcpgen merges package.json key by key. You and mcpgen both changed these keys since the last run, so your values remain. mcpgen reports this once.',
      fix: 'Nothing, if your values are right. Check whether your scripts need what the generated ones now do.',
    },
  }),
  'published-otherwise': defineDiagnostic<{
    file: string;
    key: string;
    there: string;
    option: string;
    here: string;
  }>({
    code: 'MCPG543',
    severity: 'warning',
    message: ({ file, key, there, option, here }) =>
      `${file} has ${quoteAsCodeSpan(there)} as \`${key}\`, but the configuration has ${quoteAsCodeSpan(here)} as \`${option}\`. Published files use the value of package.json.`,
    hint: ({ key, option }) =>
      `Remove \`${option}\` from the configuration, or use the same value for \`${key}\` in package.json.`,
    docs: {
      cause:
        'Several published files contain the version and the registry name. Once someone changes package.json of the project (as `npm version` does), its values apply, but the configuration differs.',
      fix: 'Keep one of the two. Without `serverVersion`, package.json sets the version; while package.json has the generated value, the configuration or the source sets it.',
    },
  }),
  'package-value-unusable': defineDiagnostic<{
    file: string;
    key: string;
    /** As JSON. */
    there: string;
    wanted: string;
    effect: string;
  }>({
    code: 'MCPG565',
    severity: 'warning',
    message: ({ file, key, there, wanted, effect }) =>
      `${file} has ${quoteAsCodeSpan(there)} as \`${key}\`, which is not ${wanted}. ${effect}`,
    hint: ({ key }) => `Correct or remove \`${key}\`. mcpgen's value is in mcpgen.lock, under \`package\`.`,
    docs: {
      cause:
        "The project's package.json controls publishing, and npm reads it. This value is invalid for both.",
      fix: "Correct the value. Until then, other files use mcpgen's value, or none.",
      example: '{ "version": "next", "scripts": null }',
    },
  }),
  'package-not-module': defineDiagnostic<{ file: string; there: string }>({
    code: 'MCPG566',
    severity: 'error',
    message: ({ file, there }) =>
      `${file} ${there === '' ? 'has no `type`' : `has ${quoteAsCodeSpan(there)} as \`type\``}. The project's code consists of ES modules, so the server only starts with \`"module"\`.`,
    hint: 'Set `"type": "module"` in it.',
    docs: {
      cause:
        'Node treats `.js` files as ES modules if package.json has `"type": "module"`, and an emitted project consists of them.',
      fix: 'Set `"type": "module"` in the project\'s package.json. Name your CommonJS files `.cjs`.',
      example: '{ "type": "commonjs" }',
    },
  }),
};

const nextSteps = {
  edited: 'Add --force for the generated text, which keeps yours as <name>.orig.',
  owned: 'For the generated text, delete yours.',
  package: 'mcpgen merges its keys afterwards, so either side works.',
};

export const mergeDiagnostics = {
  'file-conflict': defineDiagnostic<{
    count: number;
    /** Files with lines. */
    places: string;
    /** Words of a shell. */
    files: string;
    state: keyof typeof nextSteps;
  }>({
    code: 'MCPG537',
    severity: 'error',
    message: ({ count, places }) =>
      count === 1
        ? `${places} contains conflict markers, and not all of its text was generated. Nothing was written.`
        : `${String(count)} files contain conflict markers, and not all of their text was generated: ${places}. Nothing was written.`,
    hint: ({ files, state }) =>
      `Resolve the conflicts, or take one side (${quoteAsCodeSpan(`git checkout --ours -- ${files}`)}), and run again. ${nextSteps[state]}`,
    docs: {
      cause:
        'Version control could not merge the file, and it was edited by hand, is owned, or is package.json. The server cannot start with conflict markers, so `--keep` and `--merge` refuse the file. Files that both branches generated are rewritten automatically; this needs git and a pending merge, or one in the last commit.',
      fix: 'Resolve the file like your own code, and run again. --force rewrites an edited file and keeps yours as <name>.orig; delete an owned file to get the generated one.',
      example: '<<<<<<< HEAD',
    },
  }),
  'merge-generated-anew': defineDiagnostic<{ dir: string; files: string }>({
    code: 'MCPG569',
    severity: 'info',
    message: ({ dir, files }) =>
      `In ${dir}, version control merged generated files of two branches line by line. mcpgen regenerated these files: ${files}.`,
    hint: 'Commit them with the merge and `mcpgen.lock`.',
    docs: {
      cause:
        'Both branches changed the sources and generated the project. git merged their generated files into texts with conflict markers, or texts that neither branch generated. No line in them was written by hand.',
      fix: 'Commit them. Nothing was lost.',
    },
  }),
  'owned-file-broken': defineDiagnostic<{ path: string; reason: string }>({
    code: 'MCPG536',
    severity: 'error',
    message: ({ path, reason }) =>
      `${path}, which you own, is not valid JSON (${reason}), so the server would not start. Nothing was written.`,
    hint: 'Correct it, or delete it and run again to get the generated file.',
    docs: {
      cause: 'The server reads the JSON in src/generated/ when it starts. This owned file cannot be parsed.',
      fix: 'Correct the file, or delete it and run again.',
      example: '{ "tools": [, ] }',
    },
  }),
};

function rebuildCommand(file: string): string {
  const dir = file.replace(/[\\/]?mcpgen\.lock$/, '');
  return quoteAsCodeSpan(`mcpgen generate ${quoteShellWord(dir === '' ? '.' : dir)} --rebuild-lock`);
}

export const lockDiagnostics = {
  'invalid-lock': defineDiagnostic<{ file: string }>({
    code: 'MCPG505',
    severity: 'error',
    message: ({ file }) =>
      `${file} is damaged, so mcpgen cannot tell its own files from yours. Nothing was written.`,
    hint: ({ file }) =>
      `Restore the lock from version control, or run ${rebuildCommand(file)}, which writes a new lock and removes no files.`,
    docs: {
      cause: 'mcpgen.lock is not the JSON that mcpgen writes, because it was edited or truncated.',
      fix: 'Restore the file. If that is impossible, run `mcpgen generate --rebuild-lock`: it removes no files and takes tool names from `src/generated/bindings.json`. It stops at files that differ from the generated ones; --force keeps each as <name>.orig, --keep makes them yours.',
    },
  }),
  'lock-stray-paths': defineDiagnostic<{ file: string; paths: string }>({
    code: 'MCPG573',
    severity: 'error',
    message: ({ file, paths }) =>
      `${file} lists files that mcpgen does not generate: ${paths}. mcpgen removes listed files once they are no longer generated, so nothing was written.`,
    hint: ({ file }) =>
      `If a removed hook added them, run ${rebuildCommand(file)}, which writes a new lock and removes no files. Otherwise, first find out who added the paths.`,
    docs: {
      cause:
        'mcpgen.lock lists generated files, which have known names. Only a hook `onFiles` adds others, so mcpgen skips this check if the configuration is code or has hooks. Someone added a path to the lock, or the hook for the file was removed. The lock never lists files in `.git` or `node_modules`.',
      fix: "If you do not know the path, check the history of the repository. `mcpgen generate --rebuild-lock` writes a new lock, removes no files, and takes tool names from `src/generated/bindings.json`; from the old lock it keeps only the origins. Delete a former hook's file yourself.",
      example: '{ "files": { "NOTES.md": "sha256-…" } }',
    },
  }),
  'names-swapped': defineDiagnostic<{ file: string; list: string }>({
    code: 'MCPG574',
    severity: 'warning',
    message: ({ file, list }) =>
      `${file} gives operations names that match other operations: ${list}. A client that calls a tool by this name reaches a different operation than it suggests.`,
    hint: 'Derive the names again with `--rename`, unless the lock is right.',
    docs: {
      cause:
        "The lock keeps each tool's name when the document changes. Here, a name matches another operation instead of its own: someone edited the lock, or the document changed too much. For example, a client that only wants to read could call a tool `get_pet` that deletes.",
      fix: '`mcpgen generate --rename` derives names from the document. To keep a name, set `x-mcp.name` on the operation, in the document or an overlay.',
      example: '{ "names": { "GET /pets/{id}": "delete_pet", "DELETE /pets/{id}": "get_pet" } }',
    },
  }),
  'lock-from-future': defineDiagnostic<{ file: string; format: number; supported: number }>({
    code: 'MCPG506',
    severity: 'error',
    message: ({ file, format, supported }) =>
      `${file} has format ${String(format)}, but this mcpgen only supports formats up to ${String(supported)}. A newer mcpgen wrote the project.`,
    hint: 'Update mcpgen, then run the command again.',
    docs: {
      cause: 'A newer mcpgen generated the project, and this version could lose information in its lock.',
      fix: 'Use that version or a newer one, the same for everyone who generates the project.',
    },
  }),
  'project-of-newer': defineDiagnostic<{ file: string; there: string; here: string }>({
    code: 'MCPG549',
    severity: 'warning',
    message: ({ file, there, here }) =>
      `According to ${file}, mcpgen ${quoteAsCodeSpan(there)} wrote the project. This is the older mcpgen ${here}, so its output lacks newer features and fixes.`,
    hint: ({ there }) => `Update mcpgen to ${quoteAsCodeSpan(there)} or newer, then run the command again.`,
    docs: {
      cause:
        'The lock contains the version of mcpgen that last wrote the project. Someone else, or CI, uses a newer one, and this run would revert generated files to the older output.',
      fix: 'Use one version everywhere: add mcpgen to the `devDependencies` of the project or its repository. To downgrade on purpose, run the command again: the lock then has the older version.',
    },
  }),
  'lock-edited': defineDiagnostic<{ file: string }>({
    code: 'MCPG532',
    severity: 'info',
    message: ({ file }) => `${file} was edited, or merged by version control. mcpgen uses it as it is.`,
    hint: "Run `mcpgen generate`, and check the project's list of tools.",
    docs: {
      cause:
        'The lock does not match its own hash. Changed names in it become tool names, and removed files are no longer known as generated.',
      fix: 'After a merge, run `mcpgen generate`, which rewrites the lock from both sides. To name a tool, use `x-mcp.name` or an overlay instead.',
    },
  }),
  'lock-conflict': defineDiagnostic<{ file: string }>({
    code: 'MCPG533',
    severity: 'error',
    message: ({ file }) =>
      `${file} contains conflict markers, so mcpgen cannot tell its own files from yours. Nothing was written.`,
    hint: ({ file }) =>
      `Resolve the sources, take either side of the lock (\`git checkout --ours -- ${file}\`), and run \`mcpgen generate\`. It rewrites the lock and all files that both branches generated, even with conflict markers.`,
    docs: {
      cause:
        'Two branches generated the project, and version control could not merge their locks. The lines of a lock depend on each other, so a manual merge cannot work.',
      fix: 'Resolve the sources first. Then take the lock of either side and run `mcpgen generate`, before or after you commit the merge. It rewrites generated files with or without conflict markers. Resolve your own files, such as package.json and owned files, by hand; `file-conflict` names them.',
      example: '<<<<<<< HEAD',
    },
  }),
};
