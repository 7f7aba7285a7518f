/** The one shape of a diagnostic for machines; the JSON, GitHub and agent formats are made from it. */
import type { Diagnostic } from '../diagnostic.ts';
import type { Severity } from '../severity.ts';
import type { Origin } from '../../model/origin.ts';
import { type Places, resolvePlace } from './place.ts';
import { definedMembers } from '../../util/defined-members.ts';

export interface PlaceRecord {
  /** As the user named it: a path, a URL, `<stdin>`. */
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
  /** Of a configuration of several. */
  server?: string;
}

export function toRecord(diagnostic: Diagnostic, places: Places): DiagnosticRecord {
  const { code, name, severity, message, hint, origin, related, server } = diagnostic;
  return {
    code,
    name,
    severity,
    message,
    ...definedMembers({ hint }),
    ...toPlaceRecord(origin, places),
    ...definedMembers({ server }),
    ...(related === undefined || related.length === 0
      ? {}
      : {
          related: related.map((other) => ({
            message: other.message,
            ...toPlaceRecord(other.origin, places),
          })),
        }),
  };
}

function toPlaceRecord(origin: Origin | undefined, places: Places): PlaceRecord {
  if (origin === undefined) return {};
  const { file, pointer, position } = resolvePlace(origin, places);
  return {
    file,
    ...(position === undefined ? {} : { line: position.line, column: position.column }),
    ...definedMembers({ pointer }),
  };
}
