// Bytes that clients make the server keep: over a limit, the connection that has waited longest is closed.
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import type { Holding } from '../../../templates/runtime/transports/conversation.ts';
import { ByteBound } from '../../../templates/runtime/transports/http/client-limits.ts';

function start(perAddress: number, inAll: number) {
  const events: string[] = [];
  const bound = new ByteBound({ perAddress, inAll, tell: (address) => events.push(`told of ${address}`) });
  const hold = (name: string, address: string, measure?: () => number): Holding => {
    const request = { socket: { remoteAddress: address }, headers: {} } as IncomingMessage;
    return bound.createHold(request, undefined)(() => events.push(`${name} gave up`), measure);
  };
  return { events, hold };
}

test('over the bound of an address what it began first is given up, and others keep theirs', () => {
  const { events, hold } = start(100, 1_000);
  hold('other', 'b').set(90);
  hold('first', 'a').set(50);
  hold('second', 'a').set(50);
  expect(events).toEqual([]);
  hold('third', 'a').set(10);
  expect(events).toEqual(['told of a', 'first gave up']);
  hold('fourth', 'a').set(60);
  expect(events.slice(2)).toEqual(['second gave up']);
});

test('over the bound in all the address that holds the most gives up', () => {
  const { events, hold } = start(100, 150);
  hold('small', 'a').set(20);
  hold('large', 'b').set(40);
  hold('larger', 'b').set(50);
  hold('more', 'a').set(45);
  expect(events).toEqual(['told of b', 'large gave up']);
});

test('what is alone at its address may be larger than the bound', () => {
  const { events, hold } = start(100, 1_000);
  hold('alone', 'a').set(500);
  expect(events).toEqual([]);
});

test('what was read meanwhile is no reason to give up anything', () => {
  const { events, hold } = start(100, 1_000);
  hold('read', 'a', () => 10).set(90);
  hold('new', 'a').set(60);
  expect(events).toEqual([]);
});

test('what has ended holds nothing, whatever is said of it', () => {
  const { events, hold } = start(100, 1_000);
  const ended = hold('ended', 'a');
  ended.set(90);
  ended.end();
  ended.set(90);
  hold('new', 'a').set(100);
  hold('other', 'b').set(100);
  expect([events, ended.bytes]).toEqual([[], 0]);
});

test('addresses of one /64 count as one', () => {
  const { events, hold } = start(100, 1_000);
  hold('first', '2001:db8::1').set(60);
  hold('second', '2001:db8::2').set(60);
  expect(events).toContain('first gave up');
});
