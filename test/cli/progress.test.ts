import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Host } from '../../src/cli/host.ts';
import { startProgress } from '../../src/cli/progress.ts';
import { hostOf } from './support/fake-host.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function hostWith(isTTY: boolean): { host: Host; said: string[] } {
  const said: string[] = [];
  const paint = (_style: string, text: string): string => text;
  const stderr = { write: (text: string) => void said.push(text), isTTY, paint };
  return { host: hostOf({ stderr, stdinIsTTY: isTTY, now: () => Date.now() }), said };
}

test('a long run says one line per step', () => {
  const { host, said } = hostWith(true);
  const progress = startProgress('petstore.yaml', {}, host);
  progress.onStage('load');
  vi.advanceTimersByTime(5000);
  progress.onStage('emit');
  vi.advanceTimersByTime(5000);
  progress.done();
  expect(said).toEqual(['reading petstore.yaml …\n', 'preparing files for petstore.yaml …\n']);
});

test('a person who has to type the document is told so, and nothing writes over it', () => {
  const { host, said } = hostWith(true);
  const progress = startProgress('-', {}, host);
  progress.onStage('load');
  vi.advanceTimersByTime(5000);
  progress.done();
  expect(said).toEqual(['Reading standard input; end with Ctrl-D.\n']);
});

test('a document that comes through a pipe is standard input', () => {
  const { host, said } = hostWith(false);
  const progress = startProgress('-', {}, host);
  progress.onStage('load');
  vi.advanceTimersByTime(5000);
  progress.done();
  expect(said).toEqual(['reading standard input …\n']);
});

test.each([{ quiet: true }, { json: true }])('%o silences it', (flags) => {
  const { host, said } = hostWith(true);
  const progress = startProgress('petstore.yaml', flags, host);
  progress.onStage('load');
  vi.advanceTimersByTime(5000);
  progress.done();
  expect(said).toEqual([]);
});
