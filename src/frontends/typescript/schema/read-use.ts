import type { ts } from 'ts-morph';
import { listForm } from './array-form.ts';
import { bareForm } from './bare-form.ts';
import { documented, withDocs } from './documented.ts';
import { type Form, type NoForm, type Place, subjectOf } from './form.ts';
import { limitWords, TypeTooLarge } from './limits.ts';
import type { TypeReading } from './type-reading.ts';
import type { TypeUse } from './type-use.ts';

/** Reads one parameter or result. A type beyond the limits is reported and accepts anything. */
export function readUse(type: ts.Type, use: TypeUse, place: Place, reading: TypeReading): Form | NoForm {
  reading.restart();
  try {
    return read(type, use, place, reading);
  } catch (error) {
    if (!(error instanceof TypeTooLarge)) throw error;
    const { limit } = error;
    reading.abandon();
    const told = { subject: subjectOf(place), limit: limitWords[limit], most: reading.limits[limit] };
    reading.tell('type-too-large', told, place.at);
    return { schema: {} };
  }
}

function read(type: ts.Type, use: TypeUse, place: Place, reading: TypeReading): Form | NoForm {
  const docs = use.docs ?? { tags: [] };
  if (use.list === true) {
    const list = (): Form | NoForm => listForm(type, place, reading);
    return withDocs(type, docs, reading, list, () => new Set(['array']));
  }
  if (use.inline !== true) return documented(type, docs, place, reading);
  return withDocs(type, docs, reading, () => bareForm(type, place, reading));
}
