/** What is taken out together with the other checks of a family, and never alone: protections that several of them share. */
import { refusal, replacement } from '../checks.mjs';

/** A caller that nobody was asked for. */
export const ANYONE = `{ auth: { issuer: "x", subject: "x", scopes: ["add", "base", "admin"], claims: {} }, subject: "x", endsAt: Infinity, checkedUntil: Infinity, withoutToken: (text) => text, untilRefused: () => () => undefined }`;

const guarded = [
  'tokens',
  'tokens through fetch',
  'places of tokens',
  'sender-constrained tokens',
  'proofs of keys',
  'tokens of own code',
  'tokens that are asked about',
  'keys of issuers',
  'requests of strangers',
  'questions about tokens',
  'made-up tokens',
];

export const checks = [
  {
    check: 'a token, good and checked',
    edits: [
      [
        'if (thrown instanceof TokenRefusal) throw this.#refusals.badTokenRefusal(thrown, scheme);',
        `if (thrown instanceof TokenRefusal) return ${ANYONE};`,
      ],
      [
        'if (sent.kind !== "token") throw this.#refusals.missingTokenRefusal(sent);',
        `if (sent.kind !== "token") return ${ANYONE};`,
      ],
      ['throw this.#refusals.uncheckedTokenRefusal();', `return ${ANYONE};`],
    ],
    families: guarded,
    // A stream of events or a WebSocket stays open.
    admits: /wanted 40[014].*got failed: no answer/,
  },
  replacement(
    'every session is of everybody',
    [' || entry.subject !== subject) return void 0;', ') return void 0;'],
    [
      'signed sessions',
      'tokens through fetch',
      'places of tokens',
      'sender-constrained tokens',
      'proofs of keys',
      'tokens that are asked about',
      'sessions over nodes',
    ],
  ),
  {
    check: 'events of a session by their place',
    edits: [
      [
        'case "unknown": throw new HttpRefusal(400, "`Last-Event-ID` names no event of this session.");',
        'case "unknown": response.writeHead(204).end(); return;',
      ],
      ['case "forgotten": throw', 'case "forgotten": response.writeHead(204).end(); return; throw'],
    ],
    families: ['sessions'],
  },
  replacement(
    'a session of its transport, and no other',
    [
      'const open = context.sessions.findAndTouch(name, caller?.subject);\n\treturn open instanceof',
      'let open = context.sessions.findAndTouch(name, caller?.subject);\n\tif (!(open instanceof HttpSession)) open = context.sessions.findAndTouch("x", caller?.subject);\n\treturn open instanceof',
    ],
    'sessions',
  ),
  {
    check: 'time for a head',
    edits: [['headersTimeout: limits.headersTimeoutMs', 'headersTimeout: 0']],
    files: ['dist/templates/runtime/transports/http/serve-http.js'],
    families: ['slowloris'],
    admits: /no answer/,
  },
  {
    check: 'a signed id of a session',
    edits: [
      [
        'verifyId(id, subject) {',
        'verifyId(id, subject) {\n\t\treturn { agreement: { revision: "2025-11-25", features: featuresOf("2025-11-25"), clientInfo: void 0, clientCapabilities: {} }, surface: void 0 };',
      ],
      ['return readIssueTime(Buffer.from(id, "base64url")) + this.#lifetimeMs;', 'return Infinity;'],
    ],
    families: ['signed sessions', 'tokens through fetch'],
  },
  replacement(
    'the endpoint by its path',
    ['const known = routes.get(path);', 'const known = routes.get(path) ?? routes.get(context.path);'],
    ['requests of strangers', 'smuggling', 'limits'],
  ),
  replacement(
    'methods that are served',
    ['const action = known.get(method);', 'const action = known.get(method) ?? known.get("POST");'],
    'requests of strangers',
  ),
  replacement(
    'a WebSocket by its path',
    ['if (url.split("?")[0] === path) return;', 'return;'],
    'requests of strangers',
  ),
  refusal('one Host', 'host?.includes(",") === true', ['requests of strangers', 'smuggling']),
  refusal('a host that is served', '!isServedHost(host, rules, isLocal)', [
    'smuggling',
    'observers',
    'regular expressions',
  ]),
  {
    ...replacement(
      'pages of other origins',
      [
        'if (origin === void 0 ? !isCrossSite(site) : rules.allowedOrigins.includes(origin)) return;',
        'return;',
      ],
      ['observers', 'regular expressions', 'made-up tokens'],
    ),
    // The page may read the answer, whatever it is.
    admits: /, read$/,
  },
  {
    ...replacement(
      'streams that the token reaches',
      ['if (this.coversScopes(scopes, caller)) return;', 'return;'],
      'made-up tokens',
    ),
    admits: /wanted 403 insufficient_scope, got (?:failed: no answer|200)/,
  },
  replacement(
    'what a flood of requests takes',
    ['if (types.every(isTypeAccepted)) return;', 'return;'],
    'regular expressions',
  ),
  replacement(
    'the type of a flood',
    ['throw new HttpRefusal(415, "The body must be application/json.");', ''],
    'regular expressions',
  ),
  refusal(
    'the coding of a flood',
    'coding !== void 0 && !/^(?:identity)?$/i.test(coding)',
    'regular expressions',
  ),
  replacement(
    'the session of a flood',
    [
      'const entry = this.#entries.get(id);\n\t\tif (entry === void 0 ||',
      'const entry = this.#entries.get(id) ?? [...this.#entries.values()][0];\n\t\tif (entry === void 0 ||',
    ],
    ['regular expressions', 'limits', 'messages of strangers'],
  ),
  replacement(
    'requests that Node’s parser refuses',
    ['requireHostHeader: false', 'requireHostHeader: false, insecureHTTPParser: true'],
    ['requests of strangers'],
  ),
  replacement(
    'an id that is one',
    ['function isRequestId(value) {', 'function isRequestId(value) {\n\tif (value !== void 0) return true;'],
    ['messages of strangers', 'limits'],
  ),
  replacement(
    'one message, and no batch',
    [
      'kind: "batch",\n\t\tmessages: value\n\t}',
      '...parseIncoming([value].flat(Infinity)[0] ?? { jsonrpc: "2.0", method: "ping", id: 1 })\n\t}',
    ],
    ['messages of strangers', 'limits'],
  ),
  replacement(
    'a text is UTF-8',
    ['if (text.includes("�") && !isUtf8(body.bytes)) reject(', 'if (false) reject('],
    'messages of strangers',
  ),
  {
    check: 'a state that there is',
    edits: [
      ['typeof requestState === "string" ? parseSignedState(requestState, call.server) : void 0;', 'void 0;'],
      [
        'throw invalidParamsError("`requestState` is not of this request',
        'return NOTHING;\n\tthrow invalidParamsError("`requestState` is not of this request',
      ],
    ],
    families: ['request state', 'states of callers'],
  },
  {
    ...replacement(
      'a list of tasks that the token reaches',
      ['.filter(({ scopes }) => reach?.covers(scopes) ?? true)', ''],
      'scopes',
    ),
    admits: /, with it$/,
  },
  {
    check: 'values of a path',
    edits: [
      ['encodeReservedInPath : encodeUnreserved;', 'encodeReservedInPath : keepText;'],
      [
        'inPath.set(name, expandSimpleStyle(false, value, encodeUnreserved, encodeUnreserved))',
        'inPath.set(name, expandSimpleStyle(false, value, (text) => text, (text) => text))',
      ],
      ['|["<>\\\\^`{|}]/gu, encodeUnreserved)', '|["<>^`{|}]/gu, encodeUnreserved)'],
    ],
    families: ['paths'],
    admits: /wanted GET \S+ HTTP\/1\.1, got GET /,
  },
  replacement(
    'addresses that a redirect may lead to',
    ['return reach === "public" || reach === "inward" && isInward;', 'return true;'],
    'hosts by name',
  ),
  {
    ...replacement(
      'no secret in an answer',
      ['return rest === 0 ? text : shown + text.slice(rest);', 'return text;'],
      'secrets in answers',
    ),
    admits: /wanted redacted/,
  },
  {
    check: 'a surface of tools',
    edits: [
      ['if (this.entries.has(tool.listed.name)) return errorResult(', 'if (false) return errorResult('],
      ['if (mayCall(by, access)) return await', 'if (true) return await'],
      ['if (reach === void 0) return (name) => tools.has(name);', 'return (name) => tools.has(name);'],
      ['if (coversScopes(call, scopes) && coversScopes(call, needed)) return;', 'return;'],
      ['if ("reason" in checked && !(isTask', 'if (false && !(isTask'],
      [
        'if ("reason" in checked) return unfitResult(call, checked.reason);',
        'checked.args ??= call.params.arguments ?? {};',
      ],
    ],
    families: ['tools that call others'],
    admits: /got (?:called|found|200)/,
  },
  {
    check: 'trace context as its specification has it',
    edits: [
      [' || NOTHING.test(traceId) || NOTHING.test(spanId)) return void 0;', ') return void 0;'],
      ['text.length > longest) return void 0;', 'false) return void 0;'],
      [
        'members.length > 0 && members.length <= most && members.every((member) => form.test(member)) ?',
        'members.length > 0 ?',
      ],
      ['-([0-9a-f]{2})(-.*)?$/;', '-([0-9a-f]{2})(-.*|,.*)?$/;'],
      ['(version !== "00" || more === void 0)', 'true'],
    ],
    families: ['observers'],
    admits: /got (?:sent|labels)/,
  },
  {
    check: 'patterns of queries never run away',
    edits: [
      [
        'if (classifyPattern(source) === "unsafe") throw',
        'return new RegExp(source, "u").test(text);\n\t\tif (source === void 0) throw',
      ],
    ],
    files: ['dist/bin/chunks/apply-overlays.js'],
    families: ['queries of overlays'],
    admits: /no answer|hangs|a server/,
  },
  {
    check: 'commands of a runner are broken up',
    edits: [
      ['return text.replace(/^([^\\S\\n]*:)(?=:)/gm, "$1 ").replaceAll("##[", "## [");', 'return text;'],
      ['.padStart(4, "0")}`).replaceAll("##[", "##\\\\u005b");', '.padStart(4, "0")}`);'],
    ],
    files: ['dist/bin/chunks/command.js'],
    families: ['publishing'],
    admits: /got a command/,
  },
  {
    check: 'what is published is packed elsewhere, from what is pinned',
    edits: [
      ['- run: npm publish ./packed', '- run: npm ci\\n      - run: npm publish ./packed'],
      [
        'bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS packages',
        'bookworm-slim AS packages',
      ],
      ['modelcontextprotocol/inspector@2.12.0', 'modelcontextprotocol/inspector@latest'],
    ],
    files: ['dist/templates.js'],
    families: ['publishing'],
    admits: /got (?:runs there|taken)/,
  },
  {
    check: 'no variables of the working folder, for mcpgen serve',
    edits: [
      ['|| Boolean(env["MCP_DOTENV"]);', '|| Boolean(env["MCP_DOTENV"]) || existsSync(ENV_FILE);'],
      ['chosen === void 0 ? findFile(home) : resolve(chosen)', 'resolve(chosen ?? ".env")'],
    ],
    files: ['dist/bin/chunks/env-file.js', 'dist/bin/chunks/run2.js'],
    families: ['working folders'],
  },
  {
    check: 'a session that was not ended on another node',
    edits: [
      [
        'if (signed === void 0 || await this.#isRevoked(id)) return void 0;',
        'if (signed === void 0) return void 0;',
      ],
      ['if (this.#nodes === void 0 || !await this.#isRevoked(id)) return false;', 'return false;'],
    ],
    families: ['sessions over nodes'],
    // A stream of events stays open.
    admits: /wanted 404, got failed: no answer/,
  },
  replacement(
    'tools that are not excluded',
    [
      'const { include = [], exclude = [] } = Object.fromEntries(flags);',
      'const { include = [], exclude = [] } = {};',
    ],
    'tools that call others',
  ),
  {
    ...replacement(
      'names of tools in metrics',
      ['cache.tools?.has(name) === true ? name : UNKNOWN', 'name'],
      'observers',
    ),
    admits: /got labels of its own/,
  },
];
