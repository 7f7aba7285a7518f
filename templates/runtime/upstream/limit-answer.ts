/** Cuts an answer to what a client takes, and says what was cut: never in silence. */
import type { Json, JsonObject } from '../contract/json-schema.ts';
import type { UpstreamLimits } from '../upstream-limits.ts';
import { startOf } from './start-of.ts';
import type { UpstreamAnswer } from '../upstream-answer.ts';
import { writeJson } from '../contract/json-text.ts';

/** The answer itself when it fits. A JSON array loses items from its end and stays JSON; text loses its tail. */
export function limitAnswer(answer: UpstreamAnswer, limits: UpstreamLimits): UpstreamAnswer {
  const { body } = answer;
  switch (body.kind) {
    case 'none':
    case 'file':
      return answer;
    case 'json':
      return limitJson(answer, body.value, body.text, limits.resultCharacters);
    case 'text':
      return limitText(answer, body.text, limits);
    case 'bytes':
      return answer.truncated === true ? withoutBytes(answer, limits) : answer;
  }
}

function limitText(answer: UpstreamAnswer, text: string, limits: UpstreamLimits): UpstreamAnswer {
  if (text.length <= limits.resultCharacters) {
    return answer.truncated === true
      ? { ...answer, cut: tooLong(`only its first ${count(text.length)} characters`) }
      : answer;
  }
  const shown = startOf(text, limits.resultCharacters);
  const whole = answer.truncated === true ? 'more than ' : '';
  const cut = `the first ${count(shown.length)} of ${whole}${count(text.length)} characters`;
  return { ...answer, body: { kind: 'text', text: shown }, truncated: true, cut: tooLong(cut) };
}

/** Half of an image is no image. */
function withoutBytes(answer: UpstreamAnswer, limits: UpstreamLimits): UpstreamAnswer {
  const cut = `nothing of it: it is longer than ${count(limits.responseBytes)} bytes`;
  return { ...answer, body: { kind: 'none' }, cut: tooLong(cut) };
}

function limitJson(
  answer: UpstreamAnswer,
  value: Json,
  source: string | undefined,
  most: number,
): UpstreamAnswer {
  const text = source ?? writeJson(value);
  if (text.length <= most) return answer;
  // A sequence that was not read to its end.
  const whole = answer.truncated === true ? 'more than ' : '';
  const shorter = shortenList(value, most, whole);
  if (shorter !== undefined) {
    const body = { kind: 'json', value: shorter.value } as const;
    return { ...answer, body, truncated: true, cut: tooLong(shorter.cut) };
  }
  const shown = startOf(text, most);
  const cut = `the first ${count(shown.length)} of ${whole}${count(text.length)} characters`;
  const body = { kind: 'text', text: shown } as const;
  return { ...answer, body, truncated: true, cut: tooLong(cut) };
}

/** The list an answer is about: itself, or its longest member; undefined when cutting it is not enough. */
function shortenList(value: Json, most: number, whole: string): { value: Json; cut: string } | undefined {
  if (Array.isArray(value)) {
    const kept = fitting(value, most - 2);
    return kept === 0 ? undefined : { value: value.slice(0, kept), cut: items(kept, whole, value.length) };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const longest = longestList(value);
  if (longest === undefined) return undefined;
  const [name, list] = longest;
  const rest = writeJson({ ...value, [name]: [] }).length;
  const kept = fitting(list, most - rest);
  if (kept === 0) return undefined;
  return {
    value: { ...value, [name]: list.slice(0, kept) },
    cut: `${items(kept, whole, list.length)} of "${name}"`,
  };
}

function longestList(value: JsonObject): [name: string, list: Json[]] | undefined {
  let longest: [string, Json[]] | undefined;
  let length = 0;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(member)) continue;
    const size = writeJson(member).length;
    if (size > length) [longest, length] = [[name, member], size];
  }
  return longest;
}

/** How many items from the start fit into so many characters. */
function fitting(list: Json[], most: number): number {
  let left = most;
  let kept = 0;
  for (const item of list) {
    left -= writeJson(item).length + 1;
    if (left < 0) break;
    kept++;
  }
  return kept;
}

function items(kept: number, whole: string, all: number): string {
  return `the first ${count(kept)} of ${whole}${count(all)} items`;
}

function tooLong(shown: string): string {
  return `The answer is too long and was cut. Shown: ${shown}.`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
