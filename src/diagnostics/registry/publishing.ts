/** MCPG97x, MCPG98x: what `mcpgen publish check` misses. */
import { defineDiagnostic } from '../define.ts';

export const publishingDiagnostics = {
  'publish-lacks-files': defineDiagnostic<{ place: string; files: string; command: string }>({
    code: 'MCPG970',
    severity: 'error',
    message: ({ place, files }) => `${place} needs ${files}, which the project does not have.`,
    hint: ({ command }) => `Run \`${command}\`.`,
  }),
  'publish-lacks-member': defineDiagnostic<{ place: string; members: string }>({
    code: 'MCPG971',
    severity: 'error',
    message: ({ place, members }) => `${place} needs ${members} in package.json.`,
    hint: 'Set it with `npm pkg set`, then run `mcpgen generate`, which copies it to the other files.',
  }),
  'publish-lacks-license': defineDiagnostic<{ place: string; command: string }>({
    code: 'MCPG972',
    severity: 'error',
    message: ({ place }) => `${place} needs a file LICENSE, and the project has none.`,
    hint: ({ command }) =>
      `Run \`${command} --holder "<name>"\` for the MIT licence, or write the file of another one.`,
  }),
  'publish-license-refused': defineDiagnostic<{ place: string; license: string }>({
    code: 'MCPG973',
    severity: 'error',
    message: ({ place, license }) =>
      `${place} takes servers under MIT, Apache-2.0 and similar licences, and not under ${license}.`,
    hint: 'Publish elsewhere, or choose another licence if the code is yours.',
  }),
  'publish-name-placeholder': defineDiagnostic<{ place: string; name: string }>({
    code: 'MCPG974',
    severity: 'error',
    message: ({ place, name }) => `${place} refuses the name ${name}: its namespace is a placeholder.`,
    hint: 'Set `registryName` in the configuration, such as `io.github.octocat/petstore`, and run `mcpgen generate`.',
  }),
  'publish-not-hosted': defineDiagnostic<{ place: string; instead: string; bundle: string }>({
    code: 'MCPG975',
    severity: 'error',
    message: ({ place, instead }) =>
      `${place} lists hosted servers${instead}, and the configuration names no address.`,
    hint: ({ bundle }) =>
      `${bundle === '' ? 'Host' : `Add a bundle with \`${bundle}\`. Or host`} the server, and set \`hostedUrl\` in the configuration to its https address.`,
  }),
  'publish-lacks-feature': defineDiagnostic<{ place: string; feature: string }>({
    code: 'MCPG976',
    severity: 'error',
    message: ({ place, feature }) =>
      `${place} needs the feature \`${feature}\`, which the project does not have.`,
    hint: ({ feature }) => `Run \`mcpgen generate --feature ${feature}\`.`,
  }),
  'publish-lacks-words': defineDiagnostic<{ place: string; what: string; file: string }>({
    code: 'MCPG977',
    severity: 'warning',
    message: ({ place, what, file }) => `${place} asks for ${what}, and ${file} has none.`,
    hint: ({ file }) =>
      `Write it into ${file}; to keep the edit, run \`mcpgen generate --keep\`, or use a template.`,
  }),
  'publish-bundle-lacks': defineDiagnostic<{ place: string; members: string }>({
    code: 'MCPG978',
    severity: 'warning',
    message: ({ place, members }) => `${place} asks for ${members} in manifest.json.`,
    hint: 'Set `author` in package.json; for the others use a template of manifest.json, or keep an edit with `mcpgen generate --keep`.',
  }),
  'publish-unfinished': defineDiagnostic<{ file: string; members: string }>({
    code: 'MCPG979',
    severity: 'error',
    message: ({ file, members }) => `${file} is unfinished: ${members}.`,
    hint: ({ file }) =>
      file === 'glama.json'
        ? 'Set `repository` in package.json to one on GitHub, and run `mcpgen generate`.'
        : `Fill it in. ${file} is yours: mcpgen wrote it once.`,
  }),
  'publish-files-differ': defineDiagnostic<{ file: string; member: string; there: string; here: string }>({
    code: 'MCPG980',
    severity: 'error',
    message: ({ file, member, there, here }) =>
      `${file} has ${member} ${there}, but package.json has ${here}.`,
    hint: 'Run `mcpgen generate`.',
  }),
  'publish-reads-open': defineDiagnostic<{ place: string; count: number }>({
    code: 'MCPG981',
    severity: 'warning',
    message: ({ place, count }) =>
      `${place} reserves openWorldHint for tools that change public data, but ${String(count)} reading tool${count === 1 ? ' has' : 's have'} it.`,
    hint: 'Set `annotations: chatgpt` in the configuration, and run `mcpgen generate`.',
  }),
};
