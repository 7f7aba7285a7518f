/** Reports alternatives of arguments that no call can choose, since an earlier one accepts all of their JSON. */
import { covers } from './covers.ts';
import { type NotedAlternative, type NotedUnion, subjectOf, type TellAt } from './form.ts';
import { pruneCodec, type Pruning } from './prune-codec.ts';

/** Call it after the schemas are copied. */
export function checkAlternatives(noted: readonly NotedUnion[], pruning: Pruning, tell: TellAt): void {
  for (const { place, alternatives, definitions } of noted) {
    if (place.isLibrary) continue;
    const isKept = ({ codec }: NotedAlternative): boolean => pruneCodec(codec, pruning) === undefined;
    const kept = alternatives.filter(isKept);
    for (const lost of alternatives.filter((each) => !kept.includes(each))) {
      const taken = kept.find(
        (each) => each.required >= lost.required && covers(each.copy, lost.copy, definitions),
      );
      if (taken === undefined) continue;
      tell(
        'alternative-never-given',
        { subject: subjectOf(place), lost: lost.name(), taken: taken.name() },
        place.at,
      );
    }
  }
}
