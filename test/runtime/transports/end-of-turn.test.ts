import { expect, it } from 'vitest';
import { waitForTurnEnd } from '../../../templates/runtime/transports/http/http-answer.ts';

it('those who wait in one turn go on together, behind what else it does', async () => {
  const done: string[] = [];
  const wait = async (name: string): Promise<void> => {
    await waitForTurnEnd();
    done.push(name);
  };
  const first = wait('first');
  await Promise.resolve();
  const second = wait('second');
  process.nextTick(() => done.push('tick'));
  await Promise.all([first, second]);
  expect(done).toEqual(['tick', 'first', 'second']);
});

it('a later turn has an end of its own', async () => {
  const first = waitForTurnEnd();
  await first;
  const second = waitForTurnEnd();
  expect(second).not.toBe(first);
  await expect(second).resolves.toBeUndefined();
});
