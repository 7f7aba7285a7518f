import { plainText } from '../plain-text.ts';

const ended = /[.!?:;…。！？]["'`)\]*_]*$/;

/** `sentence` after what a document says, which may end without a full stop, or say nothing. */
export function inTurn(text: unknown, sentence: string): string {
  const before = typeof text === 'string' ? plainText(text) : '';
  if (before === '') return sentence;
  return `${before}${ended.test(before) ? '' : '.'} ${sentence}`;
}
