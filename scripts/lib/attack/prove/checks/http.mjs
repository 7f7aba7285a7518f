/** Requests over HTTP, before their message is read. */
import { refusal, replacement } from '../checks.mjs';

export const checks = [
  refusal(
    'Host',
    '!isServedHost(host, rules, isLocal)',
    ['origins', 'requests of strangers', 'requests through fetch'],
    /^Host (?!127\.0\.0\.1, )|: Host /,
  ),
  replacement(
    'Host is host and port alone',
    ['/^(?:[\\w.-]+|\\[[\\da-f:.]+\\])(?::\\d*)?$/i.test(host)', 'true'],
    ['origins', 'requests of strangers'],
    /Host (?:evil\.example@localhost|127\.0\.0\.1\/)/,
  ),
  replacement(
    'Host as a whole',
    ['const LOOPBACK = /^(?:localhost', 'const LOOPBACK = /(?:localhost'],
    'origins',
    /Host notlocalhost/,
  ),
  replacement(
    'Origin',
    [
      'if (origin === void 0 ? !isCrossSite(site) : rules.allowedOrigins.includes(origin)) return;',
      'return;',
    ],
    ['origins', 'requests through fetch'],
    /: Origin |: an image of another site/,
  ),
  replacement(
    'pages of other sites that send no Origin',
    ['origin === void 0 ? !isCrossSite(site) :', 'origin === void 0 ? true :'],
    'origins',
    /^POST: an image of another site/,
  ),
  {
    ...replacement(
      'Origin as browsers write it',
      [
        'return LOOPBACK.test(host) && (name.startsWith("[") || name.toLowerCase() === host);',
        'return LOOPBACK.test(host);',
      ],
      'origins',
      /^POST: Origin http:\/\/(?:x@localhost|127\.1$|localhost\/, )/,
    ),
    each: true,
  },
  replacement(
    'two fields of one name',
    ['joinDuplicateHeaders: true', 'joinDuplicateHeaders: false'],
    'requests of strangers',
    /a good credential and a bad one|the same credential twice/,
  ),
  replacement(
    'strict HTTP',
    ['requireHostHeader: false', 'requireHostHeader: false, insecureHTTPParser: true'],
    'smuggling',
    /Content-Length and Transfer-Encoding/,
  ),
  refusal('chunks in HTTP/1.0', 'isMisframed(request)', 'requests of strangers', /chunks in HTTP\/1\.0/),
  refusal(
    'nothing behind an answer that closes',
    'latest.get(request.socket)?.shouldKeepAlive === false',
    ['smuggling', 'requests of strangers'],
    /behind a refusal that closes/,
  ),
  refusal('HTTP/1 alone', '!httpVersion.startsWith("1.")', 'smuggling', /HTTP\/2\.0 in words/),
  refusal('a Host there is', 'httpVersion === "1.1" && headers.host === void 0', 'smuggling', /without Host/),
  refusal(
    'length of a target',
    'url.length > targetBytes',
    ['limits', 'requests through fetch'],
    /a target that is too long/,
  ),
  replacement(
    'length of a head',
    ['maxHeaderSize: limits.headerBytes', 'maxHeaderSize: 1 << 20'],
    'limits',
    /fields without end/,
  ),
  {
    ...refusal(
      'length of a body that is told',
      'claimed > limit && claimed !== Infinity',
      ['limits', 'requests through fetch'],
      /^a body that says it is too long/,
    ),
    // The server waits for it.
    admits: /no answer/,
  },
  {
    check: 'length of a body that comes',
    edits: [
      ['if (length > limit)', 'if (false)'],
      ['new GrowingBytes(limit)', 'new GrowingBytes(1 << 30)'],
    ],
    families: ['limits', 'requests through fetch'],
    rows: /turns out too long/,
  },
  refusal(
    'codings of a body',
    'coding !== void 0 && !/^(?:identity)?$/i.test(coding)',
    'messages of strangers',
    /gzip/,
  ),
  replacement(
    'type of a body',
    ['throw new HttpRefusal(415, "The body must be application/json.");', ''],
    'messages of strangers',
    /a form|plain text/,
  ),
  replacement(
    'what a client takes',
    ['if (types.every(isTypeAccepted)) return;', 'return;'],
    'limits',
    /an Accept of thousands/,
  ),
  replacement(
    'a session is named in its field',
    [
      'const name = findHeader(request, "mcp-session-id");\n\tif (name',
      'const name = findHeader(request, "mcp-session-id") ?? new URL(request.url, "http://x").searchParams.get("sessionId") ?? /mcp-session-id=(.*)/.exec(request.headers.cookie)?.[1];\n\tif (name',
    ],
    ['sessions', 'requests through fetch'],
    /an id in the query|an id in a cookie/,
  ),
  {
    ...replacement(
      'a session that is open',
      [
        'const entry = this.#entries.get(id);\n\t\tif (entry === void 0 ||',
        'const entry = this.#entries.get(id) ?? [...this.#entries.values()][0];\n\t\tif (entry === void 0 ||',
      ],
      ['sessions', 'requests through fetch'],
      /a made-up id/,
    ),
    // A stream of events stays open.
    admits: /wanted 404, got failed: no answer/,
  },
  refusal(
    'a session of its transport',
    '!(known instanceof SseSession)',
    ['sessions', 'requests through fetch'],
    /of another transport|two ids/,
  ),
  {
    ...replacement(
      'fields are read in one go',
      [
        'const header = findHeader(request, "accept") ?? "";',
        'const header = (findHeader(request, "accept") ?? "").replace(/\\s+$/, "");',
      ],
      ['regular expressions'],
      /an Accept of blanks/,
    ),
    // The server is kept busy.
    admits: /no answer|answers no more/,
  },
  {
    ...replacement(
      'connections of one address',
      ['if (connections !== void 0) limitConnections(server, connections);', ''],
      ['connections'],
      /says nothing/,
    ),
    // The server answered each of the others.
    admits: /got 0 closed/,
  },
  {
    ...replacement(
      'time for a request',
      ['requestTimeout: limits.requestTimeoutMs', 'requestTimeout: 0'],
      ['slowloris'],
      /its body/,
    ),
    files: ['dist/templates/runtime/transports/http/serve-http.js'],
    // The connection stays open.
    admits: /no answer/,
  },
];
