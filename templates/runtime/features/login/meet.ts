// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/** How a person meets a login: by a question of the client that names the page, else by the error of the call. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../feature.ts';
import { isRecord, ownMember, RpcError } from '../../json-rpc.ts';
import { makeContext } from '../../tools.ts';
import { ToolError } from '../../types.ts';
import { LOGIN_LIMITS, type PendingLogin } from './pending.ts';

/** Returns when the person has signed in. @throws {ToolError} that says where, if that takes longer */
export async function meet(call: Call, pending: PendingLogin): Promise<void> {
  const { agreement, session } = call.request;
  const { url, id, userCode } = pending;
  const enter = userCode === undefined ? '' : ` and enter the code ${userCode}`;
  const elicitation = ownMember(agreement.clientCapabilities, 'elicitation');
  const canAsk = agreement.revision >= '2025-11-25' && isRecord(elicitation) && isRecord(elicitation['url']);
  // Each request of 2026-07-28 brings its own answer.
  const isModern = agreement.era === 'modern';
  let answer: Promise<string> | undefined;
  if (!pending.isShown || (canAsk && isModern)) {
    pending.isShown = true;
    if (!canAsk)
      throw new ToolError(
        `Nothing was sent: the API needs its user to sign in. Ask the user to open ${url} in a browser on this machine${enter}, then call again.`,
      );
    answer = ask(call, pending, enter);
    const method = 'notifications/elicitation/complete';
    const tell = (): void => session.push({ jsonrpc: '2.0', method, params: { elicitationId: id } });
    if (agreement.revision === '2025-11-25') pending.tokens.then(tell, tell);
    // Without an answer the run is left.
    if (isModern) await answer;
  }
  const end = await waitForPerson(call, pending, answer);
  if (end === 'signed in') return;
  if (end === 'late')
    throw new ToolError(
      `Nothing was sent yet: the user has not signed in. Finish signing in at ${url}${enter}, then call again.`,
    );
  // The next call asks again.
  pending.isShown = false;
  throw new ToolError(
    `Nothing was sent: the API needs its user to sign in, who ${end === 'error' ? 'could not be asked' : 'did not agree'}. The page is ${url}${enter}; call again afterwards.`,
  );
}

async function ask(call: Call, { url, id }: PendingLogin, enter: string): Promise<string> {
  try {
    const message = `The API needs you to sign in. Open the page${enter}.`;
    return (await makeContext(call).elicitUrl(message, url, { key: `login-${id}`, elicitationId: id }))
      .action;
  } catch (thrown) {
    if (thrown instanceof RpcError) throw thrown;
    return 'error';
  }
}

/**
 * Returns `late` if the time is over, or the call is, and the login goes on; or what a client answers that does not show the page. People
 * may sign in before their client answers.
 * @throws {ToolError} if the login failed
 */
async function waitForPerson(
  call: Call,
  { tokens }: PendingLogin,
  answer: Promise<string> = Promise.resolve('accept'),
): Promise<string> {
  const waiting = new AbortController();
  const forget = call.work.onCancel(() => waiting.abort());
  try {
    const late = sleep(LOGIN_LIMITS.waitMs, 'late', { signal: waiting.signal }).catch(() => 'late');
    const signedIn = tokens.then(() => 'signed in');
    return await Promise.race([
      signedIn,
      late,
      answer.then((action) => (action === 'accept' ? signedIn : action)),
    ]);
  } finally {
    forget();
    waiting.abort();
  }
}
