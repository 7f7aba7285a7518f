// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** How a person meets a login: by a question of the client that names the page, else by the error of the call. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../feature.ts';
import { isRecord, ownMember, RpcError } from '../../json-rpc.ts';
import { makeContext } from '../../tools.ts';
import { ToolError } from '../../types.ts';
import { LOGIN_LIMITS, type PendingLogin } from './pending.ts';

/**
 * Returns when the person has signed in.
 * @throws {ToolError} that says where, if that takes longer; or why the login failed
 */
export async function meet(call: Call, pending: PendingLogin): Promise<void> {
  const { agreement, session } = call.request;
  const { url, how, isDevice, isShown, tokens } = pending;
  const elicitation = ownMember(agreement.clientCapabilities, 'elicitation');
  const canAsk = agreement.revision >= '2025-11-25' && isRecord(elicitation) && isRecord(elicitation['url']);
  const refuse = (reason: string): ToolError =>
    new ToolError(`Nothing was sent: ${reason}. Ask the user to open ${url} ${how}, then call again.`);
  pending.isShown = true;
  // A device is asked about every few seconds: a call after the first one waits.
  if (!canAsk && (!isShown || !isDevice)) throw refuse('the API needs its user to sign in');
  // Each request of 2026-07-28 brings its own answer.
  const isModern = agreement.era === 'modern';
  let answer = Promise.resolve('accept');
  if (canAsk && (!isShown || isModern)) {
    answer = ask(call, pending);
    const method = 'notifications/elicitation/complete';
    const tell = (): void => session.push({ jsonrpc: '2.0', method, params: { elicitationId: url } });
    if (agreement.revision === '2025-11-25') tokens.then(tell, tell);
    // Without an answer the run is left.
    if (isModern) await answer;
  }
  void makeContext(call).progress(0, undefined, 'waits until the user has signed in');
  const signedIn = tokens.then(
    () => 'signed in',
    ({ message }: Error) =>
      Promise.reject(new ToolError(`The API was not called: ${message} Call again to sign in anew.`)),
  );
  const end = await Promise.race([
    signedIn,
    // People may sign in before their client answers.
    answer.then((action) => (action === 'accept' ? signedIn : action)),
    sleep(LOGIN_LIMITS.waitMs, 'late', { signal: call.work.signal, ref: false }).catch(() => 'late'),
  ]);
  if (end === 'signed in') return;
  if (end === 'late') throw refuse('the user has not signed in');
  // The next call asks again.
  pending.isShown = false;
  throw refuse('the user did not agree to sign in');
}

/** Returns what the person did, or `late` if the client could not ask. */
async function ask(call: Call, { url, how }: PendingLogin): Promise<string> {
  try {
    const message = `The API needs you to sign in. Open the page ${how}.`;
    return (await makeContext(call).elicitUrl(message, url, { key: url, elicitationId: url })).action;
  } catch (thrown) {
    if (thrown instanceof RpcError) throw thrown;
    return 'late';
  }
}
