import { type Fault, type NoForm, type Place, type Reading, subjectOf } from './form.ts';
import { definedMembers } from '../../../util/defined-members.ts';

/** Reports why a type has no form. */
export function reportFault(
  { place, problem }: Fault,
  { tell, unlessMistaken }: Pick<Reading, 'tell' | 'unlessMistaken'>,
): void {
  const subject = subjectOf(place);
  switch (problem.name) {
    case 'type-without-json':
      tell(problem.name, { subject, what: problem.what }, place.at);
      return;
    case 'untyped-value': {
      const { written, isMistaken } = problem;
      const told = { subject, ...definedMembers({ written }) };
      if (isMistaken !== true) tell(problem.name, told, place.at);
      else
        unlessMistaken(() => {
          tell(problem.name, told, place.at);
        });
      return;
    }
    case 'nested-context':
      tell(problem.name, { subject }, place.at);
      return;
    case 'unresolved-generic':
      tell(problem.name, { subject, type: problem.type }, place.at);
  }
}

/**
 * Reports a dropped optional member or alternative. `any` and open types of the user stay errors, since their form is
 * only unknown.
 */
export function leaveOut({ faults }: NoForm, place: Place, reading: Reading): void {
  const known = faults.filter(({ problem }) => problem.name === 'type-without-json');
  for (const fault of faults) if (!known.includes(fault)) reportFault(fault, reading);
  const [first] = known;
  if (first?.problem.name !== 'type-without-json') return;
  const { what } = first.problem;
  const inner = first.place.path === place.path ? '' : (/[^.]*$/.exec(first.place.path)?.[0] ?? '');
  reading.tell(
    'member-left-out',
    { subject: subjectOf(place), what: inner === '' ? what : `an object whose \`${inner}\` is ${what}` },
    place.at,
  );
}
