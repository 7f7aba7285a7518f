/** MCPG5xx: what version control has made of a project on two branches. */
import { define } from '../../define.ts';

const ways = {
  edited: 'Add --force to have the generated file: yours is then kept as <name>.orig.',
  owned: 'To have the generated file, delete yours.',
  package: 'What mcpgen writes into it is merged key by key, so either side will do.',
};

export const mergeDiagnostics = {
  'file-conflict': define<{ path: string; line: number; standing: keyof typeof ways }>({
    code: 'MCPG537',
    severity: 'error',
    message: ({ path, line }) =>
      `${path} holds the marks of a merge conflict, at line ${String(line)}, and not all of it is what mcpgen has generated. Nothing was written.`,
    hint: ({ path, standing }) =>
      `Settle the conflict in the file, or take one side (\`git checkout --ours -- ${path}\`), and run again. ${ways[standing]}`,
    docs: {
      cause:
        'Version control could not merge the file, and a person has had a hand in it: it was edited, or it is owned, or it is package.json. No server starts with such marks, so neither `--keep` nor `--merge` takes them. A file that both branches have generated is written anew without a word of yours; that is told by the two commits, so it takes git, and a merge that waits or was committed last.',
      fix: 'Settle the file like one of your own code, and run again. With --force an edited file is written anew and kept as <name>.orig; one that is owned is not touched: delete it to have the generated one.',
      example: '<<<<<<< HEAD',
    },
  }),
  'merge-generated-anew': define<{ dir: string; files: string }>({
    code: 'MCPG569',
    severity: 'info',
    message: ({ dir, files }) =>
      `In ${dir} version control had merged what two branches have generated, line by line. These files were written anew from the sources: ${files}.`,
    hint: 'Add them to the commit of the merge, with `mcpgen.lock`.',
    docs: {
      cause:
        'Both branches have changed the sources and generated the project. Of their generated files git has made texts with conflict marks, or such as neither branch and no run has written. No line in them is a person’s.',
      fix: 'Commit them. Nothing was lost: each branch has what it generated.',
    },
  }),
  'owned-file-broken': define<{ path: string; reason: string }>({
    code: 'MCPG536',
    severity: 'error',
    message: ({ path, reason }) =>
      `${path} is yours, and is no JSON (${reason}), so the server would not start. Nothing was written.`,
    hint: 'Correct it; or delete it, and run again to have the generated file.',
    docs: {
      cause:
        'The server reads the JSON below src/generated/ when it starts. The file was edited and is taken over, and cannot be parsed.',
      fix: 'Correct the file, or delete it and run again.',
      example: '{ "tools": [, ] }',
    },
  }),
};
