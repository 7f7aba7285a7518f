/** Decides which parts of the API client the requests and answers of a model need. */
import { apisOf } from '../../templates/runtime/contract/apis.ts';
import type { HttpBinding } from '../../templates/runtime/contract/bindings.ts';
import type { ApiNeed } from '../../templates/runtime/features.ts';
import { isJson, isRange, isSequential, isText } from '../../templates/runtime/contract/media-type.ts';
import type { ServerModel } from '../model/server-model.ts';
import type { EmitOptions } from './emit-options.ts';

type Check = (model: ServerModel, auth: EmitOptions['auth']) => boolean;

export const needsOfApi: Record<ApiNeed, Check> = {
  multipart: (model) => httpBindings(model).some(({ body }) => body?.kind === 'multipart'),
  xml: (model) => httpBindings(model).some(mayHoldXml),
  'client-credentials': (model) =>
    apisOf(model).some(({ securitySchemes }) =>
      Object.values(securitySchemes).some(
        (scheme) =>
          scheme.type === 'oauth2' && (scheme.tokenUrl !== undefined || scheme.metadataUrl !== undefined),
      ),
    ),
  files: (model) =>
    httpBindings(model).some(
      (binding) =>
        sendsFiles(binding) ||
        answersWith(
          binding,
          (type) => isRange(type) || !(isJson(type) || isText(type) || isSequential(type)),
        ),
    ),
  sequences: (model) =>
    httpBindings(model).some((binding) =>
      answersWith(binding, (type) => isRange(type) || isSequential(type)),
    ),
  exchange: (_, auth) => auth?.onBehalf !== undefined || auth?.exchange !== undefined,
  'client-certificates': (model) =>
    apisOf(model).some(({ securitySchemes }) =>
      Object.values(securitySchemes).some(({ type }) => type === 'mutualTLS'),
    ),
};

function httpBindings({ tools, resources, resourceTemplates }: ServerModel): HttpBinding[] {
  const read = [...resources, ...resourceTemplates].map(({ binding }) => binding.do);
  return [...tools.map(({ binding }) => binding), ...read].flatMap((binding) =>
    binding.kind === 'http' ? [binding] : [],
  );
}

/** Properties of a form, and parameters that are forms, may be XML. */
function mayHoldXml({ body, parameters }: HttpBinding): boolean {
  return body?.kind === 'xml' || [body, ...parameters].some((one) => one?.encoding !== undefined);
}

function sendsFiles({ body }: HttpBinding): boolean {
  return body?.kind === 'binary' || body?.kind === 'multipart' || body?.mayBeFile === true;
}

/** A range fits both: an answer of any type may be bytes or a sequence. */
function answersWith({ result }: HttpBinding, isSuch: (mediaType: string) => boolean): boolean {
  return (result?.accept ?? []).some(isSuch);
}
