/** Messages, their parameters, and the frames of WebSockets. */
import { refusal, replacement } from '../checks.mjs';

const tell = (code) => `assertFrame(${code}`;

/** Without its check the server accepts the frame, and the WebSocket stays open. */
const frames = [
  replacement('reserved bits', [tell('(first & 112) === 0'), tell('true')], 'limits', /a reserved bit/),
  replacement('opcodes', [tell('OPCODES.has(opcode)'), tell('true')], 'limits', /unknown opcode/),
  replacement('masks', [tell('(second & 128) !== 0'), tell('true')], 'limits', /without a mask/),
  replacement('pings as a whole', [tell('(first & 128) !== 0'), tell('true')], 'limits', /a ping in pieces/),
  replacement(
    'pings are short',
    [tell('length < LENGTH_16, "A control'), tell('true, "A control')],
    'limits',
    /a ping that is too long/,
  ),
  refusal('messages are text', 'opcode === 2', 'limits', /: bytes/),
  refusal('messages are UTF-8', '!isUtf8(bytes)', 'limits', /a text that is no text/),
  refusal(
    'length of a message',
    'message.payload.length + length > this.#limits.messageBytes',
    'limits',
    /: a message that says it is too long/,
  ),
  refusal(
    'pieces of a message',
    'message.fragments > this.#limits.messageFragments',
    'limits',
    /fragments without end/,
  ),
  refusal(
    'pieces of something',
    'opcode === 0 !== (this.#message !== void 0)',
    'limits',
    /a piece of nothing/,
  ),
].map((one) => ({ ...one, admits: /no answer/ }));

export const checks = [
  replacement(
    'headers say what the body says',
    ['throw headerMismatch(`The header \\`${header}\\` does not say what the body says.`);', ''],
    'messages of strangers',
    /another name than its header says/,
  ),
  replacement(
    'headers are there',
    [
      'if (given === void 0) throw headerMismatch(`The header \\`${header}\\` is missing.`);\n',
      'if (given === void 0) return;\n',
    ],
    'messages of strangers',
    /no name in headers/,
  ),
  {
    check: 'arguments as the tool lists them',
    edits: [
      ['if ("reason" in checked && !(isTask', 'if (false && !(isTask'],
      [
        'if ("reason" in checked) return unfitResult(call, checked.reason);',
        'checked.args ??= call.params.arguments ?? {};',
      ],
    ],
    families: ['pollution', 'limits'],
    rows: /arguments: /,
  },
  {
    ...replacement(
      'patterns of a document never run away',
      [
        'if (bound !== void 0 && isLinear(bound)) return {',
        'if (true) return { guard: "linear", test: (text) => expression.test(text) };\n\tif (false) return {',
      ],
      ['regular expressions'],
      /a text for/,
    ),
    each: true,
    // The server is kept busy.
    admits: /answers no more/,
  },
  ...frames,
  refusal(
    'WebSockets without a body',
    'length !== "0" || encoding !== void 0',
    'requests of strangers',
    /a WebSocket with a body/,
  ),
  refusal('WebSockets by GET', 'method !== "GET"', 'requests of strangers', /a WebSocket by POST/),
  refusal(
    'WebSockets of HTTP/1.1',
    'httpVersion !== "1.1"',
    'requests of strangers',
    /a WebSocket of HTTP\/1\.0/,
  ),
];
