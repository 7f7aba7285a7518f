/** Requests to the API behind a server. */
import { refusal, replacement } from '../checks.mjs';

const paths = ['paths'];
const injection = ['injection'];
const redirects = ['redirects'];

const byName = ['hosts by name'];
const interim = ['interim answers'];

const INWARD = ['return reach === "public" || reach === "inward" && isInward;', 'return true;'];

/** Neither by the host of a URL, nor by what it resolves to. */
const GUARD = 'const refused = error === null ? addresses.find(';

/** The API got a value that ends, and says more. */
const OF_ITS_OWN = { admits: /wanted one value, got GET / };

export const checks = [
  refusal('steps up in a path', 'DOT_SEGMENT.test(path)', paths, /simple \{"id":"\.\."\}/),
  replacement(
    'steps up that are encoded',
    ['(?:\\.|%(?:25)*2e){1,2}(?:$|', '\\.{1,2}(?:$|'],
    paths,
    /%2e%2e/,
  ),
  replacement(
    'steps up of servers of Java',
    ['{1,2}(?:$|[/?#;]|%(?:25)*3b)/i', '{1,2}(?:$|[/?#])/i'],
    paths,
    /whole \{"id":"(?:\.\.;x?\/admin|%2e%2e;)/,
  ),
  refusal('a segment that is empty', 'text === void 0 || /^\\/*$/.test(text)', paths, /simple \{"id":""\}/),
  {
    check: 'segments stay segments, and no steps up',
    edits: [
      ['encodeReservedInPath : encodeUnreserved;', 'encodeReservedInPath : encodeReservedInPath;'],
      ['if (DOT_SEGMENT.test(path))', 'if (false)'],
    ],
    families: paths,
    rows: /a\/\.\.\//,
    // The API is asked for it, where it would have been one segment.
    admits: /got GET \S*\/\.\.\//,
  },
  {
    ...replacement(
      'values of a query',
      [
        'plainPairs(encodeUnreserved(name), value, encodeUnreserved, encodeUnreserved))',
        'plainPairs(name, value, (text) => text, (text) => text))',
      ],
      injection,
      /search /,
    ),
    ...OF_ITS_OWN,
  },
  {
    ...replacement(
      'values of a query that may be reserved',
      ['encodeReservedInCookie : encodeReservedInQuery;', 'encodeReservedInCookie : keepText;'],
      injection,
      /reserved /,
    ),
    ...OF_ITS_OWN,
  },
  {
    check: 'values of a cookie',
    edits: [
      [
        '? encodeReserved : encodeName;',
        '? encodeReserved : parameter.in === "cookie" ? keepText : encodeName;',
      ],
      ['if (/[\\0-\\x1F\\x7F;]/.test(text))', 'if (false)'],
    ],
    families: injection,
    rows: /kept /,
    ...OF_ITS_OWN,
  },
  replacement('redirects inward', INWARD, redirects, /to http:\/\/127\.0\.0\.1/),
  replacement(
    'addresses in IPv6',
    ['return isIP(bare) === 0 ? "public"', 'return isIP(bare) !== 4 ? "public"'],
    redirects,
    /to http:\/\/\[::/,
  ),
  replacement('addresses of IPv4 within those of IPv6', ['["64:ff9b::", "::"]', '[]'], redirects, /64:ff9b/),
  {
    check: 'names of this machine, and what they resolve to',
    edits: [
      ['if (bare === "localhost" || bare.endsWith(".localhost")) return "inward";', ''],
      [GUARD, 'const refused = error !== null ? addresses.find('],
    ],
    families: redirects,
    rows: /^to http:\/\/localhost:/,
    // It was looked for, and some machines have no such name.
    admits: /its host name could not be resolved/,
  },
  replacement(
    'what a name resolves to',
    [GUARD, 'const refused = error !== null ? addresses.find('],
    byName,
    /^to a name of (?!this machine at the port)|by TLS to loopback/,
  ),
  replacement(
    'all addresses of a name',
    [GUARD, 'const refused = error === null ? addresses.slice(0, 1).find('],
    byName,
    /a public address, and this machine/,
  ),
  {
    check: 'names are judged where TLS begins',
    edits: [
      ['isTls ? createHttpsDispatcher(options)', 'isTls ? createHttpsDispatcher(agentOptions)'],
      // Serves where the environment names certificate authorities.
      [
        'const options = {\n\t\t...guarded,\n\t\t...makeSecureContext(authorities, target.certificate)\n\t};',
        'const options = {\n\t\t...agentOptions,\n\t\t...makeSecureContext(authorities, target.certificate)\n\t};',
      ],
    ],
    families: byName,
    rows: /by TLS to/,
  },
  replacement(
    'a redirect within another origin is judged too',
    [
      'const sentBy = isSameOrigin ? wire.sentBy : senderOf(wire.url, answer.address);',
      'const sentBy = isSameOrigin ? void 0 : senderOf(wire.url, answer.address);',
    ],
    byName,
    /inside by then/,
  ),
  replacement(
    'an API is in the network by the address that it answered from',
    ['classifyAddress(address ?? hostname) === "inward"', 'classifyAddress("127.0.0.1") === "inward"'],
    byName,
    /^to a name of .*this machine(?! at the port)/,
  ),
  replacement(
    'metadata services of clouds',
    ['"168.63.129.16/32",', '"192.0.0.193/32",'],
    byName,
    /to a name of the wire server of Azure/,
  ),
  replacement(
    'reserved addresses',
    ['INWARD_IPV4.check(address, type) ||', 'false ||'],
    byName,
    /to a name of (?:a reserved address|addresses for benchmarks)/,
  ),
  replacement(
    'interim answers, by their number',
    ['count <= MOST && ', ''],
    interim,
    /: 2000 (?:signs|times|of a status)|: 100 hints/,
  ),
  replacement(
    'interim answers, by their bytes',
    ['bytes += rawHeaders.join("").length;', ''],
    interim,
    /: 8 hints/,
  ),
  replacement(
    'interim answers that Node reads',
    ['limitInterimAnswers(request, rejectRequest);', ''],
    interim,
    /: 2000 |: 100 hints|: 8 hints/,
  ),
  {
    check: 'redirects to what is no HTTP, inward',
    edits: [
      ['if (url?.protocol === "http:" || url?.protocol === "https:") return url;', 'return url;'],
      [
        'const sentBy = isSameOrigin ? wire.sentBy : senderOf(wire.url, answer.address);',
        'const sentBy = void 0;',
      ],
      // Node's client refuses other protocols itself.
      ['protocol: url.protocol,', ''],
    ],
    families: redirects,
    rows: /^to (?:http:\/\/(?!localhost\.:|x\.)|file|gopher|ftp|ws|data|javascript|\/|\\)/,
  },
  replacement(
    'redirects take nothing along',
    ['of isSameOrigin ? wire.headers.names() : HARMLESS)', 'of wire.headers.names())'],
    redirects,
    /nothing that was for the first/,
  ),
  {
    ...replacement(
      'redirects take no header of the operator along',
      ['isSameOrigin || wire.fixed?.get(name) === void 0', 'true'],
      redirects,
      /no header of the operator, whatever its name/,
    ),
    admits: /got user-agent: of-the-operator$/,
  },
  {
    ...replacement(
      'credentials that nothing demands stay with the API',
      ['every((origin) => origins.has(origin))', 'every(() => true)'],
      redirects,
      /a host that the lock does not name/,
    ),
    files: ['dist/bin/chunks/compiler.js'],
    admits: /got Authorization: Bearer/,
  },
  refusal('redirects end', 'redirects >= limits.redirects', redirects, /without end/),
  {
    ...replacement(
      'credentials of their host',
      ['env[`${name}_${host}`]', 'env[name]'],
      redirects,
      /the host of abroad/,
    ),
    admits: /got Bearer of-the-first$/,
  },
];
