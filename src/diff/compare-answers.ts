/** Compares what tools return of an answer (`x-mcp.output`), where no output schema shows it. */
import type { MemberNames, ResultBinding } from '../../templates/runtime/contract/bindings.ts';
import { omitUndefined } from '../util/collections.ts';
import type { ItemChange } from './compare-items.ts';

/** Dotted names. */
export interface AnswerRules {
  select?: string[];
  drop?: string[];
}

export function listAnswerRulePaths({
  select,
  drop,
}: Pick<ResultBinding, 'select' | 'drop'> = {}): AnswerRules {
  return omitUndefined({ select: select && listPaths(select), drop: drop && listPaths(drop) });
}

function listPaths(names: Record<string, MemberNames>, start = ''): string[] {
  return Object.entries(names).flatMap(([name, below]) => {
    const path = `${start}${name.replaceAll('.', '\\.')}`;
    return below === true ? [path] : listPaths(below, `${path}.`);
  });
}

export function compareAnswers(before: AnswerRules, after: AnswerRules): ItemChange[] {
  return [
    ...compareSelectedPaths(before.select, after.select),
    ...findUncoveredPaths(after.drop, before.drop).map(makeMemberRemoved),
    ...findUncoveredPaths(before.drop, after.drop).map(makeMemberAdded),
  ];
}

function compareSelectedPaths(before: string[] | undefined, after: string[] | undefined): ItemChange[] {
  if (before === undefined && after === undefined) return [];
  if (before === undefined)
    return [{ kind: 'member-removed', side: 'output', text: `only ${after?.join(', ') ?? ''} returned now` }];
  if (after === undefined)
    return [{ kind: 'member-added', side: 'output', text: 'all members returned now' }];
  return [
    ...findUncoveredPaths(before, after).map((path) =>
      after.some((each) => each.startsWith(`${path}.`)) ? makeReturnedInPart(path) : makeMemberRemoved(path),
    ),
    ...findUncoveredPaths(after, before).map(makeMemberAdded),
  ];
}

/** Finds the paths that are neither among `others` nor below one of them. */
function findUncoveredPaths(paths: readonly string[] = [], coveringPaths: readonly string[] = []): string[] {
  return paths.filter(
    (path) => !coveringPaths.some((other) => path === other || path.startsWith(`${other}.`)),
  );
}

function makeMemberRemoved(at: string): ItemChange {
  return { kind: 'member-removed', side: 'output', at, text: 'removed' };
}

function makeReturnedInPart(at: string): ItemChange {
  return { kind: 'member-removed', side: 'output', at, text: 'returned in part now' };
}

function makeMemberAdded(at: string): ItemChange {
  return { kind: 'member-added', side: 'output', at, text: 'added' };
}
