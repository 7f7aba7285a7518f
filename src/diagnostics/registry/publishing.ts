/** MCPG97x, MCPG98x: what publishing a project misses. */
import { defineDiagnostic } from '../define.ts';

export const publishingDiagnostics = {
  'publish-lacks-files': defineDiagnostic<{ place: string; files: string; hint: string }>({
    code: 'MCPG970',
    message: ({ place, files }) => `${place} needs ${files}, which the project does not have.`,
    hint: ({ hint }) => hint,
  }),
  'publish-lacks-member': defineDiagnostic<{ place: string; members: string }>({
    code: 'MCPG971',
    message: ({ place, members }) => `${place} needs ${members} in package.json.`,
    hint: 'Set it with `npm pkg set`, then run `mcpgen generate`, which copies it to the other files.',
  }),
  'publish-name-placeholder': defineDiagnostic<{ place: string; name: string }>({
    code: 'MCPG974',
    message: ({ place, name }) => `${place} refuses the name ${name}: its namespace is a placeholder.`,
    hint: 'Set `mcpName` in package.json, such as `io.github.octocat/petstore`, and run `mcpgen generate`.',
  }),
  'publish-bundle-lacks': defineDiagnostic<{ place: string; members: string }>({
    code: 'MCPG978',
    severity: 'warning',
    message: ({ place, members }) => `${place} asks for ${members} in manifest.json.`,
    hint: 'Set `author` in package.json; for the others use a template of manifest.json, or keep an edit with `mcpgen generate --keep`.',
  }),
  'publish-files-differ': defineDiagnostic<{ file: string; member: string; there: string; here: string }>({
    code: 'MCPG980',
    message: ({ file, member, there, here }) =>
      `${file} has ${member} ${there}, but package.json has ${here}.`,
    hint: 'Run `mcpgen generate`.',
  }),
  'publish-workflow-below-root': defineDiagnostic<{ folder: string; project: string }>({
    code: 'MCPG981',
    severity: 'warning',
    message: ({ folder }) =>
      `GitHub does not run the workflows in ${folder}, since it is not at the root of the repository.`,
    hint: ({ project }) =>
      `Copy them to \`.github/workflows\` of the repository, and give their jobs \`defaults: { run: { working-directory: ${project} } }\`.`,
  }),
};
