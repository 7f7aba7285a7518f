/** MCPG5xx: the folder that a project is written to. */
import { codeSpan } from '../../code-span.ts';
import { define } from '../../define.ts';
import { aboutCopies } from './copies.ts';

export const targetDiagnostics = {
  'target-not-a-folder': define<{ dir: string; is: 'a file' | 'a link that leads nowhere' }>({
    code: 'MCPG501',
    severity: 'error',
    message: ({ dir, is }) => `${dir} is ${is}, so no project can be written there.`,
    hint: ({ is }) =>
      is === 'a file'
        ? 'Name another folder with -o.'
        : 'Make the folder that it should lead to, delete the link, or name another folder with -o.',
    docs: {
      cause:
        'The target of -o exists and is not a folder: it is a file, or a symbolic link whose target is not there. mcpgen writes a whole project folder, and replaces no file by one.',
      fix: 'Give -o a folder that does not exist yet, is empty, or holds a project mcpgen wrote.',
      example: 'mcpgen openapi petstore.yaml -o README.md',
    },
  }),
  'output-reserved': define<{ file: string; folder: string }>({
    code: 'MCPG567',
    severity: 'error',
    message: ({ file, folder }) =>
      `${file} places the project in ${folder}, which is below .git or node_modules. git and npm keep their own files there, and mcpgen would overwrite and remove files among them. Nothing was written.`,
    hint: 'Name another folder as `output`, or look at where the links on the way lead.',
    docs: {
      cause:
        "The configuration's `output`, links followed, leads into `.git` or `node_modules` of the repository. What is written there can become a hook of git or a module that a later command runs, so a configuration, which may be a stranger's, cannot place a project there.",
      fix: 'Name a folder beside the sources. A folder below `node_modules` that you do mean is named on the command line, with `-o` or `--allow-output`.',
      example: '{ "source": "petstore.yaml", "output": "node_modules/petstore" }',
    },
  }),
  'target-not-empty': define<{ dir: string; files: string }>({
    code: 'MCPG502',
    severity: 'error',
    message: ({ dir, files }) =>
      `${dir} is not empty and mcpgen did not write it: it holds ${files}. Nothing was written, so that your files and generated ones are not mixed by accident.`,
    hint: 'Name another folder with -o, or add --force to write the project beside these files.',
    docs: {
      cause:
        'The target folder has files but no mcpgen.lock, so it is probably not meant to become a generated project. Hidden files and folders such as .git do not count; nor does a configuration that makes its own folder the project, with the documents that it names.',
      fix: 'Use an empty or new folder. With --force the project is written there all the same: unrelated files stay untouched, and a file of yours that is in the way is kept as <name>.orig.',
      example: 'mcpgen openapi petstore.yaml -o .',
    },
  }),
  'file-not-ours': define<{ dir: string; files: string; lock: 'there' | 'none' }>({
    code: 'MCPG503',
    severity: 'error',
    message: ({ dir, files }) =>
      `In ${dir} mcpgen would overwrite files it did not write: ${files}. Nothing was written.`,
    hint: ({ lock }) =>
      lock === 'there'
        ? 'The project has files of these names now, which it did not have when it was last written. Rename yours or move them away; or add --force: each is then kept as <name>.orig.'
        : 'If mcpgen.lock was lost, restore it from version control, or add --rebuild-lock. Otherwise move these files away, or add --force: each is then kept as <name>.orig, and package.json is merged.',
    docs: {
      cause:
        'Files that belong to the emitted project exist already, are not listed in its mcpgen.lock, and hold something else. Overwriting them would lose your work.',
      fix: 'Move or delete them, name another folder with -o, or pass --force, which keeps each one as <name>.orig and adds to package.json what is missing there. When the folder is a project whose mcpgen.lock was lost, restore the lock, or run `mcpgen generate` with --rebuild-lock, which takes the names of tools from `src/generated/bindings.json`: without a lock edited files cannot be told from others.',
    },
  }),
  'target-not-writable': define<{ path: string; reason: string }>({
    code: 'MCPG507',
    severity: 'error',
    message: ({ path, reason }) => `${path} cannot be written (${reason}). Nothing was changed.`,
    hint: 'Check the permissions of the folder it is in, or name another one with -o.',
    docs: {
      cause:
        'The operating system refuses to write: the folder is read-only, belongs to somebody else, or its file system is mounted read-only.',
      fix: 'Change its permissions (chmod, chown), or write somewhere else with -o.',
    },
  }),
  'target-not-readable': define<{ path: string; reason: string }>({
    code: 'MCPG570',
    severity: 'error',
    message: ({ path, reason }) => `${path} cannot be read (${reason}). Nothing was changed.`,
    hint: 'Check its permissions, and those of the folders it is in.',
    docs: {
      cause:
        'mcpgen reads what stands in a project before it writes there, so that no edit is lost and handlers are built. The operating system refuses to read a file or folder of it: it belongs to somebody else, or its permissions forbid it.',
      fix: 'Change its permissions (chmod, chown), and run again.',
    },
  }),
  'disk-full': define<{ path: string }>({
    code: 'MCPG508',
    severity: 'error',
    message: ({ path }) => `There is no room left to write ${path}. Nothing was changed.`,
    hint: 'Free some space, or name a folder on another disk with -o.',
    docs: {
      cause:
        'The disk or your quota on it is full. mcpgen writes everything beside the target first, so the project is as it was.',
      fix: 'Free space and run again.',
    },
  }),
  'file-size-limit': define<{ path: string }>({
    code: 'MCPG538',
    severity: 'error',
    message: ({ path }) =>
      `${path} could not be written: a file there would be larger than files may be here (EFBIG). Nothing was changed.`,
    hint: 'Raise the limit of the shell or the service that mcpgen runs in: `ulimit -f` shows it, `ulimit -f unlimited` lifts it, and LimitFSIZE sets it in a unit of systemd.',
    docs: {
      cause:
        'The operating system limits the size of the files that a process writes, and a file of the project is larger. Seldom the file system itself knows no files of that size. What had been written was taken back.',
      fix: 'Raise the limit, and run again.',
      example: '(ulimit -f 100; mcpgen openapi petstore.yaml)',
    },
  }),
  'path-in-the-way': define<{ path: string }>({
    code: 'MCPG509',
    severity: 'error',
    message: ({ path }) =>
      `${path} is in the way: a file and a folder cannot have the same name. Nothing was written.`,
    hint: 'Move it away, or name another folder with -o.',
    docs: {
      cause:
        'mcpgen has to write a file where a folder (or something that is no file) is, or a folder where a file is. It removes neither, not even with --force.',
      fix: 'Move or delete what is in the way.',
    },
  }),
  'path-outside-target': define<{ path: string }>({
    code: 'MCPG510',
    severity: 'error',
    message: ({ path }) =>
      `${path} is a symbolic link, and writing through it could change files outside the project. Nothing was written.`,
    hint: 'Replace the link by a real file or folder.',
    docs: {
      cause:
        'A file that mcpgen has to write is a symbolic link, or lies in a folder that links out of the target. mcpgen never writes outside the target folder.',
      fix: 'Remove the link, or point -o at the real folder.',
    },
  }),
  'write-failed': define<{ path: string; reason: string }>({
    code: 'MCPG511',
    severity: 'error',
    message: ({ path, reason }) => `Writing ${path} failed: ${reason}. Nothing was changed.`,
    hint: 'Run again; if it persists, name a folder on another disk with -o.',
    docs: {
      cause:
        'The operating system reported an error that mcpgen has no better words for. What had been written was taken back.',
      fix: 'Look up the error of the operating system, and run again.',
    },
  }),
  'target-of-another': define<{ dir: string; there: string; name: string }>({
    code: 'MCPG534',
    severity: 'error',
    message: ({ dir, there, name }) =>
      `${dir} holds the project of another server, ${there}, and ${name} would replace it. Nothing was written.`,
    hint: 'Name another folder with -o, or add --force when the project is meant to become this server.',
    docs: {
      cause:
        'The server in the folder has another name, and was compiled from other documents. Two servers that write one folder would undo what the other has written, each time.',
      fix: 'Give each server a folder of its own: -o on the command line, `output` in a configuration.',
      example: 'mcpgen openapi orders.yaml -o petstore-mcp',
    },
  }),
  'project-renamed': define<{ there: string; name: string; file: string }>({
    code: 'MCPG551',
    severity: 'warning',
    message: ({ there, name }) =>
      `The server was called ${codeSpan(there)}, and is ${codeSpan(name)} now, as its source says: the package, its command, its name in the registry, the image and the bundle are called so too. Who has installed it by the old name is not told.`,
    hint: ({ there, name, file }) =>
      `To keep the old name, ${file === '' ? `run again with \`--name ${there}\`` : `give \`name\` in ${file} the value ${codeSpan(there)}`}; to take the new one for good, name ${codeSpan(name)} there.`,
    docs: {
      cause:
        'Nobody has named the server, so it is called by the title of its first source, or by the name that the source gives it. That is another than when the project was last written. It is told once, by the run that writes the new name; with --strict it is an error, and nothing is written.',
      fix: 'Pin the name before you publish: --name on the command line, `name` in the configuration. What is published under the old name stays there: a new name is a new package and a new entry in the registry.',
      example: 'mcpgen openapi petstore.yaml -o petstore-mcp # whose title has changed',
    },
  }),
  'project-beside': define<{ dir: string; there: string; output: string; file: string }>({
    code: 'MCPG564',
    severity: 'error',
    message: ({ dir, there }) =>
      `${dir} would be a new project, and ${there} beside it was generated from the same source. Nothing was written.`,
    hint: ({ there, output, file }) =>
      file === ''
        ? `To go on with it, run again with \`-o ${there}\`; to have a second project, name its folder with -o.`
        : `To go on with it, write \`output: ${JSON.stringify(output)}\` into ${file}; to have a second project, name its folder there, or run with --force.`,
    docs: {
      cause:
        'Nobody has named the folder, so it is called as the server, which takes its name from the title of the document. The title is another than it was: a new project would leave the handlers, the lock and the edits of the first one behind.',
      fix: 'Name the folder: `output` in a configuration, -o on the command line. With --force the new project is written.',
      example: 'mcpgen openapi petstore.yaml # whose title has changed',
    },
  }),
  'project-within': define<{ dir: string; outer: string }>({
    code: 'MCPG550',
    severity: 'warning',
    message: ({ dir, outer }) =>
      `${dir} is a new project within another one, ${outer}. Whatever packs or copies the outer folder takes the inner project with it, and a run of one does nothing for the other.`,
    hint: 'If that was not meant, delete the new folder, and name one beside the other project with -o.',
    docs: {
      cause:
        'A folder above the target has a mcpgen.lock, so it is a project itself. It is told once, when the inner project is made.',
      fix: 'Give each server a folder beside the others: `-o` on the command line is taken from the working folder, `output` from the folder of the configuration. Where the inner project is meant, nothing has to be done.',
      example: 'mcpgen openapi orders.yaml -o petstore-mcp/orders-mcp',
    },
  }),
  'project-missing': define<{ dir: string; command: string }>({
    code: 'MCPG518',
    severity: 'error',
    message: ({ dir }) =>
      `mcpgen has written no project to ${dir} (there is no mcpgen.lock), so there is nothing to compare with.`,
    hint: ({ command }) =>
      `Write it first: ${command === '' ? 'leave `--check` out' : `run \`${command}\``}.`,
    docs: {
      cause:
        '`mcpgen check` and `--check` compare a folder with what would be written, and mcpgen has not written it yet: the folder does not exist, or has no mcpgen.lock.',
      fix: 'Name the folder of the project with -o, or run the command without --check to write it.',
      example: 'mcpgen openapi petstore.yaml -o not-there --check',
    },
  }),
  'project-stale': define<{
    dir: string;
    count: number;
    edited: number;
    files: string;
    command: string;
    config: 'as it is' | 'edited';
    outer: string;
  }>({
    code: 'MCPG516',
    severity: 'error',
    message: ({ dir, count }) =>
      `${dir} is not what mcpgen would write: ${String(count)} ${count === 1 ? 'file differs' : 'files differ'}. Nothing was changed.`,
    hint: ({ dir, count, edited, files, command, config, outer }) => {
      if (config === 'edited')
        return `mcpgen.config.json was edited, and this run takes its settings from ${outer === '' ? 'the command line' : outer}. Run \`mcpgen generate ${dir}\` to compile with the file${outer === '' ? '' : `; or write what you have changed into ${outer}, and run \`${command} --force\`, which keeps the file as .orig`}.`;
      return edited < count
        ? `Run \`${command}\` and commit the result. Edits of generated files belong in src/handlers/ or in templates of yours.${aboutCopies(files, outer)}`
        : `Move the edits to src/handlers/ or to templates of yours, then run \`${command} --force\`, which keeps each edited file as .orig; or make the files yours with \`--keep\` or \`--merge\`.${aboutCopies(files, outer)}`;
    },
    docs: {
      cause:
        '`mcpgen check` compiled the project again in memory, and the files on disk differ: the document, the options or mcpgen changed since they were written, or a generated file was edited. mcpgen.config.json of the folder is one of them where the run takes its settings from elsewhere.',
      fix: 'Run `mcpgen generate <dir>` and commit what it writes; where the configuration stands elsewhere, the folder is that of the configuration. Put changes of your own in src/handlers/, which is never judged, or in templates of your own (`templates` in mcpgen.config.json).',
    },
  }),
  'source-not-kept': define({
    code: 'MCPG519',
    severity: 'info',
    message: () =>
      'The document came from standard input, so `mcpgen generate` will have nothing to read. To be able to compile this project again, save the document to a file and compile that.',
    docs: {
      cause:
        'mcpgen.config.json in the project names what it was compiled from, and standard input has no name.',
      fix: 'Save the document to a file and run `mcpgen openapi <file> -o <dir>` once: from then on `mcpgen generate` works. Or pipe it in each time.',
      example: 'curl -s https://api.example.com/openapi.json | mcpgen openapi -',
    },
  }),
  'secret-written': define<{ name: string; files: string }>({
    code: 'MCPG547',
    severity: 'warning',
    message: ({ name, files }) =>
      `The value of ${name}, by its name a secret, stands in what is generated: ${files}. Whoever reads these files has it.`,
    hint: 'Take it out of the configuration: the server reads credentials from the environment when it starts, and .env.example names their variables.',
    docs: {
      cause:
        'A text of the configuration has `${NAME}`, its value has become part of generated files, and these are meant to be committed and published. Names with words such as TOKEN, SECRET, PASSWORD or KEY are looked at; what other variables hold is written without a word.',
      fix: 'Let the server read the credential from its environment. Where only the compiler needs it, as in the address of a document, write it as user and password of the URL, which no file takes over.',
      example: '{ "source": "https://api.example.com/openapi.json?key=${API_KEY}" }',
    },
  }),
};
