/** Prints `src/generated/features.json`; its layout is described in `print-lines.ts`. */
import type { Feature } from '../../../templates/runtime/contract/feature.ts';
import { type FeatureRow, FEATURES } from '../../../templates/runtime/features.ts';
import { definedMembers } from '../../util/collections.ts';
import { printList, printMembers } from './print-lines.ts';

/** @param present names of the features that the server has: of the others it knows what it must refuse */
export function printFeatures(present: ReadonlySet<string>): string {
  const rows = FEATURES.map((row) => (present.has(row.name) ? ownRow(row) : absentRow(row)));
  return printMembers([
    printList(
      'features',
      rows.map((row) => JSON.stringify(row)),
    ),
  ]);
}

function ownRow(row: FeatureRow): object {
  const { flags, variables } = row;
  return { ...commonMembers(row), ...definedMembers({ flags, variables }) };
}

function absentRow(row: FeatureRow): object {
  const { flags, variables } = row;
  const names = Object.entries(flags ?? {}).map(([name, flag]) => [
    name,
    definedMembers({ with: flag.with }),
  ]);
  return {
    ...commonMembers(row),
    ...(flags === undefined ? {} : { flags: Object.fromEntries(names) as object }),
    ...definedMembers({
      variables: variables?.map(({ name }) => ({ name })),
    }),
  };
}

function commonMembers({
  name,
  needs,
  with: base,
  addedBy,
  entries,
  ...row
}: FeatureRow): Omit<Feature, 'flags'> {
  const loadedBy = entries.length === 0 ? undefined : entries.map(({ loader }) => loader);
  const { variablePrefix, missed, isRefused } = row;
  return {
    name,
    ...definedMembers({ needs, with: base, addedBy, loadedBy, variablePrefix, missed, isRefused }),
  };
}
