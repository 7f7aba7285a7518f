/** MCPG5xx: `mcpgen.lock`. */
import { codeSpan, shellWord } from '../../code-span.ts';
import { define } from '../../define.ts';

function rebuildCommand(file: string): string {
  const dir = file.replace(/[\\/]?mcpgen\.lock$/, '');
  return codeSpan(`mcpgen generate ${shellWord(dir === '' ? '.' : dir)} --rebuild-lock`);
}

export const lockDiagnostics = {
  'invalid-lock': define<{ file: string }>({
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
  'lock-stray-paths': define<{ file: string; paths: string }>({
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
  'names-swapped': define<{ file: string; list: string }>({
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
  'lock-from-future': define<{ file: string; format: number; supported: number }>({
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
  'project-of-newer': define<{ file: string; there: string; here: string }>({
    code: 'MCPG549',
    severity: 'warning',
    message: ({ file, there, here }) =>
      `According to ${file}, mcpgen ${codeSpan(there)} wrote the project. This is the older mcpgen ${here}, so its output lacks newer features and fixes.`,
    hint: ({ there }) => `Update mcpgen to ${codeSpan(there)} or newer, then run the command again.`,
    docs: {
      cause:
        'The lock contains the version of mcpgen that last wrote the project. Someone else, or CI, uses a newer one, and this run would revert generated files to the older output.',
      fix: 'Use one version everywhere: add mcpgen to the `devDependencies` of the project or its repository. To downgrade on purpose, run the command again: the lock then has the older version.',
    },
  }),
  'lock-edited': define<{ file: string }>({
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
  'lock-conflict': define<{ file: string }>({
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
