/** MCPG14x: skills beside the source. */
import { defineDiagnostic } from '../define.ts';

export const skillDiagnostics = {
  'skills-not-found': defineDiagnostic<{ folder: string }>({
    code: 'MCPG140',
    severity: 'error',
    message: ({ folder }) => `There is no folder ${folder} with skills.`,
    hint: 'Correct `skills`, or write first skills with `mcpgen skills init <source>`.',
  }),
  'skill-left-out': defineDiagnostic<{ skill: string; problem: string }>({
    code: 'MCPG141',
    severity: 'warning',
    message: ({ skill, problem }) => `The skill ${skill} is not served: ${problem}.`,
    hint: 'Correct it, or move it out of the folder.',
  }),
  'skill-file-left-out': defineDiagnostic<{ file: string; problem: string }>({
    code: 'MCPG142',
    severity: 'warning',
    message: ({ file, problem }) => `The file ${file} is not served: ${problem}.`,
    hint: 'Move it out of the folder, or put a copy of it into a skill.',
  }),
  'skill-link-broken': defineDiagnostic<{ link: string }>({
    code: 'MCPG143',
    severity: 'warning',
    message: ({ link }) => `The link ${link} leads to no file of this skill, so clients can't open it.`,
    hint: 'Put the file into the folder of the skill, or link to a URL.',
  }),
  'skills-not-written': defineDiagnostic<{ file: string; problem: string }>({
    code: 'MCPG144',
    severity: 'error',
    message: ({ file, problem }) => `Could not write ${file}: ${problem}.`,
    hint: 'Choose another folder with `-o`, or replace the files with `--force`.',
  }),
};
