/** MCPG5xx: the folder that a project is written to. */
import { defineDiagnostic } from '../define.ts';
import { quoteAsCodeSpan } from '../quoting.ts';
import { hintAboutAppCopies } from './edits.ts';

export const targetDiagnostics = {
  'target-not-a-folder': defineDiagnostic<{ dir: string; is: 'a file' | 'a link that leads nowhere' }>({
    code: 'MCPG501',
    severity: 'error',
    message: ({ dir, is }) => `${dir} is ${is}, so no project can be written there.`,
    hint: ({ is }) =>
      is === 'a file'
        ? 'Name another folder with -o.'
        : 'Create the folder that the link points to, delete the link, or name another folder with -o.',
    docs: {
      cause:
        'The target of -o exists but is a file, or a symbolic link without a target. mcpgen writes a folder and never replaces a file with it.',
      fix: 'Use a folder with -o that does not exist, is empty, or contains a project by mcpgen.',
      example: 'mcpgen openapi petstore.yaml -o README.md',
    },
  }),
  'output-reserved': defineDiagnostic<{ file: string; folder: string }>({
    code: 'MCPG567',
    severity: 'error',
    message: ({ file, folder }) =>
      `${file} places the project in ${folder}, inside .git or node_modules, where mcpgen would overwrite and remove files of git or npm. Nothing was written.`,
    hint: 'Name another folder as `output`, or check where links in its path lead.',
    docs: {
      cause:
        '`output` of the configuration, with links resolved, is in `.git` or `node_modules` of the repository. A file there can become a git hook or a module that a later command runs, so a configuration, perhaps by somebody else, cannot place a project there.',
      fix: 'Use a folder beside the sources. For a folder in `node_modules`, use `-o` or `--allow-output` on the command line.',
      example: '{ "source": "petstore.yaml", "output": "node_modules/petstore" }',
    },
  }),
  'golden-call-left-out': defineDiagnostic<{ tool: string; reason: string }>({
    code: 'MCPG585',
    severity: 'info',
    message: ({ tool, reason }) => `The wire test has no call of ${tool}. ${reason}`,
    hint: 'Calls of the tool are unaffected. Give its parameters and body examples that can be sent.',
    docs: {
      cause:
        'For each tool, mcpgen makes a call with sample arguments and writes the expected request to `test/wire.json`. Here no sample that the input schema accepts was found, or no request could be made of it.',
      fix: 'Add `example` to the parameters and the body, or correct their schemas. The tool works without: only `npm test` of the project does not check its requests.',
      example:
        'parameters:\n  - { name: code, in: query, schema: { type: string, pattern: ^(?!a)b$ }, example: b }',
    },
  }),
  'target-not-empty': defineDiagnostic<{ dir: string; files: string }>({
    code: 'MCPG502',
    severity: 'error',
    message: ({ dir, files }) =>
      `${dir} is not empty, and mcpgen did not write it: it contains ${files}. Nothing was written, to avoid mixing your files with generated ones.`,
    hint: 'Name another folder with -o, or add --force to write the project beside these files.',
    docs: {
      cause:
        'The target folder has files but no mcpgen.lock, so it probably should not become a project. mcpgen ignores hidden files and folders such as .git, and a configuration for this folder with its documents.',
      fix: 'Use an empty or new folder. --force writes the project anyway: other files stay, and each file in the way is kept as <name>.orig.',
      example: 'mcpgen openapi petstore.yaml -o .',
    },
  }),
  'file-not-ours': defineDiagnostic<{ dir: string; files: string; lock: 'there' | 'none' }>({
    code: 'MCPG503',
    severity: 'error',
    message: ({ dir, files }) =>
      `In ${dir}, mcpgen would overwrite files that it did not write: ${files}. Nothing was written.`,
    hint: ({ lock }) =>
      lock === 'there'
        ? 'The project now needs these names for its own files. Rename or move yours, or add --force, which keeps each as <name>.orig.'
        : 'If mcpgen.lock was lost, restore it from version control, or add --rebuild-lock. Otherwise, move these files, or add --force, which keeps each as <name>.orig and merges package.json.',
    docs: {
      cause:
        'Files of the emitted project already exist with other contents and are not listed in its mcpgen.lock. Overwriting them would lose your work.',
      fix: 'Move or delete them, name another folder with -o, or add --force, which keeps each as <name>.orig and adds missing members to package.json. If mcpgen.lock was lost, restore it, or run `mcpgen generate --rebuild-lock`, which takes tool names from `src/generated/bindings.json`. Without a lock, mcpgen cannot tell edited files from others.',
    },
  }),
  'target-not-writable': defineDiagnostic<{ path: string; reason: string }>({
    code: 'MCPG507',
    severity: 'error',
    message: ({ path, reason }) => `${path} cannot be written (${reason}). Nothing was changed.`,
    hint: 'Check the permissions of its folder, or name another folder with -o.',
    docs: {
      cause:
        'The operating system refuses to write: the folder is read-only, belongs to another user, or is on a read-only file system.',
      fix: 'Change its permissions (chmod, chown), or write to another folder with -o.',
    },
  }),
  'target-not-readable': defineDiagnostic<{ path: string; reason: string }>({
    code: 'MCPG570',
    severity: 'error',
    message: ({ path, reason }) => `${path} cannot be read (${reason}). Nothing was changed.`,
    hint: 'Check its permissions, and those of its parent folders.',
    docs: {
      cause:
        'mcpgen reads a project before it writes, to keep edits and build handlers. The operating system refuses to read a file or folder of it because of its owner or permissions.',
      fix: 'Change its permissions (chmod, chown), and run again.',
    },
  }),
  'disk-full': defineDiagnostic<{ path: string }>({
    code: 'MCPG508',
    severity: 'error',
    message: ({ path }) => `There is no space left to write ${path}. Nothing was changed.`,
    hint: 'Free some space, or use a folder on another disk with -o.',
    docs: {
      cause:
        'The disk or your quota is full. mcpgen first writes everything beside the target, so the project is unchanged.',
      fix: 'Free space and run again.',
    },
  }),
  'file-size-limit': defineDiagnostic<{ path: string }>({
    code: 'MCPG538',
    severity: 'error',
    message: ({ path }) =>
      `${path} could not be written, since it exceeds the limit for file sizes (EFBIG). Nothing was changed.`,
    hint: 'Raise the limit of the shell or service that runs mcpgen: `ulimit -f` shows it, `ulimit -f unlimited` removes it, and LimitFSIZE sets it in a systemd unit.',
    docs: {
      cause:
        'The operating system limits the size of files that a process writes, and a file of the project exceeds it. Rarely, the file system itself has such a limit. mcpgen undid its earlier writes.',
      fix: 'Raise the limit, and run again.',
      example: '(ulimit -f 100; mcpgen openapi petstore.yaml)',
    },
  }),
  'path-in-the-way': defineDiagnostic<{ path: string }>({
    code: 'MCPG509',
    severity: 'error',
    message: ({ path }) =>
      `${path} is in the way, since a file and a folder cannot have the same name. Nothing was written.`,
    hint: 'Move it, or name another folder with -o.',
    docs: {
      cause:
        'mcpgen has to write a file in place of a folder (or another non-file), or a folder in place of a file. It removes neither, even with --force.',
      fix: 'Move or delete it.',
    },
  }),
  'path-outside-target': defineDiagnostic<{ path: string }>({
    code: 'MCPG510',
    severity: 'error',
    message: ({ path }) =>
      `${path} is a symbolic link, and writing through it could change files outside the project. Nothing was written.`,
    hint: 'Replace the link with a real file or folder.',
    docs: {
      cause:
        'A file to be written is a symbolic link, or a parent folder links out of the target. mcpgen never writes outside the target folder.',
      fix: 'Remove the link, or point -o at the real folder.',
    },
  }),
  'write-failed': defineDiagnostic<{ path: string; reason: string }>({
    code: 'MCPG511',
    severity: 'error',
    message: ({ path, reason }) => `Writing ${path} failed: ${reason}. Nothing was changed.`,
    hint: 'Run again. If it fails again, use a folder on another disk with -o.',
    docs: {
      cause: 'The operating system reported an unexpected error. mcpgen undid its earlier writes.',
      fix: 'Look up the error, and run again.',
    },
  }),
  'target-of-another': defineDiagnostic<{ dir: string; there: string; name: string }>({
    code: 'MCPG534',
    severity: 'error',
    message: ({ dir, there, name }) =>
      `${dir} contains the project of another server, ${there}, which ${name} would replace. Nothing was written.`,
    hint: 'Name another folder with -o, or add --force if the project should become this server.',
    docs: {
      cause:
        'The server in the folder has another name and other sources. Two servers in one folder would overwrite each other on every run.',
      fix: 'Give each server its own folder with -o, or with `output` in a configuration.',
      example: 'mcpgen openapi orders.yaml -o petstore-mcp',
    },
  }),
  'project-renamed': defineDiagnostic<{ there: string; name: string; file: string }>({
    code: 'MCPG551',
    severity: 'warning',
    message: ({ there, name }) =>
      `The server ${quoteAsCodeSpan(there)} becomes ${quoteAsCodeSpan(name)}, like its source. So do its package, command, registry name, image and bundle. Users who installed it are not notified.`,
    hint: ({ there, name, file }) =>
      `To keep the old name, ${file === '' ? `run again with \`--name ${there}\`` : `give \`name\` in ${file} the value ${quoteAsCodeSpan(there)}`}; to confirm the new one, set ${quoteAsCodeSpan(name)} there.`,
    docs: {
      cause:
        "The server's name comes from the title of its first source, or from the name in that source, and differs from the last run. mcpgen reports this once, when it writes the new name; with --strict, it is an error, and nothing is written.",
      fix: 'Set the name before you publish: --name on the command line, `name` in the configuration. Publications under the old name remain; a new name is a new package and registry entry.',
      example: 'mcpgen openapi petstore.yaml -o petstore-mcp # whose title has changed',
    },
  }),
  'project-beside': defineDiagnostic<{ dir: string; there: string; output: string; file: string }>({
    code: 'MCPG564',
    severity: 'error',
    message: ({ dir, there }) =>
      `${dir} would be a new project, but ${there} beside it came from the same source. Nothing was written.`,
    hint: ({ there, output, file }) =>
      file === ''
        ? `To continue with it, run again with \`-o ${there}\`. For a second project, name its folder with -o.`
        : `To continue with it, write \`output: ${JSON.stringify(output)}\` into ${file}. For a second project, name its folder there, or run with --force.`,
    docs: {
      cause:
        "The folder's name comes from the document's title, which changed. A new project would lack the handlers, the lock and the edits of the first one.",
      fix: 'Name the folder with `output` in a configuration or -o on the command line. --force writes the new project.',
      example: 'mcpgen openapi petstore.yaml # whose title has changed',
    },
  }),
  'project-within': defineDiagnostic<{ dir: string; outer: string }>({
    code: 'MCPG550',
    severity: 'warning',
    message: ({ dir, outer }) =>
      `${dir} is a new project inside another project, ${outer}. Packing or copying the outer folder includes the inner project, and each needs its own run.`,
    hint: 'If this is a mistake, delete the new folder, and name one beside the other project with -o.',
    docs: {
      cause:
        'A parent folder of the target has a mcpgen.lock, so it is also a project. mcpgen reports this once, when it creates the inner project.',
      fix: 'Use folders beside each other: `-o` is relative to the working folder, `output` to the folder of the configuration. If the inner project is intended, ignore this.',
      example: 'mcpgen openapi orders.yaml -o petstore-mcp/orders-mcp',
    },
  }),
  'project-missing': defineDiagnostic<{ dir: string; command: string }>({
    code: 'MCPG518',
    severity: 'error',
    message: ({ dir }) =>
      `${dir} contains no project by mcpgen (no mcpgen.lock), so there is nothing to compare with.`,
    hint: ({ command }) =>
      `Write it first: ${command === '' ? 'leave `--check` out' : `run \`${command}\``}.`,
    docs: {
      cause:
        '`mcpgen check` and `--check` compare a folder with new output, but the folder does not exist or has no mcpgen.lock.',
      fix: 'Name the folder of the project with -o, or run the command without --check to write it.',
      example: 'mcpgen openapi petstore.yaml -o not-there --check',
    },
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
    severity: 'error',
    message: ({ dir, count }) =>
      `${dir} is out of date: ${String(count)} ${count === 1 ? 'file differs' : 'files differ'}. Nothing was changed.`,
    hint: ({ count, edited, files, command, configuration }) =>
      edited < count
        ? `Run \`${command}\` and commit the result. Edits of generated files belong in src/handlers/ or in your templates.${hintAboutAppCopies(files, configuration)}`
        : `Move the edits to src/handlers/ or to your templates, then run \`${command} --force\`, which keeps each edited file as .orig; or make the files yours with \`--keep\` or \`--merge\`.${hintAboutAppCopies(files, configuration)}`,
    docs: {
      cause:
        '`mcpgen check` compiled the project in memory, and the files on disk differ: the document, options or mcpgen changed, or a generated file was edited.',
      fix: 'Run `mcpgen generate <dir>` with the folder of the configuration, and commit the result. Put your own changes into src/handlers/, which is never compared, or into your templates (`templates` in the configuration).',
    },
  }),
  'source-not-kept': defineDiagnostic({
    code: 'MCPG519',
    severity: 'info',
    message: () =>
      'The document came from standard input, so `mcpgen generate` cannot read it again. To compile this project again, save the document to a file and compile that.',
    docs: {
      cause: 'mcpgen.config.json names the source of the project, but standard input has no name.',
      fix: 'Save the document to a file and run `mcpgen openapi <file> -o <dir>` once, or pipe it in each time.',
      example: 'curl -s https://api.example.com/openapi.json | mcpgen openapi -',
    },
  }),
  'secret-written': defineDiagnostic<{ name: string; files: string }>({
    code: 'MCPG547',
    severity: 'warning',
    message: ({ name, files }) =>
      `The value of ${name}, which appears to be a secret, is in generated files: ${files}. Anyone who reads them has it.`,
    hint: 'Remove it from the configuration. The server reads credentials from environment variables at start, listed in .env.example.',
    docs: {
      cause:
        'A string in the configuration contains `${NAME}`, and its value is part of generated files, which are committed and published. mcpgen checks names with words such as TOKEN, SECRET, PASSWORD or KEY, but no others.',
      fix: 'Let the server read the credential from its environment. If only the compiler needs it, such as in the URL of a document, use the user and password of the URL, which no file contains.',
      example: '{ "source": "https://api.example.com/openapi.json?key=${API_KEY}" }',
    },
  }),
};

