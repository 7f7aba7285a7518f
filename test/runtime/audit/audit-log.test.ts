import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { AuditLog } from '../../../templates/runtime/audit/open-audit.ts';

/** A disk that is done with a write when it is told so. */
function disk() {
  const written: string[] = [];
  const done: ((error?: Error) => void)[] = [];
  const to = new Writable({
    write: (chunk: Buffer, _, callback) => {
      written.push(String(chunk));
      done.push(callback);
    },
  });
  return { to, written, next: (error?: Error) => done.shift()?.(error) };
}

function logTo(to: Writable, bufferCharacters = 100) {
  const reported: unknown[] = [];
  const log = new AuditLog(to, {
    bufferCharacters,
    // Never by itself: each test says when.
    flushMs: 2_147_483_647,
    report: (thrown) => void reported.push(thrown),
    droppedLine: (count) => `dropped ${count}`,
  });
  return { log, reported };
}

test('lines wait for others, and are all written at the end', async () => {
  const { to, written, next } = disk();
  const { log } = logTo(to);
  log.add('one');
  log.add('two');
  expect(written).toEqual([]);
  const flushed = log.flush();
  log.add('three');
  expect(written).toEqual(['one\ntwo\n']);
  next();
  await expect.poll(() => written).toEqual(['one\ntwo\n', 'three\n']);
  next();
  await flushed;
});

test('what there is no room for is left out, counted and said', async () => {
  const { to, written, next } = disk();
  const { log } = logTo(to, 8);
  log.add('1234');
  const flushed = log.flush();
  for (const line of ['56', '789', '0']) log.add(line);
  next();
  await expect.poll(() => written).toEqual(['1234\n', '56\ndropped 2\n']);
  next();
  await flushed;
  log.add('there');
  const again = log.flush();
  next();
  await again;
  expect(written.join('')).toContain('there\n');
});

test('a disk that fails is reported once, and nobody waits for it', async () => {
  const { to, next } = disk();
  const { log, reported } = logTo(to);
  log.add('one');
  const flushed = log.flush();
  next(new Error('full'));
  await flushed;
  log.add('two');
  await log.flush();
  expect(reported.map(String)).toEqual(['Error: full']);
});
