/** The core as tests make it: every message it sends is judged, and a test that saw a wrong one fails. */
import { isRecord, writeJson } from '../../templates/runtime/contract/json-value.ts';
import { type RequestContext, answerToObject } from '../../templates/runtime/core/call.ts';
import { type Answered, type Core, createCore } from '../../templates/runtime/core/core.ts';
import type { LiveServer, ServerInstance } from '../../templates/runtime/core/server-instance.ts';
import type { Push, Session } from '../../templates/runtime/core/session.ts';
import { type Received } from '../../templates/runtime/protocol/json-rpc.ts';
import { judge } from './complaints.ts';
import { isModernRequest } from './conversation.ts';
import { MODERN_REVISION } from './message-checks.ts';

export function createCheckedCore(project: ServerInstance | LiveServer): Core {
  const core = createCore('current' in project ? project : { current: project });
  return async (received, context) => {
    if (context.session !== undefined) watchPush(context.session);
    const revision = () =>
      isModernRequest(received) ? MODERN_REVISION : context.session?.agreement?.revision;
    const send: RequestContext['send'] = (sent) => {
      judge({ revision: revision(), message: JSON.parse(writeJson(sent)) });
      return context.send(sent);
    };
    const judged = (answers: Answered): Answered => {
      for (const answer of answers === undefined ? [] : [answers].flat()) {
        const requestMethod = methodOf(received, answer.id);
        judge({ revision: revision(), message: answerToObject(answer), requestMethod });
      }
      return answers;
    };
    const needs: RequestContext['needs'] = (scopes) => context.needs?.(scopes);
    const closeStream = () => context.closeStream?.();
    return judged(await core(received, { ...context, send, needs, closeStream }));
  };
}

const watched = new WeakMap<Session, Push>();

/** What belongs to no request goes past the core, by a function that transports give to their sessions. */
function watchPush(session: Session): void {
  const { push } = session;
  if (push === watched.get(session)) return;
  session.push = (sent) => {
    judge({ revision: session.agreement?.revision, message: JSON.parse(writeJson(sent)) });
    push(sent);
  };
  watched.set(session, session.push);
}

/** The method of the request, alone or in a batch, that has the id. */
function methodOf(received: Received, id: unknown): string | undefined {
  const messages = received.kind === 'batch' ? received.messages : [received];
  const request = messages.find((each) => isRecord(each) && each['id'] === id && 'method' in each);
  return isRecord(request) ? String(request['method']) : undefined;
}
