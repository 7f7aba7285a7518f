/** Many sessions, and a node that is killed hard again and again: clients come back for the rest of their streams. */
import { inParallel } from '../../run.mjs';
import { Random } from '../../random.mjs';
import { withWorld } from '../fleet.mjs';
import { Faults, pause } from '../callers.mjs';
import { describe, isUnknown, RawSession } from '../raw-client.mjs';

const NODES = 3;
/** Share of calls whose client breaks off after the first message, and returns when the node is gone. */
const VANISHING = 0.25;
/** Milliseconds that a client tries to get its answer, and between two tries. */
const [TRY_MS, RETRY_MS] = [15_000, 100];
/** Milliseconds after the API's answer, by which a result is stored surely; from a client's return to its answer. */
const [STORED_MS, MOST_MS] = [1_000, 5_000];

export async function chaos(task) {
  const { figures, size } = task;
  const random = new Random(size.sessions);
  await withWorld(task, { count: NODES, features: ['redis'] }, async ({ api, fleet }) => {
    const tally = { plain: new Tally(), stored: new Tally(), inFlight: new Tally() };
    const run = { api, fleet, isTimed: size.isTimed, goesOn: true, calls: 0, early: 0, foreign: 0, ...tally };
    const numbers = Array.from({ length: size.sessions }, (_, number) => number);
    const sessions = await inParallel(numbers, 50, () => RawSession.open(fleet.url));
    const using = sessions.map(async (session, index) => {
      const name = `session-${index}`;
      await pause(random.below(size.thinkMs));
      for (let number = 0; run.goesOn; number++) {
        const vanishes = random.chance(VANISHING);
        const ms = vanishes ? 20 : 50 + random.below(size.callMs);
        await call(run, { session, name, id: `${name} ${number}`, ms, vanishes });
        await pause(random.below(2 * size.thinkMs));
      }
    });
    const end = performance.now() + size.ms;
    while (performance.now() + size.everyMs < end) {
      await pause(size.everyMs);
      await fleet.killOne();
    }
    await pause(end - performance.now());
    run.goesOn = false;
    await Promise.all(using);
    const what = `${size.sessions} sessions, ${fleet.killed.size} nodes killed`;
    figures.note(what, `${run.calls} calls, ${run.early} broken before their first event`);
    tally.stored.note(figures, 'results stored before the kill: delivered once');
    const within = size.isTimed ? ' within 5 s' : '';
    tally.inFlight.note(figures, `calls in flight on a killed node: ended${within}`);
    tally.plain.note(figures, 'other calls: answered');
    const none = { limit: 0, unit: String };
    figures.atMost({ what: 'ids that the API did twice', figure: api.doubled(), ...none });
    figures.atMost({ what: 'messages of another session', figure: run.foreign, ...none });
  });
}

/** Calls of one kind, and what ended them in another way than wanted. */
class Tally {
  #right = 0;
  #faults = new Faults();

  add(isRight, fault) {
    if (isRight) this.#right++;
    else this.#faults.add(fault);
  }

  note(figures, what) {
    const all = this.#right + this.#faults.count;
    const unit = (value) => `${value} of ${all}`;
    const limit = Math.max(1, all);
    figures.atLeast({ what, other: String(this.#faults), figure: this.#right, limit, unit });
  }
}

/** One call, whose client returns until it has an answer. */
async function call(run, { session, name, id, ms, vanishes }) {
  const { api, fleet } = run;
  run.calls++;
  const answers = [];
  const request = session.request('tools/call', { name: 'work', arguments: { id, session: name, ms } });
  const take = (message, _, stop) => {
    const said = message.params?.data ?? message.result?.structuredContent;
    if (said !== undefined && (said.session !== name || said.id !== id)) run.foreign++;
    if (message.id === request.id) answers.push(message);
    else if (vanishes && answers.length === 0) stop();
  };
  const first = await session.exchange({ message: request, take });
  const { node } = first;
  if (answers.length > 0) return run.plain.add(...verdictOf(answers[0]));
  if (first.last === undefined) {
    // Nothing can be resumed.
    if (fleet.killed.has(node)) return run.early++;
    return run.plain.add(false, describe(first));
  }
  if (vanishes) while (run.goesOn && !fleet.killed.has(node)) await pause(50);
  const began = performance.now();
  const { last, seen } = await resume(session, first.last, answers, take);
  const resumedMs = performance.now() - began;
  const [isResult, fault] = answers.length === 0 ? [false, seen] : verdictOf(answers[0]);
  const killedAt = fleet.killed.get(node);
  if (killedAt === undefined) return run.plain.add(isResult, fault);
  if (!(vanishes && api.answered.get(id) + STORED_MS < killedAt)) {
    const isLate = run.isTimed && resumedMs > MOST_MS;
    return run.inFlight.add((isResult || fault === 'unknown') && !isLate, fault ?? 'too late');
  }
  const again = await session.listen(last, { signal: AbortSignal.timeout(200) });
  const comesAgain = again.messages.some((message) => message.id === request.id);
  const isOnce = isResult && answers.length === 1 && !comesAgain;
  run.stored.add(isOnce, comesAgain ? 'It came again later.' : `${answers.length} results, ${fault}`);
}

/** Tries until there is an answer, or too long. Returns the id of the last event, and what was seen instead. */
async function resume(session, from, answers, take) {
  const end = performance.now() + TRY_MS;
  let [last, seen] = [from, 'no answer'];
  while (answers.length === 0 && performance.now() < end) {
    const signal = AbortSignal.timeout(Math.max(1, Math.ceil(end - performance.now())));
    const state = await session.listen(last, {
      take: (message) => take(message, undefined, () => undefined),
      signal,
    });
    last = state.last ?? last;
    seen = state.status === 200 ? 'no answer' : describe(state);
    // A client gives up what is refused; what is not there now may be there later.
    if ([204, 400, 404, 410].includes(state.status)) break;
    if (answers.length === 0) await pause(RETRY_MS);
  }
  return { last, seen };
}

/** Whether it is a result, and what it is else. */
function verdictOf({ result, error }) {
  if (error !== undefined)
    return [false, isUnknown(error.message) ? 'unknown' : `error ${error.code}: ${error.message}`];
  return result.isError === true ? [false, `tool error: ${result.content[0]?.text}`] : [true];
}
