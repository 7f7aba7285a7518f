/** Calls a server over its pipes, cheaply, so that it is the server that is measured. */
import { spawn } from 'node:child_process';

import { callOf, checkAnswer, initialize, initialized, Ledger } from './messages.mjs';
import { cpuOf, endOf, residentOf } from './process.mjs';

/**
 * @typedef {object} Load
 * @property {(calls: number, question?: Question) => Promise<number>} run makes that many calls, and says how many ms they took
 * @property {() => number | undefined} resident the server's resident bytes
 * @property {() => number | undefined} cpu the ms that it has been at work
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} Question
 * @property {(id: number) => string} ask the message of the call with that number
 * @property {(text: string) => number} check the id of the call that a message answers rightly; throws when it does not
 */

/** @type {Question} */
const addition = { ask: callOf, check: checkAnswer };

/**
 * Starts a server and opens a session.
 * @param {string[]} args of node
 * @param {{ inFlight: number, env?: Record<string, string | undefined>, stderr?: 'inherit' | 'ignore' }} settings
 * @returns {Promise<Load>}
 */
export async function startStdioLoad(args, { inFlight, env = process.env, stderr = 'inherit' }) {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', stderr] });
  const lines = new Lines(child);
  await new Promise((resolve, reject) => {
    lines.listen(resolve, reject);
    child.stdin.write(`${initialize}\n`);
  });
  child.stdin.write(`${initialized}\n`);
  return {
    run: (calls, { ask, check } = addition) =>
      run({ child, lines, inFlight, messages: messagesOf(ask, calls) }, new Ledger(calls, check)),
    resident: () => residentOf(child.pid),
    cpu: () => cpuOf(child.pid),
    close: async () => {
      lines.listen(
        () => undefined,
        () => undefined,
      );
      const ended = endOf(child);
      child.stdin.end();
      await ended;
    },
  };
}

/** Hands each chunk's whole lines to whoever listens at the time. */
class Lines {
  #pending = '';
  #take = () => undefined;
  #fail = () => undefined;

  constructor(child) {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      const lines = (this.#pending + chunk).split('\n');
      this.#pending = lines.pop();
      if (lines.length > 0) this.#take(lines);
    });
    child.on('exit', (code) => this.#fail(new Error(`The server ended with ${code}.`)));
    child.stdin.on('error', (error) => this.#fail(error));
  }

  listen(take, fail) {
    this.#take = take;
    this.#fail = fail;
  }
}

/** Written before the clock starts: it is the server that is measured. */
function messagesOf(ask, calls) {
  return Array.from({ length: calls }, (_, index) => `${ask(index + 1)}\n`);
}

function run({ child, lines, inFlight, messages }, ledger) {
  const send = (count) => {
    let text = '';
    for (let sent = 0; sent < count; sent++) {
      const id = ledger.next();
      if (id === undefined) break;
      text += messages[id - 1];
    }
    if (text !== '') child.stdin.write(text);
  };
  return new Promise((resolve, reject) => {
    const start = performance.now();
    lines.listen((answers) => {
      for (const answer of answers) ledger.take(answer);
      if (ledger.isDone) resolve(timed(start, ledger));
      else send(answers.length);
    }, reject);
    send(inFlight);
  });
}

/** The ms since `start`, if all was answered rightly. */
async function timed(start, ledger) {
  const ms = performance.now() - start;
  ledger.check();
  return ms;
}
