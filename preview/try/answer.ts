import { signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import type { HttpExchange, TryResult } from '../../src/preview/protocol.ts';
import { classes, htm } from '../htm.ts';
import { entriesOf, isObject, parseJson, printJson } from '../json.ts';
import { Empty, FailureNote, Segmented, copy, count, plural } from '../parts/basics.ts';
import { JsonText, JsonTree } from '../parts/json-text.ts';
import { type Tried, isBusy, isFailed, shownTry } from './calls.ts';

type Tab = 'seen' | 'structured' | 'http' | 'message';

const tab = signal<Tab>('seen');

export function Answer() {
  const entry = shownTry.value;
  if (isBusy.value) return htm`<${Empty}>Calling …<//>`;
  if (entry === undefined) return htm`<${Empty}>The answer appears here.<//>`;
  if (entry.result === undefined)
    return htm`<${FailureNote} failure=${entry.failure ?? { message: 'The call failed.' }} />`;
  return htm`<${Result} entry=${entry} result=${entry.result} />`;
}

function Result({ entry, result }: { entry: Tried; result: TryResult }) {
  const { answer, seen, milliseconds, exchanges, curl } = result;
  const structured = isObject(answer.result) ? answer.result.structuredContent : undefined;
  const tabs = [
    { value: 'seen', label: 'As the model sees it' },
    ...(structured === undefined ? [] : [{ value: 'structured', label: 'structuredContent' }]),
    { value: 'http', label: `HTTP ${exchanges.length}` },
    { value: 'message', label: 'Message' },
  ] as { value: Tab; label: string }[];
  // The feature `login` begins so; only its page on this machine is linked.
  const [, page] =
    /^Nothing was sent: .* open (http:\/\/(?:127\.0\.0\.1|localhost):\d+\/[\w-]{22}) /.exec(seen) ?? [];
  const current = tabs.some(({ value }) => value === tab.value) ? tab.value : 'seen';
  return htm`<header class="pane-head answer-head">
      <h2 class=${classes('verdict', isFailed(entry) ? 'f-error' : 'is-good')} role="status">${isFailed(entry) ? 'Failed' : 'Answered'}</h2>
      <span class="muted">${entry.target}${result.origin !== undefined && htm` · <span class="is-danger">${result.origin}</span>`} · ${count(Math.round(milliseconds))} ms · ${plural(bytes(seen), 'byte')} seen</span>
      <span class="spacer"></span>
      ${curl !== undefined && htm`<button type="button" class="small" onClick=${() => void copy(curl, 'The curl command was')}>Copy as curl</button>`}
    </header>
    ${page !== undefined && htm`<p class="note"><a href=${page} target="_blank" rel="noreferrer">Sign in</a>, then call again.</p>`}
    <div class="tabs"><${Segmented} label="Answer" value=${current} choices=${tabs} onChange=${(to: Tab) => (tab.value = to)} /></div>
    ${current === 'seen' && htm`<${Seen} text=${seen} />`}
    ${current === 'structured' && htm`<${JsonText} value=${structured} label="structuredContent" />`}
    ${current === 'http' && htm`<div class="exchanges" tabindex="0" role="region" aria-label="Requests to the API">${exchanges.length === 0 ? htm`<p class="note">No request was sent.</p>` : exchanges.map((exchange) => htm`<${Exchange} exchange=${exchange} />`)}</div>`}
    ${current === 'message' && htm`<${JsonText} value=${answer.error === undefined ? { result: answer.result } : { error: answer.error }} label=${`Message, ${plural(bytes(printJson(answer)), 'byte')}`} />`}`;
}

/** JSON as a tree, in a text of its own or on a line; all else as it is. */
function Seen({ text }: { text: string }) {
  const parts = useMemo(() => {
    const lines = readTree(text) === undefined ? text.split('\n') : [text];
    return lines.map((line) => readTree(line) ?? line);
  }, [text]);
  return htm`<div class="code seen" tabindex="0" role="region" aria-label="As the model sees it">${parts.map((part) => (typeof part === 'string' ? `${part}\n` : htm`<${JsonTree} value=${part} />`))}</div>`;
}

function readTree(text: string): unknown {
  try {
    const value = parseJson(text);
    return entriesOf(value) === undefined ? undefined : value;
  } catch {
    return undefined;
  }
}

function Exchange({ exchange: { request, response } }: { exchange: HttpExchange }) {
  const start = `${request.method} ${request.url}`;
  const end = response === undefined ? '' : `HTTP ${response.status}`;
  return htm`<article class="exchange">
    <h3>Request <span class="muted">${plural(bytes(request.body), 'byte')} of body</span></h3>
    <pre class="code">${message(start, request.headers, request.body)}</pre>
    <h3>Response <span class="muted">${response === undefined ? 'none' : `${plural(bytes(response.body), 'byte')} of body`}</span></h3>
    ${response !== undefined && htm`<pre class="code">${message(end, response.headers, response.body)}</pre>`}
  </article>`;
}

function message(start: string, headers: readonly [string, string][], body: string): string {
  return [start, ...headers.map(([name, value]) => `${name}: ${value}`), '', body].join('\n');
}

function bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