export const handlerDiagnostics = {
  'handlers-not-compiled': defineDiagnostic<{ file: string; reason: string }>({
    code: 'MCPG515',
    severity: 'error',
    message: ({ file, reason }) =>
      `${file} is not valid TypeScript (${reason}), so the server could not start. Nothing was written.`,
    hint: 'Correct it and run mcpgen again.',
    docs: {
      cause: 'mcpgen compiles edited handlers to dist/, and one of them has a syntax error.',
      fix: 'Correct the file. mcpgen does not check its types; `npm run build` does.',
    },
  }),
  'handler-import-not-found': defineDiagnostic<{ file: string; specifier: string }>({
    code: 'MCPG517',
    severity: 'error',
    message: ({ file, specifier }) =>
      `${file} imports "${specifier}", which does not exist, so the server could not start. Nothing was written.`,
    hint: ({ specifier }) =>
      specifier.startsWith('.')
        ? 'Correct the path. mcpgen compiles modules in src/handlers/, `npm run build` also compiles others. The runtime is ../runtime/index.ts and ../runtime/definition.ts.'
        : 'Install the package in the project, or remove the import.',
    docs: {
      cause:
        'A module in src/handlers/ imports a file or package that Node will not find beside the compiled module in dist/ or in node_modules.',
      fix: 'Correct the import, move the module to src/handlers/, or install the package with `npm install <package>` in the project, which also adds it to package.json. From the runtime, import only `../runtime/index.ts` or `../runtime/definition.ts`.',
      example: "import { price } from './prices.ts';",
    },
  }),
  'handler-not-read': defineDiagnostic<{ file: string; name: string }>({
    code: 'MCPG552',
    severity: 'warning',
    message: ({ file, name }) =>
      `${file} exports ${quoteAsCodeSpan(name)}, but the server only reads \`handlers\`.`,
    hint: ({ name }) => `Make it a member: \`export const handlers = { ${name} };\`.`,
    docs: {
      cause:
        'src/handlers/index.ts exports a name of a handler, such as `beforeRequest`, beside `handlers` but does not use it there, so the server never calls it.',
      fix: 'Add it to `handlers`. If it has another purpose, rename it.',
      example: 'export const handlers = {};\nexport const beforeRequest = (request) => {};',
    },
  }),
  'handler-without-tool': defineDiagnostic<{ file: string; tool: string; suggestion?: string }>({
    code: 'MCPG542',
    severity: 'error',
    message: ({ file, tool }) =>
      `${file} replaces the tool ${quoteAsCodeSpan(tool)}, which does not exist, so the server would not start. Nothing was written.`,
    hint: ({ suggestion }) =>
      suggestion === undefined
        ? 'Remove it from `tools`, or move an additional tool to `extraTools`.'
        : `Did you mean ${quoteAsCodeSpan(suggestion)}? Otherwise, remove it from \`tools\`, or move an additional tool to \`extraTools\`.`,
    docs: {
      cause:
        'A key of `tools` in src/handlers/index.ts matches no tool: the operation was removed, is no longer selected, or its tool was renamed. The server checks this and stops when it starts.',
      fix: 'Rename or remove the key. mcpgen checks literal keys; only the server checks spread or computed ones.',
      example: 'export const handlers = { tools: { deletePet: () => "no" } };',
    },
  }),
};

export const overlayDiagnostics = {
  'nothing-to-overlay': defineDiagnostic<{ source: string }>({
    code: 'MCPG563',
    severity: 'error',
    message: ({ source }) =>
      `No overlay was written: each tool of ${source} comes from an operation in another file, but an overlay only changes its own document.`,
    hint: 'Name the file with the operations, or combine the files into one document.',
    docs: {
      cause:
        'An OpenAPI Overlay changes one file. Here, all paths are `$ref`s to other files, so the overlay would have no actions.',
      fix: 'Edit the files themselves (`x-mcp`), or combine them and write an overlay for the result.',
      example: 'paths:\n  /pets: { $ref: ./pets.yaml }',
    },
  }),
};
