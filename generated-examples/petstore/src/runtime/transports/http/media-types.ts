/** What a POST says of its body, and of the answers it takes (Streamable HTTP, "Sending Messages to the Server"). */
import { HttpRefusal } from './http-refusal.ts';

/** @throws {HttpRefusal} 415 */
export function checkContentType(header: string | undefined): void {
  if (essence(header ?? '') === 'application/json') return;
  throw new HttpRefusal(415, 'The body must be application/json.');
}

/** @throws {HttpRefusal} 406; a wildcard counts for what it stands for. */
export function checkAccept(header: string | undefined): void {
  const accepted = (header ?? '').split(',').map(essence);
  const takes = (type: string): boolean =>
    [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*'].some((one) => accepted.includes(one));
  if (takes('application/json') && takes('text/event-stream')) return;
  throw new HttpRefusal(406, '`Accept` must hold application/json and text/event-stream.');
}

function essence(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}
