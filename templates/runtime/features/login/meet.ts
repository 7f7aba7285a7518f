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
  const { url, id, userCode, tokens } = pending;
  const enter = userCode === undefined ? '' : ` and enter the code ${userCode}`;
  const elicitation = ownMember(agreement.clientCapabilities, 'elicitation');
  const canAsk = agreement.revision >= '2025-11-25' && isRecord(elicitation) && isRecord(elicitation['url']);
  // Each request of 2026-07-28 brings its own answer.
  const isModern = agreement.era === 'modern';
  let answer = Promise.resolve('accept');
  if (!pending.isShown || (canAsk && isModern)) {
    pending.isShown = true;
    if (!canAsk)
      throw new ToolError(
        `Nothing was sent: the API needs its user to sign in. Ask the user to open ${url} in a browser on this machine${enter}, then call again.`,
      );
    answer = ask(call, pending, enter);
    const method = 'notifications/elicitation/complete';
    const tell = (): void => session.push({ jsonrpc: '2.0', method, params: { elicitationId: id } });
    if (agreement.revision === '2025-11-25') tokens.then(tell, tell);
    // Without an answer the run is left.
    if (isModern) await answer;
  }
  const signedIn = tokens.then(() => 'signed in');
  const end = await Promise.race([
    signedIn,
    // People may sign in before their client answers.
    answer.then((action) => (action === 'accept' ? signedIn : action)),
    sleep(LOGIN_LIMITS.waitMs, 'late', { signal: call.work.signal, ref: false }).catch(() => 'late'),
  ]);
  if (end === 'signed in') return;
  // The next call asks again.
  if (end !== 'late') pending.isShown = false;
  const reason = end === 'late' ? 'has not signed in' : 'did not agree to sign in';
  throw new ToolError(
    `Nothing was sent yet: the user ${reason}. Finish signing in at ${url}${enter}, then call again.`,
  );
}

/** Returns what the person did, or `late` if the client could not ask. */
async function ask(call: Call, { url, id }: PendingLogin, enter: string): Promise<string> {
  try {
    const message = `The API needs you to sign in. Open the page${enter}.`;
    const use = { key: `login-${id}`, elicitationId: id };
    return (await makeContext(call).elicitUrl(message, url, use)).action;
  } catch (thrown) {
    if (thrown instanceof RpcError) throw thrown;
    return 'late';
  }
}
