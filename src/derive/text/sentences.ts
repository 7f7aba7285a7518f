import { plainText } from '../plain-text.ts';

const ended = /[.!?:;…。！？]["'`)\]*_]*$/;

/** Appends `sentence` to a text, which may be empty or lack a full stop. */
export function inTurn(text: unknown, sentence: string): string {
  const before = typeof text === 'string' ? plainText(text) : '';
  if (before === '') return sentence;
  return `${before}${ended.test(before) ? '' : '.'} ${sentence}`;
}
