import { expect, it } from 'vitest';
import { endOfTurn } from '../../../templates/runtime/transports/http/http-answer.ts';

it('those who wait in one turn go on together, behind what else it does', async () => {
  const done: string[] = [];
  const wait = async (name: string): Promise<void> => {
    await endOfTurn();
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
  const first = endOfTurn();
  await first;
  const second = endOfTurn();
  expect(second).not.toBe(first);
  await expect(second).resolves.toBeUndefined();
});
