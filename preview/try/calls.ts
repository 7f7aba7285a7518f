/** What the Try view calls, and what came back. */
import { computed, signal } from '@preact/signals';

import type { JsonObject } from '../../src/util/json-schema.ts';
import type { TryRequest, TryResult } from '../../src/preview/protocol.ts';
import { ask } from '../api.ts';
import { type Failure, describeError, ofServer, surface, toolByName } from '../state.ts';

export type Call = TryRequest['call'];
export type Kind = Call['kind'];
export type Target = TryRequest['target'];

export interface Tried {
  id: number;
  call: Call;
  target: Target;
  result?: TryResult;
  failure?: Failure;
}

export const kind = signal<Kind>('tool');
/** For the session: a reload begins with mock answers again. */
export const target = signal<Target>('mock');
export const tried = signal<readonly Tried[]>([]);
export const shownId = signal(0);
export const isBusy = signal(false);
/** A call to the API that waits for the person's yes. */
export const asked = signal<Call>();
/** Arguments of tools as they were left, by name. */
export const kept = new Map<string, JsonObject>();

/** A result that was chosen, or came last. */
export const shownTry = computed(() => tried.value.find(({ id }) => id === shownId.value));

const MOST = 50;

/** Only the search surface's tools and those of the list can read; any other might change something. */
function isReading(call: Call): boolean {
  if (call.kind !== 'tool') return true;
  if (READING_TOOLS.has(call.name)) return true;
  return toolByName.value.get(call.name)?.access === 'read';
}

const READING_TOOLS = new Set(['search_tools', 'describe_tool', 'call_read_tool']);

/** Asks first where something could change. */
export function send(call: Call): void {
  if (target.value === 'api' && !isReading(call)) asked.value = call;
  else void run(call, false);
}

export function confirmCall(): void {
  const call = asked.value;
  asked.value = undefined;
  if (call !== undefined) void run(call, true);
}

let last = 0;

async function run(call: Call, isConfirmed: boolean): Promise<void> {
  if (isBusy.value) return;
  isBusy.value = true;
  last += 1;
  const entry: Tried = { id: last, call, target: target.value };
  try {
    const request: TryRequest = { ...ofServer(), call, target: entry.target };
    if (isConfirmed) request.confirmed = true;
    entry.result = await ask('POST /api/try', request);
  } catch (error) {
    entry.failure = describeError(error);
  } finally {
    isBusy.value = false;
  }
  tried.value = [entry, ...tried.value].slice(0, MOST);
  shownId.value = entry.id;
}

export function labelOf(call: Call): string {
  if (call.kind === 'resource') return call.uri;
  return call.kind === 'completion' ? `complete ${call.argument.name}` : call.name;
}

export function isFailed({ result, failure }: Tried): boolean {
  if (failure !== undefined || result?.answer.error !== undefined) return true;
  const answer = result?.answer.result;
  return typeof answer === 'object' && answer !== null && !Array.isArray(answer) && answer.isError === true;
}

/** As the page shows it in red. */
export const origins = computed(() => {
  const known = surface.value?.origins ?? [];
  return known.length > 0 ? known.join(', ') : (shownTry.value?.result?.origin ?? 'the API');
});
