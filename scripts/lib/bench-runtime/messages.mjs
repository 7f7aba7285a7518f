/** Requests to the measured servers, and checks of their answers. */

export const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1.0.0' },
  },
});

export const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

/** Sender's metadata in every request of the revision without sessions. */
const envelope = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
});

/** The call with the number `id`. */
export function callOf(id) {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"add","arguments":{"a":${id},"b":1}}}`;
}

/** The same for 2026-07-28. */
export function modernCallOf(id) {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"add","arguments":{"a":${id},"b":1},"_meta":${envelope}}}`;
}

/** `text`: one message; returns the id of the call that it answers rightly; throws when it does not. */
function checkAnswer(text) {
  const { id, result } = JSON.parse(text);
  const { content, structuredContent, isError } = result ?? {};
  const isRight =
    Number.isInteger(id) &&
    isError !== true &&
    structuredContent?.sum === id + 1 &&
    content?.[0]?.text === `{"sum":${id + 1}}`;
  if (!isRight) throw new Error(`A wrong answer: ${text.slice(0, 500)}`);
  return id;
}

/** Every call is answered once, and rightly: looked at when the time is over, since looking costs more than calling. */
export class Ledger {
  #calls;
  #made = 0;
  #answers = [];

  constructor(calls) {
    this.#calls = calls;
  }

  /** The number of the next call, or undefined when all have been made. */
  next() {
    return this.#made === this.#calls ? undefined : ++this.#made;
  }

  /** `text`: the answer to one call. */
  take(text) {
    this.#answers.push(text);
  }

  /** As many answers as calls have come. */
  get isDone() {
    return this.#answers.length >= this.#calls;
  }

  /** Throws when a call was not answered, not once, or not rightly. */
  check() {
    const answered = new Set(this.#answers.map(checkAnswer));
    const isWhole = this.#answers.length === this.#calls && answered.size === this.#calls;
    const isMade = (id) => id > 0 && id <= this.#calls;
    if (!isWhole || ![...answered].every(isMade))
      throw new Error(
        `${this.#calls} calls got ${this.#answers.length} answers, ${answered.size} of them different.`,
      );
  }
}
