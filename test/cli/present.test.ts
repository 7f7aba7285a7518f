// Printing as fast as it is read.
import { expect, test } from 'vitest';
import type { Output } from '../../src/cli/host.ts';
import { outcomeOfDiagnostics, successOutcome } from '../../src/cli/outcome.ts';
import { writeOutcomeInParts } from '../../src/cli/present.ts';
import { noTexts } from '../../src/diagnostics/locate/text-places.ts';
import { hostOf } from './support/fake-host.ts';

const document = Array.from({ length: 50 }, (_, index) => ({ index, text: 'x'.repeat(10_000) }));

/** A reader that takes a part whenever the event loop turns, with the greatest number of characters that waited for it. */
function slowReader(onPart: (parts: number) => Error | undefined = () => undefined): {
  output: Output;
  read: { text: string; waiting: number; most: number; parts: number };
} {
  const read = { text: '', waiting: 0, most: 0, parts: 0 };
  const write: Output['write'] = (text, taken) => {
    read.waiting += text.length;
    read.most = Math.max(read.most, read.waiting);
    setImmediate(() => {
      read.waiting -= text.length;
      read.text += text;
      read.parts += 1;
      taken?.(onPart(read.parts));
    });
  };
  return { output: { write, isTTY: false, paint: (_style, text) => text }, read };
}

const json = { json: true };

test('a long document waits for its reader', async () => {
  const { output, read } = slowReader();
  const isPrinted = await writeOutcomeInParts(
    { ...successOutcome(null), document },
    json,
    hostOf({ stdout: output }),
  );
  expect(isPrinted).toBe(true);
  expect(JSON.parse(read.text)).toEqual(document);
  expect(read.most).toBeLessThan(100_000);
});

test('a closed pipe ends it', async () => {
  const { output, read } = slowReader((parts) => (parts === 2 ? new Error('EPIPE') : undefined));
  expect(
    await writeOutcomeInParts({ ...successOutcome(null), document }, json, hostOf({ stdout: output })),
  ).toBe(true);
  expect(read.parts).toBe(2);
});

test('Ctrl-C ends it', async () => {
  const stop = new AbortController();
  const { output, read } = slowReader((parts) => {
    if (parts === 2) stop.abort();
    return undefined;
  });
  const host = hostOf({ stdout: output, signal: stop.signal });
  expect(await writeOutcomeInParts({ ...successOutcome(null), document }, json, host)).toBe(false);
  expect(read.parts).toBe(2);
});

test('what was changed is told, also after Ctrl-C', async () => {
  const { output, read } = slowReader();
  const host = hostOf({ stdout: output, signal: AbortSignal.abort() });
  const outcome = { ...(await outcomeOfDiagnostics([], noTexts)), result: { changed: true } };
  expect(await writeOutcomeInParts(outcome, json, host)).toBe(true);
  expect(JSON.parse(read.text)).toMatchObject({ ok: true, result: { changed: true } });
});
