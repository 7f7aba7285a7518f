import { ts } from 'ts-morph';

import type { DiagnosticCollector } from '../../../diagnostics/collector.ts';
import { type FileLabel, originAt, makeNodeOrigin } from '../program/source-program.ts';
import type { Held, ReportAt } from './form.ts';

export function makeReportOnce(diagnostics: Pick<DiagnosticCollector, 'report'>, label: FileLabel): ReportAt {
  const told = new Set<string>();
  return (name, parameters, at) => {
    const origin = 'offset' in at ? originAt(at.file, at.offset, label) : makeNodeOrigin(at, label);
    const key = JSON.stringify([
      name,
      'offset' in at ? [parameters, origin] : keyOfCause(name, parameters, at),
    ]);
    if (told.has(key)) return;
    told.add(key);
    diagnostics.report(name, parameters, { at: origin });
  };
}

function keyOfCause(name: string, parameters: object, at: ts.Node): unknown[] {
  const { fileName } = at.getSourceFile();
  // A type parameter of a function is one cause, wherever it stands.
  const owner = name === 'unresolved-generic' ? ts.findAncestor(at, ts.isFunctionLike) : undefined;
  if (owner !== undefined) return [{ ...parameters, subject: '' }, fileName, owner.pos];
  const member = findMemberName(at);
  return [
    member === undefined ? parameters : { ...parameters, ...shortenSubject(parameters, member) },
    fileName,
    at.pos,
  ];
}

/** Finds the member's name, since the path before it is not the cause of a problem. */
function findMemberName(node: ts.Node): string | undefined {
  if (!ts.isTypeElement(node) && !ts.isPropertyDeclaration(node)) return undefined;
  return node.name === undefined ? undefined : node.name.getText();
}

/** `User.names[]` and `user.names[]` both become `names[]`. */
function shortenSubject(parameters: object, member: string): { subject?: string } {
  if (!('subject' in parameters) || typeof parameters.subject !== 'string') return {};
  const [, path = ''] = /^`([^`]*)`/.exec(parameters.subject) ?? [];
  const at = path.lastIndexOf(member);
  return at < 0 ? {} : { subject: path.slice(at) };
}

/** Reports of held work wait until the work is kept. */
export class DeferredReports {
  #now: ReportAt;

  constructor(tell: ReportAt) {
    this.#now = tell;
  }

  readonly tell: ReportAt = (...told) => {
    this.#now(...told);
  };

  holdReports<T>(work: () => T): Held<T> {
    const told: (() => void)[] = [];
    const tell = this.#now;
    this.#now = (...each) => {
      told.push(() => {
        tell(...each);
      });
    };
    try {
      return {
        result: work(),
        keep: () =>
          told.forEach((each) => {
            each();
          }),
      };
    } finally {
      this.#now = tell;
    }
  }
}
