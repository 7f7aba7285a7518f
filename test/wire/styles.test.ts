/** The style tables of each release of OpenAPI, from the document to the bytes. */
import { type Row, parameterRow, proveRows } from './prove-rows.ts';
import { type Cell, cellsOf, COLUMNS, RELEASES } from './style-tables.ts';

for (const release of RELEASES) proveRows(release, cellsOf(release).map(rowOf));

function rowOf(cell: Cell): Row {
  const { style, explode, location, column } = cell;
  const { schema, value } = COLUMNS[column];
  const says = `${style} in ${location}, explode ${explode}, ${column}: ${cell.want}`;
  return parameterRow(says, { in: location, style, explode, schema }, value, requestOf(cell));
}

/** The cell in its place. */
function requestOf({ location, want, style, column }: Cell): string | RegExp {
  switch (location) {
    case 'path':
      // It would call the path without its last segment, or part of one: another operation's.
      return style === 'simple' && column === 'empty'
        ? /"color" is empty|needs a value for "color"/
        : `GET /p${want}`;
    case 'header':
      return `GET /\ncolor: ${want}`;
    case 'cookie':
      // "`&` is never correct" in cookies (3.2.0, Appendix D); those of one header are joined by `; ` (RFC 6265).
      return `GET /\nCookie: ${want.replaceAll('&', '; ')}`;
    default:
      return `GET /?${want}`;
  }
}
