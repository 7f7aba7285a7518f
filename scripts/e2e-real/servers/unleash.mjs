/** Unleash on PostgreSQL: OpenAPI 3.0 that it serves itself, with closed schemas, JSON Patch, and a Location where it creates. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import { Tools } from '../../lib/tools.mjs';
import { answerIn, headerIn, textOf } from '../answer.mjs';
import { direct, until } from '../direct.mjs';
import { installBeside, startPostgres } from '../postgres.mjs';
import { freePort } from '../../lib/free-port.mjs';
import { start } from '../start.mjs';

const tools = new Tools('test/real/unleash');
const TOKEN = '*:*.a-token-for-this-run';
const headers = { Authorization: TOKEN };

/** Its migrations take a while on a busy machine. */
const READY_TRIES = 600;

const project = { projectId: 'default' };
const features = '/api/admin/projects/default/features';

const flag = async (ask, name) => (await ask(`${features}/${name}`)).json;
const environmentOf = ({ environments }, name) => environments.find((one) => one.name === name);

/** It says nothing when it listens. */
const answers = (url) =>
  direct(`${url}/health`).then(
    ({ status }) => status === 200,
    () => false,
  );

export const unleash = {
  name: 'unleash',
  program: 'Unleash 8.2 on PostgreSQL',
  install: () => installBeside(tools),
  start: async (folder) => {
    const database = await startPostgres();
    try {
      const url = `http://127.0.0.1:${await freePort()}`;
      const env = {
        PATH: process.env.PATH ?? '',
        HTTP_HOST: '127.0.0.1',
        HTTP_PORT: new URL(url).port,
        UNLEASH_URL: url,
        DATABASE_URL: `postgres://postgres:none@127.0.0.1:${database.port}/postgres`,
        DATABASE_SSL: 'false',
        INIT_ADMIN_API_TOKENS: TOKEN,
        CHECK_VERSION: 'false',
        SEND_TELEMETRY: 'false',
        LOG_LEVEL: 'info',
      };
      const args = [tools.path('unleash-server/dist/server.js')];
      const running = await start({ command: tools.node(22), args, cwd: folder, env, ready: /()/, url });
      try {
        await until(() => answers(url), READY_TRIES);
      } catch (error) {
        await running.close();
        throw error;
      }
      return {
        url,
        document: `${url}/docs/openapi.json`,
        headers,
        env: { API_BASE_URL: url, API_KEY_APIKEY: TOKEN },
        close: () => running.close().finally(database.close),
      };
    } catch (error) {
      await database.close();
      throw error;
    }
  },
  steps: {
    create: async ({ call, ask, kept }) => {
      kept.name = `flag.${randomUUID()}`;
      const wanted = { name: kept.name, type: 'experiment', description: 'Größer & höher?' };
      const answer = answerIn(await call('createFeature', { ...project, ...wanted, impressionData: true }));
      const held = await flag(ask, kept.name);
      assert.deepEqual({ name: held.name, type: held.type, description: held.description }, wanted);
      assert.equal(held.impressionData, true);
      assert.deepEqual([answer.name, answer.createdAt], [held.name, held.createdAt]);
      // Later answers have it.
      await until(async () => (await flag(ask, kept.name)).lifecycle);
    },
    read: async ({ call, ask, kept }) => {
      const answer = answerIn(await call('getFeature', { ...project, featureName: kept.name }));
      assert.deepEqual(answer, await flag(ask, kept.name));
    },
    list: async ({ call, ask, kept }) => {
      const answer = answerIn(await call('getFeatures', project));
      assert.deepEqual(answer, (await ask(features)).json);
      assert.ok(answer.features.some(({ name }) => name === kept.name));
    },
    'refuse a name that is taken': async ({ refused, ask, kept }) => {
      const words = await refused('createFeature', { ...project, name: kept.name });
      assert.match(words, /409[^]*(?:already exists|NameExistsError)/);
      assert.ok(!words.includes(TOKEN));
      assert.equal((await flag(ask, kept.name)).type, 'experiment');
    },
    'update by JSON Patch': async ({ call, ask, kept }) => {
      const body = [
        { op: 'replace', path: '/description', value: 'a "quoted" /slash/' },
        { op: 'replace', path: '/impressionData', value: false },
      ];
      await call('patchFeature', { ...project, featureName: kept.name, body });
      const { description, impressionData } = await flag(ask, kept.name);
      assert.deepEqual(
        { description, impressionData },
        { description: body[0].value, impressionData: false },
      );
    },
    replace: async ({ call, ask, kept }) => {
      await call('updateFeature', {
        ...project,
        featureName: kept.name,
        description: 'Another',
        type: 'release',
      });
      const { description, type } = await flag(ask, kept.name);
      assert.deepEqual({ description, type }, { description: 'Another', type: 'release' });
    },
    'create a segment': async ({ call, ask, kept }) => {
      const constraints = [
        {
          contextName: 'userId',
          operator: 'IN',
          values: ['1', '2'],
          inverted: false,
          caseInsensitive: false,
        },
      ];
      const result = await call('createSegment', { name: kept.name, description: 'Some', constraints });
      const answer = answerIn(result);
      kept.segment = answer.id;
      const { json } = await ask(`/api/admin/segments/${kept.segment}`);
      assert.deepEqual([json.name, json.constraints[0].values], [kept.name, ['1', '2']]);
      assert.match(headerIn(result, 'location') ?? '', /segments\/\d+$/);
    },
    'add a strategy': async ({ call, ask, kept }) => {
      const strategy = {
        name: 'flexibleRollout',
        title: 'Half of them',
        parameters: { rollout: '50', stickiness: 'default', groupId: kept.name },
        constraints: [{ contextName: 'appName', operator: 'STR_CONTAINS', values: ['ä', 'b'] }],
        segments: [kept.segment],
      };
      const at = { ...project, featureName: kept.name, environment: 'development' };
      const answer = answerIn(await call('addFeatureStrategy', { ...at, ...strategy }));
      kept.strategy = answer.id;
      const held = environmentOf(await flag(ask, kept.name), 'development').strategies[0];
      assert.deepEqual([held.id, held.title], [kept.strategy, strategy.title]);
      assert.deepEqual(held.parameters, strategy.parameters);
      assert.deepEqual(held.constraints[0].values, ['ä', 'b']);
      assert.deepEqual(held.segments, [kept.segment]);
    },
    'list strategies': async ({ call, ask, kept }) => {
      const at = { ...project, featureName: kept.name, environment: 'development' };
      // Documented as one strategy.
      const answer = answerIn(await call('getFeatureStrategies', at));
      const path = `${features}/${kept.name}/environments/development/strategies`;
      assert.deepEqual(answer.result, (await ask(path)).json);
      assert.equal(answer.result.length, 1);
    },
    'switch on': async ({ call, ask, kept }) => {
      const at = { ...project, featureName: kept.name, environment: 'development' };
      await call('toggleFeatureEnvironmentOn', at);
      assert.equal(environmentOf(await flag(ask, kept.name), 'development').enabled, true);
    },
    'give variants to environments': async ({ call, ask, kept }) => {
      const variant = (name, weight) => ({
        name,
        weight,
        weightType: 'variable',
        stickiness: 'default',
        payload: { type: 'json', value: '{"a": 1}' },
      });
      const variants = [variant('blue', 500), variant('red', 500)];
      const environments = ['development', 'production'];
      await call('overwriteFeatureVariantsOnEnvironments', {
        ...project,
        featureName: kept.name,
        variants,
        environments,
      });
      for (const name of environments) {
        const { json } = await ask(`${features}/${kept.name}/environments/${name}/variants`);
        assert.deepEqual(
          json.variants.map(({ name: one, payload }) => [one, payload.value]),
          [
            ['blue', '{"a": 1}'],
            ['red', '{"a": 1}'],
          ],
        );
      }
    },
    'try it out': async ({ call, kept }) => {
      const context = { appName: 'bä', userId: '1', properties: { plan: 'gold' } };
      const asked = { environment: 'development', projects: ['default'], context };
      const answer = answerIn(await call('getPlayground', asked));
      const { isEnabled, strategies, variants } = answer.features.find(({ name }) => name === kept.name);
      assert.equal(typeof isEnabled, 'boolean');
      assert.equal(strategies.data.length, 1);
      assert.equal(variants.length, 2);
    },
    'create a type of tags': async ({ call, ask, kept }) => {
      kept.type = `t${randomUUID().slice(0, 8)}`;
      const wanted = { name: kept.type, description: 'Of this run', icon: null, color: '#00ff00' };
      const result = await call('createTagType', wanted);
      const { json } = await ask(`/api/admin/tag-types/${kept.type}`);
      assert.equal(json.tagType.color, wanted.color);
      assert.equal(answerIn(result).name, kept.type);
      assert.match(headerIn(result, 'location') ?? '', /tag-types\/t\w+$/);
    },
    'tag it': async ({ call, ask, kept }) => {
      const tag = { type: kept.type, value: 'größer & höher' };
      const answer = answerIn(await call('addTag', { featureName: kept.name, ...tag }));
      assert.deepEqual([answer.type, answer.value], [tag.type, tag.value]);
      const { json } = await ask(`/api/admin/features/${kept.name}/tags`);
      assert.deepEqual(answerIn(await call('listTags', { featureName: kept.name })), json);
      assert.deepEqual(
        json.tags.map(({ value }) => value),
        [tag.value],
      );
    },
    'search with filters and paging': async ({ call, ask, kept }) => {
      const asked = { project: 'IS:default', tag: `INCLUDE:${kept.type}:größer & höher`, sortBy: 'name' };
      const paging = { offset: '0', limit: '1', sortOrder: 'asc' };
      const status = ['development:enabled', 'production:enabled'];
      const answer = answerIn(await call('searchFeatures', { ...asked, ...paging, status }));
      assert.equal(answer.total, 1);
      assert.equal(answer.features[0].name, kept.name);
      const query = new URLSearchParams({ ...asked, ...paging });
      for (const one of status) query.append('status', one);
      assert.deepEqual(answer, (await ask(`/api/admin/search/features?${query}`)).json);
    },
    'remove the tag': async ({ call, ask, kept }) => {
      await call('removeTag', { featureName: kept.name, type: kept.type, value: 'größer & höher' });
      assert.deepEqual((await ask(`/api/admin/features/${kept.name}/tags`)).json.tags, []);
    },
    'create a context field': async ({ call, ask, kept }) => {
      const legalValues = [{ value: 'gold', description: 'Dear' }, { value: 'ünï' }];
      const wanted = { name: kept.name, description: 'Plans', legalValues, stickiness: true };
      const answer = answerIn(await call('createContextField', wanted));
      const { json } = await ask(`/api/admin/context/${kept.name}`);
      assert.deepEqual(
        json.legalValues.map(({ value }) => value),
        ['gold', 'ünï'],
      );
      assert.equal(answer.name, kept.name);
      await call('deleteContextField', { contextField: kept.name });
      assert.equal((await ask(`/api/admin/context/${kept.name}`)).status, 404);
    },
    'update a segment': async ({ call, ask, kept }) => {
      const constraints = [{ contextName: 'userId', operator: 'NUM_GT', value: '7' }];
      await call('updateSegment', { id: kept.segment, name: kept.name, constraints });
      const { json } = await ask(`/api/admin/segments/${kept.segment}`);
      assert.equal(json.constraints[0].value, '7');
    },
    'refuse to delete a segment in use': async ({ refused, ask, kept }) => {
      assert.match(await refused('removeSegment', { id: kept.segment }), /409/);
      assert.equal((await ask(`/api/admin/segments/${kept.segment}`)).status, 200);
    },
    'create a token': async ({ call, ask, kept }) => {
      const body = {
        type: 'backend',
        tokenName: kept.name,
        environment: 'development',
        projects: ['default'],
      };
      const answer = answerIn(await call('createApiToken', { body }));
      const mine = { headers: { Authorization: answer.secret } };
      await until(async () => {
        const { json } = await ask('/api/client/features', mine);
        return json.features.some(({ name }) => name === kept.name);
      });
      await call('deleteApiToken', { token: answer.secret });
      const { json: left } = await ask('/api/admin/api-tokens');
      assert.ok(!left.tokens.some(({ tokenName }) => tokenName === kept.name));
    },
    export: async ({ call, kept }) => {
      const body = { environment: 'development', features: [kept.name] };
      const answer = answerIn(await call('exportFeatures', { body }));
      assert.deepEqual(
        answer.features.map(({ name }) => name),
        [kept.name],
      );
      assert.equal(answer.featureStrategies[0].id, kept.strategy);
    },
    'read what happened': async ({ call, ask, kept }) => {
      const asked = { feature: `IS:${kept.name}`, limit: '3', offset: '1' };
      const answer = answerIn(await call('searchEvents', asked));
      assert.deepEqual(answer, (await ask(`/api/admin/search/events?${new URLSearchParams(asked)}`)).json);
      assert.equal(answer.events.length, 3);
      assert.ok(answer.total > 5);
    },
    'read statistics as CSV': async ({ call }) => {
      assert.match(textOf(await call('getInstanceAdminStatsCsv')), /"featureToggles"[^]*\n/);
    },
    'delete a strategy': async ({ call, ask, kept }) => {
      const at = { ...project, featureName: kept.name, environment: 'development' };
      await call('deleteFeatureStrategy', { ...at, strategyId: kept.strategy });
      assert.deepEqual(environmentOf(await flag(ask, kept.name), 'development').strategies, []);
      await call('removeSegment', { id: kept.segment });
      assert.equal((await ask(`/api/admin/segments/${kept.segment}`)).status, 404);
    },
    'archive and delete': async ({ call, ask, kept }) => {
      await call('archiveFeature', { ...project, featureName: kept.name });
      const query = new URLSearchParams({ query: kept.name, archived: 'IS:true' });
      assert.equal((await ask(`/api/admin/search/features?${query}`)).json.total, 1);
      await call('deleteFeature', { featureName: kept.name });
      assert.equal((await ask(`${features}/${kept.name}`)).status, 404);
    },
    'read what is gone': async ({ refused, kept }) => {
      assert.match(await refused('getFeature', { ...project, featureName: kept.name }), /404/);
    },
  },
};
