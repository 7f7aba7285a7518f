/** MCPG5xx: a run that is cut off, and two at a time. */
import { define } from '../../define.ts';

export const runDiagnostics = {
  'publish-targets-kept': define<{ targets: string; place: string }>({
    code: 'MCPG590',
    severity: 'info',
    message: ({ targets, place }) =>
      `The project keeps its files for publishing: \`publish\` in ${place} names ${targets} from now on.`,
    hint: 'Take a target out of `publish` in the configuration to remove its files.',
    docs: {
      cause:
        'mcpgen 0.1 gave every project a Dockerfile, server.json and other files for publishing. A new project gets them only for the targets that `publish` names. The first run of a newer mcpgen writes the targets whose files the project has into its configuration, or into mcpgen.lock where the configuration is code, YAML or shared, so no file is removed.',
      fix: 'Nothing has to be fixed. For a smaller project set `publish` in the configuration to the targets that you use, or to `[]`.',
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
    message: ({ file, line }) => `mcpgen does not edit ${file}. Paste this line into it: ${line}`,
    hint: 'Then run `mcpgen generate`, which writes the files that are missing.',
    docs: {
      cause:
        '`mcpgen publish init` and `--feature` edit a mcpgen.config.json of one server in the folder of its project. Code, YAML, a configuration of several servers and one that stands elsewhere stay as they are written.',
      fix: 'Paste the line that the message shows into the configuration, and run `mcpgen generate`.',
    },
  }),
  'rollback-failed': define<{ path: string; folder: string; reason: string }>({
    code: 'MCPG512',
    severity: 'error',
    message: ({ path, reason }) =>
      `Writing failed, and ${path} could not be put back (${reason}). The project is now part old, part new.`,
    hint: ({ folder }) => `The old files are in ${folder}: copy them back, or run mcpgen again.`,
    docs: {
      cause:
        'A write failed in the middle, and undoing the earlier ones failed as well, as happens when a disk goes away.',
      fix: 'Once the disk is well, copy the files of the folder named in the message back, or generate again.',
    },
  }),
  'leftover-folder': define<{ folder: string }>({
    code: 'MCPG513',
    severity: 'warning',
    message: ({ folder }) =>
      `The temporary folder ${folder} could not be removed. The project itself is complete.`,
    hint: 'Delete the folder.',
    docs: {
      cause:
        'mcpgen prepares all files in a temporary folder and removes it at the end; the operating system refused that, perhaps because another program had a file open.',
      fix: 'Delete the folder by hand.',
    },
  }),
  'run-undone': define<{ dir: string; saved: string; place: 'repository' | 'folder' }>({
    code: 'MCPG523',
    severity: 'info',
    message: ({ dir, saved }) =>
      `An earlier run of mcpgen was ended while it changed ${dir}; what it had done was undone first.${saved === '' ? '' : ` Files that were changed since are left as they are; what stood there before that run is kept as ${saved}.`}`,
    hint: ({ saved, place }) =>
      place === 'repository'
        ? '`git status` shows whether the project is as you want it, for instance where another branch was checked out since.'
        : saved === ''
          ? 'Nothing has to be done: the project is as it was before that run.'
          : 'Compare each copy with the file beside it, and delete it when you do not need it.',
    docs: {
      cause:
        'mcpgen was killed, or the machine went down, between the first and the last file of a project. The journal that it had written told this run how to put the project back as it was.',
      fix: 'Where no copies are named nothing has to be done: the project is whole, and this run has gone on from there. A file that was neither as before nor as that run wrote it was changed in between, by a person or a checkout of git: it stays, and what stood there before is beside it as <name>.orig.',
    },
  }),
  'journal-damaged': define<{ folder: string }>({
    code: 'MCPG524',
    severity: 'error',
    message: ({ folder }) =>
      `${folder} was left by a run of mcpgen that was ended, and its journal cannot be read, so that run cannot be undone. Nothing was changed.`,
    hint: ({ folder }) =>
      `Restore the project from version control, or copy what is missing from ${folder}/old, which holds the files as they were. Then delete ${folder}.`,
    docs: {
      cause:
        'A run that was killed while it changed a project leaves a folder with copies of what it replaced and a journal. The journal carries the signature of this user, and yet it is none that this version of mcpgen can read: another version wrote it.',
      fix: 'Put the project in order by hand, from version control or from the copies in `old/`, and delete the folder.',
    },
  }),
  'leftover-foreign': define<{ folder: string }>({
    code: 'MCPG571',
    severity: 'warning',
    message: ({ folder }) =>
      `${folder} looks like the leftover of a run of mcpgen that was ended, but mcpgen did not write it for you on this machine, or it is in version control, or has links in it. It was ignored: nothing of it is used or removed.`,
    hint: ({ folder }) =>
      `If it came with the repository, delete it. If a run of yours was cut off, ${folder}/old has the files as they were: restore the project from version control or from there, then delete the folder.`,
    docs: {
      cause:
        'A run that is killed leaves a folder `.mcpgen-<process>-<random>-<signature>` with copies of files and a journal, and the next run undoes it and removes the folder. Such a folder can also come with a repository or an archive, and would then move files where its author wants them. So its name and its journal count only with signatures by a key that mcpgen keeps in the cache folder of the user (`$XDG_CACHE_HOME/mcpgen/journal.key`, by default below `~/.cache`, `~/Library/Caches` or `%LOCALAPPDATA%`), for this folder of this project. It does not count where version control has the folder, where something in it is a link, or where the key is gone or could not be written. mcpgen 0.1.0 signed no names, so what a run of it has left is reported as well.',
      fix: 'Delete the folder when it is not yours. When a run of yours was cut off, restore the project from version control, or copy what is missing from `old/` in that folder, and delete it then.',
    },
  }),
  'leftover-found': define<{ dir: string; folder: string }>({
    code: 'MCPG572',
    severity: 'warning',
    message: ({ dir, folder }) =>
      `A run of mcpgen was ended while it worked on ${dir}, and left ${folder}. The project may be part old, part new.`,
    hint: 'Run `mcpgen generate`, which puts the project back as it was before that run, and goes on from there.',
    docs: {
      cause:
        'mcpgen was killed, or the machine went down, before it was done. This command writes nothing, so it does not repair the project either.',
      fix: 'Run `mcpgen generate` for the project, or compile into the folder again: the first thing that it does is to undo the run that was ended.',
    },
  }),
  'project-in-use': define<{ dir: string; folder: string; process: number }>({
    code: 'MCPG525',
    severity: 'error',
    message: ({ dir, process }) =>
      `Another run of mcpgen (process ${String(process)}) is writing to ${dir}. Nothing was changed.`,
    hint: ({ folder, process }) =>
      `Run again when it is done. When process ${String(process)} is something else, delete ${folder}.`,
    docs: {
      cause:
        'Two runs that write one project at the same time would mix their files: two servers with one output folder, or a `--watch` beside a build.',
      fix: 'Run them one after the other, and give each server a folder of its own.',
    },
  }),
  'project-changed-meanwhile': define<{ dir: string }>({
    code: 'MCPG526',
    severity: 'error',
    message: ({ dir }) =>
      `Another run of mcpgen has changed ${dir} since this one looked at it. Nothing was changed by this one.`,
    hint: 'Run again.',
    docs: {
      cause:
        'mcpgen.lock is not what it was when this run compared the project with what it would write: a run that was faster has written it, or has made the folder, which was not there.',
      fix: 'Run again. When it happens often, two servers share one output folder: give each a folder of its own.',
    },
  }),
};
