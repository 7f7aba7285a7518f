/** MCPG4xx: names of tools, arguments, prompts and servers. */
import { defineDiagnostic } from '../define.ts';

export const nameDiagnostics = {
  'tool-renamed': defineDiagnostic<{ from: string; operation: string; to: string }>({
    code: 'MCPG401',
    severity: 'info',
    message: ({ from, operation, to }) =>
      `The tool for \`${operation}\` is called \`${to}\`, not "${from}" as in the document.`,
    hint: 'To choose another name, set `x-mcp.name` on the operation.',
    docs: {
      cause:
        'The APIs of models accept tool names of ASCII letters, digits, `_` and `-`, up to 64 characters, and clients put the server’s name before them, so that both together have at most 57 (`--max-name-length`). mcpgen replaces other characters with a single `_`, shortens the longest words first, and keeps the last one. If nothing is left, the name comes from method and path.',
      fix: 'Nothing. To choose a name, set `x-mcp.name` or change the `operationId`.',
      example: 'operationId: repos/list   # tool repos_list',
    },
  }),
  'tool-name-clash': defineDiagnostic<{ name: string; operation: string; to: string }>({
    code: 'MCPG402',
    severity: 'info',
    message: ({ name, operation, to }) =>
      `Several operations would become the tool \`${name}\`, so the tool for \`${operation}\` is called \`${to}\`. Clients would see only one.`,
    hint: 'To choose their names, set `x-mcp.name` on the operations.',
    docs: {
      cause:
        'Two operations have the same `operationId`, or ids that become equal once other characters are `_`. Each name gets words of its method and path, or a hash, independent of the order in the document.',
      fix: 'Give each operation its own `operationId`, or set `x-mcp.name`.',
      example: 'paths:\n  /pets: { get: { operationId: list } }\n  /users: { get: { operationId: list } }',
    },
  }),
  'names-long-together': defineDiagnostic<{
    server: string;
    tool: string;
    count: number;
    length: number;
    limit: number;
  }>({
    code: 'MCPG436',
    severity: 'warning',
    message: ({ server, tool, count, length, limit }) =>
      `${count === 1 ? 'A tool has' : `${count} tools have`} more than ${limit} characters with the server's name \`${server}\`, such as \`${tool}\` (${length} together). Claude Code, Gemini CLI and Cursor refuse or cut such names.`,
    hint: 'Choose a shorter `name` of the server or shorter `x-mcp.name`s. Names in mcpgen.lock become shorter with `--rename`.',
    docs: {
      cause:
        'Clients join the two names (`mcp__petstore-mcp__listPets`), and take 64 characters. mcpgen shortens new names of tools to 57 together with the server’s, but to no less than 16 characters, so that they stay unique and readable; and it keeps the names that are in mcpgen.lock.',
      fix: 'Give the server a `name` of at most 41 characters, less the prefix of the tools; the derived one has at most 24. `--max-name-length` says another limit, and ends this warning.',
      example: 'name: the-whole-public-interface-of-the-city-of-springfield',
    },
  }),
  'argument-renamed': defineDiagnostic<{ from: string; to: string; place: string; operation: string }>({
    code: 'MCPG403',
    severity: 'info',
    message: ({ from, to, place, operation }) =>
      `The ${place} value "${from}" of \`${operation}\` is the argument \`${to}\`. It is still sent as "${from}".`,
    docs: {
      cause:
        'Argument names must match `^[A-Za-z0-9_.-]{1,64}$`, since some clients otherwise refuse the whole server. If letters are lost, the description gives the original name; if none are left, the argument is called `value_` with a hash of it.',
      fix: 'Nothing: the name in the request is unchanged.',
      example: 'parameters: [{ name: "ids[]", in: query }]   # argument ids',
    },
  }),
  'rule-without-effect': defineDiagnostic<{ what: string; suggestion: string }>({
    code: 'MCPG470',
    severity: 'warning',
    message: ({ what }) => `${what}, so these rules have no effect.`,
    hint: ({ suggestion }) =>
      suggestion === '' ? 'Correct the name, or remove the rules.' : `Did you mean \`${suggestion}\`?`,
    docs: {
      cause:
        '`x-mcp.arguments` of an operation, or `tools` of the configuration, names a tool or argument that is not served; or `fields` is set for a tool whose answer has no members in JSON.',
      fix: 'Use the name of the argument, or the one that the document has for it.',
      example: 'x-mcp: { arguments: { workspce: { env: ASANA_WORKSPACE } } }',
    },
  }),
  'unknown-answer-member': defineDiagnostic<{ tool: string; path: string; suggestion: string }>({
    code: 'MCPG472',
    severity: 'warning',
    message: ({ tool, path }) =>
      `A rule for the answers of \`${tool}\` names \`${path}\`, but the document describes no such member.`,
    hint: ({ suggestion }) =>
      suggestion === ''
        ? 'Correct the name, or describe the member in the response schema.'
        : `Did you mean \`${suggestion}\`?`,
    docs: {
      cause:
        '`select` or `drop` of `x-mcp.output`, or of `tools` in the configuration, names a member that the schema of the success response does not have. The rule is applied as written: an undocumented member that the API sends is kept or dropped by it.',
      fix: 'Correct the name. Dots lead into objects and through lists; a dot of a name itself is written `\\.`.',
      example: 'x-mcp: { output: { select: [id, ownr.login] } }',
    },
  }),
  'argument-rule-unusable': defineDiagnostic<{ argument: string; tool: string; because: string }>({
    code: 'MCPG471',
    severity: 'warning',
    message: ({ argument, tool, because }) =>
      `The rule for the argument \`${argument}\` of \`${tool}\` is not applied: ${because}.`,
    hint: 'Give a hidden argument a `default`, `const` or `env`, and a renamed one a free and valid name.',
    docs: {
      cause: 'A request without a required value would fail, and clients refuse two arguments of one name.',
      fix: 'Add the value, or choose another name.',
      example: 'x-mcp: { arguments: { workspace: { hide: true } } } # required',
    },
  }),
  'argument-name-clash': defineDiagnostic<{ from: string; to: string; place: string; operation: string }>({
    code: 'MCPG404',
    severity: 'info',
    message: ({ from, to, place, operation }) =>
      `Several inputs of \`${operation}\` are called "${from}" or become the same argument, so the one in ${place} is \`${to}\`.`,
    docs: {
      cause:
        'A tool has one flat list of arguments, but an operation can use the same name in path, query, headers, cookies and body. The location distinguishes them.',
      fix: 'Nothing: each value is sent under its original name.',
      example: '/users/{id}?id=…   # arguments id_path and id_query',
    },
  }),
  'prompt-renamed': defineDiagnostic<{ from: string; to: string }>({
    code: 'MCPG416',
    severity: 'info',
    message: ({ from, to }) =>
      `The prompt "${from}" is called \`${to}\`, since the name is taken or invalid.`,
    hint: 'Change its `name` in `x-mcp-prompts`.',
    docs: {
      cause: 'Prompt names follow the rules of tool names and must be unique.',
      fix: 'Give the prompt a unique name with letters, digits, `_`, `.` and `-`.',
    },
  }),
  'prompt-argument-renamed': defineDiagnostic<{ prompt: string; from: string; to: string }>({
    code: 'MCPG417',
    severity: 'info',
    message: ({ prompt, from, to }) =>
      `The argument "${from}" of the prompt \`${prompt}\` is called \`${to}\`.`,
    docs: {
      cause: 'Argument names contain letters, digits, `_`, `.` and `-`, and must be unique in their prompt.',
      fix: 'Rename the argument in `x-mcp-prompts`.',
    },
  }),
  'server-renamed': defineDiagnostic<{ from: string; to: string }>({
    code: 'MCPG418',
    severity: 'info',
    message: ({ from, to }) => `The server is called \`${to}\`, since "${from}" is not a valid package name.`,
    hint: 'Use lower-case letters, digits and `-`, at most 64 characters.',
    docs: {
      cause: 'The package and its command have the same name, so npm’s rules apply.',
      fix: 'Use a name of lower-case ASCII letters, digits, `-`, `.` and `_`.',
    },
  }),
  'names-kept': defineDiagnostic<{ count: number; list: string }>({
    code: 'MCPG419',
    severity: 'info',
    message: ({ count, list }) =>
      `${count === 1 ? 'A tool keeps its name' : `${count} tools keep their names`}, since clients may use ${count === 1 ? 'it' : 'them'}: ${list}.`,
    hint: 'For the new names, use `--rename`. Then update all callers of the old names.',
    docs: {
      cause:
        '`mcpgen.lock` stores the name of each operation, so that a tool keeps its name for its callers. Since then, an `operationId` changed, or a name no longer needs its suffix.',
      fix: 'Nothing. `mcpgen openapi … --rename` or `mcpgen generate --rename` derives and stores new names.',
      example: 'mcpgen generate petstore-mcp --rename',
    },
  }),
  'names-refused': defineDiagnostic<{ count: number; list: string }>({
    code: 'MCPG434',
    severity: 'warning',
    message: ({ count, list }) =>
      `${count === 1 ? 'A tool keeps a name' : `${count} tools keep names`} that the APIs of OpenAI and Anthropic refuse: ${list}.`,
    hint: 'For valid names, use `--rename`, and update all callers. To keep these names without this warning, set `toolNames: spec`.',
    docs: {
      cause:
        'Earlier versions of mcpgen gave tools names with dots, and `mcpgen.lock` keeps names. The APIs of models accept only ASCII letters, digits, `_` and `-`; for one other name, they refuse the whole request.',
      fix: 'Run `mcpgen generate --rename` and use the new names, in which other characters are `_`.',
      example: 'mcpgen generate petstore-mcp --rename',
    },
  }),
  'names-taken': defineDiagnostic<{ count: number; list: string }>({
    code: 'MCPG420',
    severity: 'info',
    message: ({ count, list }) =>
      `${count === 1 ? 'A tool has' : `${count} tools have`} a new name: ${list}.`,
    hint: 'Update all callers of the old names.',
    docs: {
      cause: 'With `--rename`, mcpgen derived the names again instead of taking them from `mcpgen.lock`.',
      fix: 'Nothing. To keep an old name, set `x-mcp.name` on the operation.',
      example: 'mcpgen generate petstore-mcp --rename',
    },
  }),
};
