import { isRecord } from '../../../../templates/runtime/contract/json-value.ts';
import { suggestNearest } from '../../../../templates/runtime/contract/feature.ts';
import type { DocumentOrigin } from '../../../model/origin.ts';
import { omitUndefined } from '../../../util/collections.ts';
import { type Rec, describeValueKind, ownMember } from '../document/record.ts';
import type { EntryText } from '../load/load-entry.ts';
import { isLoadFailure } from '../load/load-failure.ts';
import type { DocumentLimits } from '../load/loaded-document.ts';
import { parseText } from '../load/parse-text.ts';
import { escapePointerToken } from '../../../../templates/runtime/contract/json-schema.ts';
import type { Report } from '../report.ts';

/** A check for each known member of an object, which returns the problem with its value. */
type Shape = Record<string, (value: unknown) => string | undefined>;

const VERSION = /^1\.[01]\.\d+(?:-.+)?$/;

const findTextProblem = (value: unknown): string | undefined =>
  typeof value === 'string' ? undefined : `must be text, and is ${describeValueKind(value)}`;
const findQueryProblem = (value: unknown): string | undefined =>
  findTextProblem(value) ??
  (String(value).startsWith('$') ? undefined : 'must be a JSONPath query, which begins with `$`');

const ROOT: Shape = {
  overlay: (value) =>
    typeof value === 'string' && VERSION.test(value)
      ? undefined
      : 'must be a version that is supported, 1.0.0 or 1.1.0, as text',
  info: (value) => (isRecord(value) ? undefined : `must be an object, and is ${describeValueKind(value)}`),
  extends: findTextProblem,
  actions: (value) =>
    Array.isArray(value) && value.length > 0 ? undefined : 'must be a list of one action or more',
};
const INFO: Shape = { title: findTextProblem, version: findTextProblem, description: findTextProblem };
const ACTION: Shape = {
  target: findQueryProblem,
  description: findTextProblem,
  update: () => undefined,
  copy: findQueryProblem,
  remove: (value) =>
    typeof value === 'boolean' ? undefined : `must be true or false, and is ${describeValueKind(value)}`,
};

export function readOverlay(entry: EntryText, limits: DocumentLimits, report: Report): Overlay | undefined {
  const { file } = entry;
  const root: DocumentOrigin = { kind: 'document', file, pointer: '' };
  const parsed = parseText(entry.text, file, limits);
  if (isLoadFailure(parsed)) {
    parsed.report(report, root);
    return undefined;
  }
  const checker = new Checker(file, report);
  const overlay = checker.checkObject(parsed.value, root, 'The overlay', ROOT, [
    'overlay',
    'info',
    'actions',
  ]);
  if (overlay === undefined) return undefined;
  checker.checkObject(overlay.info, memberOrigin(root, 'info'), '`info`', INFO, ['title', 'version']);
  const actions = readActions(overlay.actions, memberOrigin(root, 'actions'), checker);
  if (checker.failed) return undefined;
  const stated = overlay.extends;
  const base =
    typeof stated === 'string' && URL.canParse(stated, entry.uri) ? new URL(stated, entry.uri) : undefined;
  return { file, actions, ...omitUndefined({ extends: base?.href }) };
}

function readActions(list: unknown, at: DocumentOrigin, checker: Checker): Action[] {
  if (!Array.isArray(list)) return [];
  const actionTexts = new Set<string>();
  return list.flatMap((item: unknown, index): Action[] => {
    const place = memberOrigin(at, index);
    const action = checker.checkObject(item, place, `\`actions[${index}]\``, ACTION, ['target']);
    if (action === undefined) return [];
    const actionText = JSON.stringify(action);
    if (actionTexts.has(actionText)) checker.reportProblem(`\`actions[${index}]\` occurs twice`, place);
    actionTexts.add(actionText);
    if (action.update !== undefined && action.copy !== undefined && action.remove !== true)
      checker.reportProblem(`\`actions[${index}]\` has both \`update\` and \`copy\``, place);
    return [{ target: String(action.target), at: place, ...readChange(action) }];
  });
}

function readChange({ update, copy, remove }: Rec): OverlayChange {
  if (remove === true) return { kind: 'remove' };
  if (typeof copy === 'string') return { kind: 'copy', from: copy };
  return update === undefined ? { kind: 'none' } : { kind: 'update', value: update };
}

class Checker {
  failed = false;
  readonly #file: string;
  readonly #report: Report;

  constructor(file: string, report: Report) {
    this.#file = file;
    this.#report = report;
  }

  reportProblem(problem: string, at: DocumentOrigin): void {
    this.failed = true;
    this.#report('invalid-overlay', { overlay: this.#file, problem }, { at });
  }

  checkObject(
    value: unknown,
    at: DocumentOrigin,
    what: string,
    shape: Shape,
    required: readonly string[],
  ): Rec | undefined {
    if (!isRecord(value)) {
      this.reportProblem(`${what} must be an object, and is ${describeValueKind(value)}`, at);
      return undefined;
    }
    const missing = required.filter((key) => !Object.hasOwn(value, key));
    for (const key of missing) this.reportProblem(`${what} has no \`${key}\``, at);
    const wrong = Object.keys(value).filter((key) => !this.#checkMember(value, key, at, what, shape));
    return missing.length + wrong.length === 0 ? value : undefined;
  }

  #checkMember(value: Rec, key: string, at: DocumentOrigin, what: string, shape: Shape): boolean {
    if (key.startsWith('x-')) return true;
    const check = Object.hasOwn(shape, key) ? shape[key] : undefined;
    const problem = check === undefined ? unknownMemberText(key, what, shape) : check(ownMember(value, key));
    if (problem === undefined) return true;
    const description =
      check === undefined
        ? problem
        : `\`${key}\` of ${what.charAt(0).toLowerCase() + what.slice(1)} ${problem}`;
    this.reportProblem(
      description,
      check === undefined ? { ...memberOrigin(at, key), on: 'key' } : memberOrigin(at, key),
    );
    return false;
  }
}

function unknownMemberText(key: string, what: string, shape: Shape): string {
  const near = suggestNearest(key, Object.keys(shape));
  return `${what} has an unknown member \`${key}\`${near === undefined ? '' : ` (did you mean \`${near}\`?)`}`;
}

/** OpenAPI Overlay 1.0 or 1.1: changes to a document, in order. */
export interface Overlay {
  file: string;
  /** Absent if the overlay names no document, or no valid URI. */
  extends?: string;
  actions: readonly Action[];
}

export type Action = {
  /** A JSONPath query (RFC 9535). */
  target: string;
  at: DocumentOrigin;
} & OverlayChange;

export type OverlayChange =
  | { kind: 'update'; value: unknown }
  /** `from` is a JSONPath query that selects one place of the document. */
  | { kind: 'copy'; from: string }
  | { kind: 'remove' }
  | { kind: 'none' };

/** The message is a clause without a full stop. */
export class OverlayMisfit extends Error {}

export function memberOrigin(origin: DocumentOrigin, token: string | number): DocumentOrigin {
  return { ...origin, pointer: `${origin.pointer}/${escapePointerToken(String(token))}` };
}
