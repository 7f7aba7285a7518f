/** MCPG97x, MCPG98x: what `mcpgen publish check` misses. */
import { defineDiagnostic } from '../define.ts';

const SOURCES =
  'The page that the finding names, with the month in which it was read. The table of docs/publishing.md has all of them.';

export const publishingDiagnostics = {
  'publish-lacks-files': defineDiagnostic<{ place: string; files: string; command: string }>({
    code: 'MCPG970',
    severity: 'error',
    message: ({ place, files }) => `${place} needs ${files}, which the project does not have.`,
    hint: ({ command }) => `Run \`${command}\`.`,
    docs: {
      cause: 'The place reads these files, or builds with them, and the project has not been given them.',
      fix: '`mcpgen publish init <target>` adds the target to the configuration and writes its files.',
      example: 'mcpgen publish check docker petstore-mcp',
      source: SOURCES,
    },
  }),
  'publish-lacks-member': defineDiagnostic<{ place: string; members: string }>({
    code: 'MCPG971',
    severity: 'error',
    message: ({ place, members }) => `${place} needs ${members} in package.json.`,
    hint: 'Set it with `npm pkg set`, then run `mcpgen generate`, which copies it to the other files.',
    docs: {
      cause:
        'People and programs of the place read who wrote the server, under which licence, and where its code is.',
      fix: 'For example: `npm pkg set license=MIT author="Ada <ada@example.com>" repository=github:ada/petstore-mcp`.',
      example: 'mcpgen publish check npm petstore-mcp # whose package.json has no license',
      source: SOURCES,
    },
  }),
  'publish-lacks-license': defineDiagnostic<{ place: string; command: string }>({
    code: 'MCPG972',
    severity: 'error',
    message: ({ place }) => `${place} needs a file LICENSE, and the project has none.`,
    hint: ({ command }) =>
      `Run \`${command} --holder "<name>"\` for the MIT licence, or write the file of another one.`,
    docs: {
      cause: 'Without a licence nobody may use the code, and scanners look for the file.',
      fix: 'Add LICENSE. `mcpgen publish init` writes the MIT licence for the holder that --holder or the author in package.json names.',
      example: 'mcpgen publish check glama petstore-mcp',
      source: SOURCES,
    },
  }),
  'publish-license-refused': defineDiagnostic<{ place: string; license: string }>({
    code: 'MCPG973',
    severity: 'error',
    message: ({ place, license }) =>
      `${place} takes servers under MIT, Apache-2.0 and similar licences, and not under ${license}.`,
    hint: 'Publish elsewhere, or choose another licence if the code is yours.',
    docs: {
      cause: 'The catalog offers images to everybody, and says that licences such as the GPL do not fit.',
      fix: 'Choose a permissive licence, or do not publish there.',
      example: 'npm pkg set license=GPL-3.0-only',
      source: SOURCES,
    },
  }),
  'publish-name-placeholder': defineDiagnostic<{ place: string; name: string }>({
    code: 'MCPG974',
    severity: 'error',
    message: ({ place, name }) => `${place} refuses the name ${name}: its namespace is a placeholder.`,
    hint: 'Set `registryName` in the configuration, such as `io.github.octocat/petstore`, and run `mcpgen generate`.',
    docs: {
      cause: 'Only the owner of a namespace can publish under it, and mcpgen does not know yours.',
      fix: 'Set `registryName`, or `mcpName` in package.json.',
      example: 'mcpgen publish check registry petstore-mcp',
      source: SOURCES,
    },
  }),
  'publish-not-hosted': defineDiagnostic<{ place: string; instead: string; bundle: string }>({
    code: 'MCPG975',
    severity: 'error',
    message: ({ place, instead }) =>
      `${place} lists hosted servers${instead}, and the configuration names no address.`,
    hint: ({ bundle }) =>
      `${bundle === '' ? 'Host' : `Add a bundle with \`${bundle}\`. Or host`} the server, and set \`hostedUrl\` in the configuration to its https address.`,
    docs: {
      cause: 'The place connects to a public https endpoint that speaks Streamable HTTP.',
      fix: 'Set `hostedUrl`, such as https://mcp.example.com/mcp. `server.json` then has it in `remotes`, too.',
      example: 'mcpgen publish check chatgpt petstore-mcp',
      source: SOURCES,
    },
  }),
  'publish-lacks-feature': defineDiagnostic<{ place: string; feature: string }>({
    code: 'MCPG976',
    severity: 'error',
    message: ({ place, feature }) =>
      `${place} needs the feature \`${feature}\`, which the project does not have.`,
    hint: ({ feature }) => `Run \`mcpgen generate --feature ${feature}\`.`,
    docs: {
      cause: '`features` in the configuration names others.',
      fix: 'Add the feature.',
      example: '{ "features": ["stdio"] } # and mcpgen publish check smithery',
      source: SOURCES,
    },
  }),
  'publish-lacks-words': defineDiagnostic<{ place: string; what: string; file: string }>({
    code: 'MCPG977',
    severity: 'warning',
    message: ({ place, what, file }) => `${place} asks for ${what}, and ${file} has none.`,
    hint: ({ file }) =>
      `Write it into ${file}; to keep the edit, run \`mcpgen generate --keep\`, or use a template.`,
    docs: {
      cause:
        'Reviewers look for it in the documentation. mcpgen looks for the words only, and does not judge them.',
      fix: 'Write it, or name the page that has it.',
      example: 'mcpgen publish check claude petstore-mcp',
      source: SOURCES,
    },
  }),
  'publish-bundle-lacks': defineDiagnostic<{ place: string; members: string }>({
    code: 'MCPG978',
    severity: 'warning',
    message: ({ place, members }) => `${place} asks for ${members} in manifest.json.`,
    hint: 'Set `author` in package.json; for the others use a template of manifest.json, or keep an edit with `mcpgen generate --keep`.',
    docs: {
      cause:
        'The directory of bundles shows an icon and the author, and wants the privacy policies of services that a bundle calls.',
      fix: 'Add the members.',
      example: 'mcpgen publish check mcpb petstore-mcp',
      source: SOURCES,
    },
  }),
  'publish-unfinished': defineDiagnostic<{ file: string; members: string }>({
    code: 'MCPG979',
    severity: 'error',
    message: ({ file, members }) => `${file} is unfinished: ${members}.`,
    hint: ({ file }) =>
      file === 'glama.json'
        ? 'Set `repository` in package.json to one on GitHub, and run `mcpgen generate`.'
        : `Fill it in. ${file} is yours: mcpgen wrote it once.`,
    docs: {
      cause: 'The file needs values that no source has, such as the category in a catalog.',
      fix: 'Replace each TODO and empty value.',
      example: 'category: TODO',
      source: SOURCES,
    },
  }),
  'publish-files-differ': defineDiagnostic<{ file: string; member: string; there: string; here: string }>({
    code: 'MCPG980',
    severity: 'error',
    message: ({ file, member, there, here }) =>
      `${file} has ${member} ${there}, but package.json has ${here}.`,
    hint: 'Run `mcpgen generate`.',
    docs: {
      cause: 'The registry compares the entry with the package, and refuses what differs.',
      fix: 'Change package.json, and generate again.',
      example: 'npm version 1.5.0 # without mcpgen generate',
      source: SOURCES,
    },
  }),
  'publish-reads-open': defineDiagnostic<{ place: string; count: number }>({
    code: 'MCPG981',
    severity: 'warning',
    message: ({ place, count }) =>
      `${place} reserves openWorldHint for tools that change public data, but ${String(count)} reading tool${count === 1 ? ' has' : 's have'} it.`,
    hint: 'Set `annotations: chatgpt` in the configuration, and run `mcpgen generate`.',
    docs: {
      cause:
        'In MCP every tool that calls an API is of an open world. The directory reads the hint as a change of the public world.',
      fix: 'Set `annotations` to `chatgpt`.',
      example: 'mcpgen publish check chatgpt petstore-mcp',
      source: SOURCES,
    },
  }),
};
