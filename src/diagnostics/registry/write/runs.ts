/** MCPG5xx: interrupted and concurrent runs, and publishing targets. */
import { define } from '../../define.ts';

export const runDiagnostics = {
  'publish-targets-kept': define<{ targets: string; place: string }>({
    code: 'MCPG590',
    severity: 'info',
    message: ({ targets, place }) =>
      `The project keeps its files for publishing: \`publish\` in ${place} now names ${targets}.`,
    hint: 'To remove the files of a target, remove it from `publish` in the configuration.',
    docs: {
      cause:
        'mcpgen 0.1 added a Dockerfile, server.json and other publishing files to every project. New projects only get those for the targets in `publish`. The first run of a newer mcpgen adds the targets of existing files to the configuration, or to mcpgen.lock if the configuration is code, YAML or shared. It removes no files.',
      fix: 'Nothing. For a smaller project, set `publish` in the configuration to the targets you use, or to `[]`.',
    },
  }),
  'features-kept': define<{ features: string; place: string }>({
    code: 'MCPG592',
    severity: 'info',
    message: ({ features, place }) =>
      `The project keeps the features that mcpgen 0.1 gave it: \`features\` in ${place} names ${features} from now on.`,
    hint: 'Take features that you do not use out of `features` in the configuration: the project gets smaller.',
    docs: {
      cause:
        'mcpgen 0.1 gave every project all features of the runtime. A new project gets stdio, http, audit, what its sources need, and what `features` names. The first run of a newer mcpgen writes the features of 0.1 into the configuration, or into mcpgen.lock if the configuration is code, YAML or shared, so the server keeps all its flags.',
      fix: 'Nothing has to be fixed. For a smaller project set `features` in the configuration to those that you use.',
    },
  }),
  'made-by-earlier': define<{ compiler: string }>({
    code: 'MCPG593',
    severity: 'error',
    message: ({ compiler }) => `The project was made by mcpgen ${compiler}: run \`mcpgen generate\`.`,
    hint: 'It rewrites the generated files, keeps what you edited, and keeps all features and files for publishing.',
    docs: {
      cause:
        'The lock has the format of an earlier mcpgen, whose projects had other files. A check against what this mcpgen writes would list nearly all of them.',
      fix: 'Run `mcpgen generate`, commit the result, and check again.',
    },
  }),
  'targets-not-added': define<{ file: string; line: string }>({
    code: 'MCPG591',
    severity: 'error',
    message: ({ file, line }) => `mcpgen does not edit ${file}. Add this line to it: ${line}`,
    hint: 'Then run `mcpgen generate`, which writes the missing files.',
    docs: {
      cause:
        "`mcpgen publish init` and `--feature` only edit a mcpgen.config.json for one server in the project's folder. They do not change code, YAML, configurations of several servers, or those in other folders.",
      fix: 'Add the line in the message to the configuration, and run `mcpgen generate`.',
    },
  }),
  'rollback-failed': define<{ path: string; folder: string; reason: string }>({
    code: 'MCPG512',
    severity: 'error',
    message: ({ path, reason }) =>
      `Writing failed, and ${path} could not be restored (${reason}). The project now contains old and new files.`,
    hint: ({ folder }) => `The old files are in ${folder}: copy them back, or run mcpgen again.`,
    docs: {
      cause:
        'A write failed, and undoing the earlier ones also failed, for example because a disk was disconnected.',
      fix: 'Once the disk works, copy the files back from the folder in the message, or generate again.',
    },
  }),
  'leftover-folder': define<{ folder: string }>({
    code: 'MCPG513',
    severity: 'warning',
    message: ({ folder }) => `The temporary folder ${folder} could not be removed. The project is complete.`,
    hint: 'Delete the folder.',
    docs: {
      cause:
        'mcpgen prepares files in a temporary folder. The operating system refused to remove it, perhaps because another program had a file open.',
      fix: 'Delete the folder.',
    },
  }),
  'run-undone': define<{ dir: string; saved: string; place: 'repository' | 'folder' }>({
    code: 'MCPG523',
    severity: 'info',
    message: ({ dir, saved }) =>
      `An earlier run of mcpgen was interrupted while it changed ${dir}, so it was undone first.${saved === '' ? '' : ` Files that changed since then are unchanged; their versions before that run are kept as ${saved}.`}`,
    hint: ({ saved, place }) =>
      place === 'repository'
        ? 'Check the project with `git status`, for example if you switched branches since then.'
        : saved === ''
          ? 'Nothing to do: the project is as it was before that run.'
          : 'Compare each copy with the file beside it, then delete it.',
    docs: {
      cause:
        'mcpgen was killed, or the machine stopped, while it wrote a project. This run restored the project from its journal.',
      fix: 'If the message names no copies, the project is complete, and this run continued from there. Otherwise, a person or git changed a file in between: the file stays, and its earlier version is beside it as <name>.orig.',
    },
  }),
  'journal-damaged': define<{ folder: string }>({
    code: 'MCPG524',
    severity: 'error',
    message: ({ folder }) =>
      `An interrupted run of mcpgen left ${folder}, but its journal is unreadable, so that run cannot be undone. Nothing was changed.`,
    hint: ({ folder }) =>
      `Restore the project from version control, or copy missing files from ${folder}/old, which has the previous versions. Then delete ${folder}.`,
    docs: {
      cause:
        "A run that is killed leaves a folder with copies of replaced files and a journal. The journal has this user's signature, but another version of mcpgen wrote it in a different format.",
      fix: 'Repair the project from version control or from the copies in `old/`, and delete the folder.',
    },
  }),
  'leftover-foreign': define<{ folder: string }>({
    code: 'MCPG571',
    severity: 'warning',
    message: ({ folder }) =>
      `${folder} looks like the leftover of an interrupted run of mcpgen, but mcpgen did not write it for you on this machine, or it is in version control or contains links. It is ignored.`,
    hint: ({ folder }) =>
      `If it came with the repository, delete it. If one of your runs was interrupted, restore the project from version control or from ${folder}/old, which has the previous files. Then delete the folder.`,
    docs: {
      cause:
        "An interrupted run leaves a folder `.mcpgen-<process>-<random>-<signature>` with copies of files and a journal, which the next run undoes and removes. A repository or archive could contain a fake one that moves files. So mcpgen requires signatures for this folder with a key from the user's cache folder (`$XDG_CACHE_HOME/mcpgen/journal.key`, by default in `~/.cache`, `~/Library/Caches` or `%LOCALAPPDATA%`). It ignores folders in version control, folders with links, and all if the key is missing. Leftovers of mcpgen 0.1.0, which signed no names, are also reported.",
      fix: 'Delete the folder if it is not yours. If one of your runs was interrupted, restore the project from version control or from `old/` in that folder, then delete it.',
    },
  }),
  'leftover-found': define<{ dir: string; folder: string }>({
    code: 'MCPG572',
    severity: 'warning',
    message: ({ dir, folder }) =>
      `A run of mcpgen was interrupted while it wrote ${dir}, and left ${folder}. The project may contain old and new files.`,
    hint: 'Run `mcpgen generate`, which first undoes the interrupted run.',
    docs: {
      cause:
        'mcpgen was killed, or the machine stopped, before it finished. This command writes nothing, so it does not repair the project.',
      fix: 'Run `mcpgen generate` for the project, or compile to the folder again, which first undoes the interrupted run.',
    },
  }),
  'project-in-use': define<{ dir: string; folder: string; process: number }>({
    code: 'MCPG525',
    severity: 'error',
    message: ({ dir, process }) =>
      `Another run of mcpgen (process ${String(process)}) is writing to ${dir}. Nothing was changed.`,
    hint: ({ folder, process }) =>
      `Run again when it has finished. If process ${String(process)} is another program, delete ${folder}.`,
    docs: {
      cause:
        'Two runs that write the same project would mix their files, for example two servers with one output folder, or `--watch` during a build.',
      fix: 'Run them one after the other, and give each server its own folder.',
    },
  }),
  'project-changed-meanwhile': define<{ dir: string }>({
    code: 'MCPG526',
    severity: 'error',
    message: ({ dir }) => `Another run of mcpgen changed ${dir} during this one. This run changed nothing.`,
    hint: 'Run again.',
    docs: {
      cause:
        'mcpgen.lock changed after this run compared the project with its output: another run wrote it, or created the folder.',
      fix: 'Run again. If this happens often, two servers share one output folder: give each its own.',
    },
  }),
};
