/** Reports members of lists and library classes that their JSON does not contain. */
import { ts } from 'ts-morph';
import { isBrand, isSymbolName } from './brand.ts';
import { isUndefined, mayBeAbsent } from './absence.ts';
import { type Place, type Reading, subjectOf } from './form.ts';
import { isOfLibrary } from './library-kind.ts';
import { isHidden, isShown, isWrittenMember } from './member.ts';

/** `written` is the part that the JSON contains. */
export function tellMembersBeside(type: ts.Type, written: ts.Type, place: Place, reading: Reading): void {
  const { checker, direction } = reading;
  const names = checker
    .getPropertiesOfType(type)
    .filter((member) => type === written || written.getProperty(member.name) === undefined)
    .filter((member) => !isOfList(member, reading) && isMissed(member, type, reading))
    .map(({ name }) => `\`${name}\``);
  if (names.length === 0) return;
  const as = type === written ? 'a list' : `\`${checker.typeToString(written)}\``;
  const what = `its member${names.length === 1 ? '' : 's'} ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`;
  const way = direction === 'input' ? 'given' : 'written';
  reading.tell('half-written', { subject: subjectOf(place), as, what, way }, place.at);
}

/** Every list has `length`, items and methods. */
function isOfList(member: ts.Symbol, { program }: Reading): boolean {
  if (/^\d+$/.test(member.name)) return true;
  const isMethod = (member.flags & ts.SymbolFlags.Method) !== 0;
  return (member.name === 'length' || isMethod) && isOfLibrary(member, program);
}

/** A result loses data; a function misses members that its argument's type promises. */
function isMissed(member: ts.Symbol, type: ts.Type, reading: Reading): boolean {
  if (reading.direction === 'output') return isWrittenMember(member, type, reading);
  if (isSymbolName(member.name) || isBrand(member, type) || isHidden(member, reading)) return false;
  const isNothing = isUndefined(reading.checker.getTypeOfSymbol(member));
  return isShown(member) && !isNothing && !mayBeAbsent(member, reading.checker);
}
