/** MCPG5xx: projects that version control merged. */
import { define } from '../../define.ts';

const ways = {
  edited: 'Add --force for the generated file, which keeps yours as <name>.orig.',
  owned: 'For the generated file, delete yours.',
  package: 'mcpgen merges its keys afterwards, so either side works.',
};

export const mergeDiagnostics = {
  'file-conflict': define<{ path: string; line: number; standing: keyof typeof ways }>({
    code: 'MCPG537',
    severity: 'error',
    message: ({ path, line }) =>
      `${path} contains conflict markers at line ${String(line)}, and not all of its text was generated. Nothing was written.`,
    hint: ({ path, standing }) =>
      `Resolve the conflict in the file, or take one side (\`git checkout --ours -- ${path}\`), and run again. ${ways[standing]}`,
    docs: {
      cause:
        'Version control could not merge the file, and it was edited by hand, is owned, or is package.json. The server cannot start with conflict markers, so `--keep` and `--merge` refuse the file. Files that both branches generated are rewritten automatically; this needs git and a pending merge, or one in the last commit.',
      fix: 'Resolve the file like your own code, and run again. --force rewrites an edited file and keeps yours as <name>.orig; delete an owned file to get the generated one.',
      example: '<<<<<<< HEAD',
    },
  }),
  'merge-generated-anew': define<{ dir: string; files: string }>({
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
  'owned-file-broken': define<{ path: string; reason: string }>({
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
