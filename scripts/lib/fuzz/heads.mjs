import fc from 'fast-check';
import { textOf } from './texts.mjs';

/** `Accept` is read as it stands: case, blanks and ranges of something else change nothing. */
export async function accept(load) {
  const { checkAccept } = await load('templates/runtime/transports/http/read-request');
  const { HttpRefusal } = await load('templates/runtime/transports/http/http-answer');
  const takes = (header, types) => {
    try {
      checkAccept({ headers: { accept: header } }, types);
      return true;
    } catch (error) {
      if (error instanceof HttpRefusal && error.status === 406) return false;
      throw error;
    }
  };
  const header = textOf(
    [
      ...['application/json', 'text/event-stream', 'application/*', 'text/*', '*/*', 'image/png'],
      ...[',', ', ', ';', '; q=0', ';q=0.000', ';q=0.1', ';q=1', ';charset=utf-8', ' ', '\t', '"', '='],
    ],
    10,
  );
  const types = fc.subarray(['application/json', 'text/event-stream'], { minLength: 1 });
  return fc.property(header, types, (given, wanted) => {
    const found = takes(given, wanted);
    const others = {
      'in capitals': given.toUpperCase(),
      'with blanks': given.replaceAll(',', ' ,\t'),
      'with another range': `${given},image/gif;q=0.5`,
    };
    for (const [how, other] of Object.entries(others))
      if (takes(other, wanted) !== found) throw new Error(`${JSON.stringify(given)} is another ${how}`);
    if (found && !wanted.every((type) => takes(given, [type]))) throw new Error('all, but not each');
  });
}
