import { essence } from '../../../templates/runtime/contract/media-type.ts';
import type { Operation, Response, ResponseContent } from '../../model/source-model.ts';

/** `200` › `201` › other 2xx › `2XX`; `default` only when no success is described. */
export function successResponses({ responses }: Operation): Response[] {
  const successes = responses.filter(
    ({ status }) => status.startsWith('2') && /^2(?:\d\d|xx)$/i.test(status),
  );
  if (successes.length === 0) return responses.filter(({ status }) => status === 'default');
  if (successes.length === 1) return successes;
  return successes
    .map((response, index) => ({ response, index, rank: rankStatus(response) }))
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ response }) => response);
}

function rankStatus({ status }: Response): number {
  if (status === '200') return 0;
  if (status === '201') return 1;
  return /^2\d\d$/.test(status) ? 2 : 3;
}

export function successContent(operation: Operation): ResponseContent[] {
  return successResponses(operation).find(({ content }) => content.length > 0)?.content ?? [];
}

export function acceptedMediaTypes(operation: Operation): string[] {
  const successes = successResponses(operation);
  const ordered =
    successes.length < 2 ? successes : operation.responses.filter((response) => successes.includes(response));
  return [...new Set(ordered.flatMap(({ content }) => content.map(({ mediaType }) => mediaType)))];
}

export function isEventStream(mediaType: string): boolean {
  return essence(mediaType) === 'text/event-stream';
}
