// Part of mcpgen's runtime, MIT licence (LICENSE in this folder). Generated: change src/handlers/ instead.
/**
 * Cursors of paged lists: opaque, and the same for the same list on every instance and after every restart. The
 * check in them is not a secret; it tells a cursor of this list from one of another list, or of another version.
 */
import { createHash } from 'node:crypto';
import { invalidParams } from '../protocol/json-rpc.ts';

/** A cursor to the items from `offset` on. */
export function writeCursor(list: string, offset: number, total: number): string {
  return Buffer.from(`${offset}.${hashPlace(list, offset, total)}`).toString('base64url');
}

/** @throws {ProtocolError} `-32602` when `cursor` is none that `writeCursor` gives for this list. */
export function readCursor(cursor: string, list: string, total: number): number {
  const offset = Number.parseInt(Buffer.from(cursor, 'base64url').toString(), 10);
  const isOurs = offset > 0 && offset < total && writeCursor(list, offset, total) === cursor;
  if (!isOurs) throw invalidParams('`cursor` is none that this server gave for this list.');
  return offset;
}

function hashPlace(list: string, offset: number, total: number): string {
  return createHash('sha256').update(`${list} ${offset} ${total}`).digest('base64url').slice(0, 16);
}
