/** A diagnostic for machines: the JSON, GitHub and agent formats are made from it. */
import type { Diagnostic } from '../diagnostic.ts';
import type { Severity } from '../severity.ts';
import type { Origin } from '../../model/origin.ts';
import { type Places, resolvePlace } from './place.ts';
import { definedMembers } from '../../util/defined-members.ts';

export interface PlaceRecord {
  /** A path as given, a URL, or `<stdin>`. */
  file?: string;
  /** 1-based. */
  line?: number;
  /** 1-based, in UTF-16 code units. */
  column?: number;
  /** JSON Pointer (RFC 6901) in the document. */
  pointer?: string;
}

export interface DiagnosticRecord extends PlaceRecord {
  code: string;
  name: string;
  severity: Severity;
  message: string;
  hint?: string;
  related?: ({ message: string } & PlaceRecord)[];
  /** The server, of a configuration with several. */
  server?: string;
}

export function toRecord(diagnostic: Diagnostic, places: Places): DiagnosticRecord {
  const { code, name, severity, message, hint, origin, related = [], server } = diagnostic;
  const others = related.map((each) => ({ message: each.message, ...toPlaceRecord(each.origin, places) }));
  return {
    code,
    name,
    severity,
    message,
    ...definedMembers({ hint }),
    ...toPlaceRecord(origin, places),
    ...definedMembers({ server, related: others.length === 0 ? undefined : others }),
  };
}

function toPlaceRecord(origin: Origin | undefined, places: Places): PlaceRecord {
  if (origin === undefined) return {};
  const { file, pointer, position } = resolvePlace(origin, places);
  return { file, ...definedMembers({ line: position?.line, column: position?.column, pointer }) };
}
