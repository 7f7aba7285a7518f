/** MCPG14x: skills beside the source. */
import { defineDiagnostic } from '../define.ts';

export const skillDiagnostics = {
  'skills-not-found': defineDiagnostic<{ folder: string }>({
    code: 'MCPG140',
    severity: 'error',
    message: ({ folder }) => `There is no folder ${folder} with skills.`,
    hint: 'Correct `skills`, or write first skills with `mcpgen skills init <source>`.',
    docs: {
      cause: 'The option `skills` names a folder that does not exist, or is no folder.',
      fix: 'Correct the path, or omit the option: a folder `skills` beside the source is found by itself.',
      example: 'mcpgen openapi petstore.yaml --skills ./skils',
    },
  }),
  'skill-left-out': defineDiagnostic<{ skill: string; problem: string }>({
    code: 'MCPG141',
    severity: 'warning',
    message: ({ skill, problem }) => `The skill ${skill} is not served: ${problem}.`,
    hint: 'Correct it, or move it out of the folder.',
    docs: {
      cause:
        'A skill is a folder with the file `SKILL.md`, which begins with YAML front matter: `name`, the name of the folder in lower case letters, digits and hyphens, and `description`, up to 1,024 characters. It has at most 512 files and 16 MiB; all skills together have at most 16 MiB. Clients refuse other skills.',
      fix: 'Correct what the message names.',
      example: 'skills/refunds/SKILL.md:\n---\nname: refund\n---',
    },
  }),
  'skill-file-left-out': defineDiagnostic<{ file: string; problem: string }>({
    code: 'MCPG142',
    severity: 'warning',
    message: ({ file, problem }) => `The file ${file} is not served: ${problem}.`,
    hint: 'Move it out of the folder, or put a copy of it into a skill.',
    docs: {
      cause:
        'Everything in a skill is sent to clients. Files whose names begin with a dot, copies of overwritten files (`.orig`), links to places outside of the folder, and anything that is no regular file are refused, so that nothing private is served by mistake. A file outside of every skill has no address.',
      fix: 'Replace a link by a copy of the file. Move other files elsewhere.',
      example: 'ln -s ~/notes.md skills/refunds/notes.md',
    },
  }),
  'skill-link-broken': defineDiagnostic<{ link: string }>({
    code: 'MCPG143',
    severity: 'warning',
    message: ({ link }) => `The link ${link} leads to no file of this skill, so clients can't open it.`,
    hint: 'Put the file into the folder of the skill, or link to a URL.',
    docs: {
      cause:
        'Clients see only the files of a skill. A relative link that leaves its folder, or that leads to no file, has no target for them.',
      fix: 'Copy the file into the skill, correct the link, or give a whole URL.',
      example: 'a link to ../../policy.md in skills/refunds/SKILL.md',
    },
  }),
  'skills-not-written': defineDiagnostic<{ file: string; problem: string }>({
    code: 'MCPG144',
    severity: 'error',
    message: ({ file, problem }) => `Could not write ${file}: ${problem}.`,
    hint: 'Choose another folder with `-o`, or replace the files with `--force`.',
    docs: {
      cause:
        '`mcpgen skills init` never overwrites a skill, since a person may have improved it, unless `--force` says so.',
      fix: 'Write to another folder with `-o`, or pass `--force`.',
      example: 'mcpgen skills init petstore.yaml\nmcpgen skills init petstore.yaml',
    },
  }),
};
