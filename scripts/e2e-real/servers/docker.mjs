/** Docker's engine: Swagger 2.0, archives as bodies and answers, raw streams, several JSON texts in one answer. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { runOrThrow } from '../../lib/run.mjs';
import { answerIn, bytesIn, headerIn, textOf } from '../answer.mjs';
import { direct } from '../direct.mjs';
import { freePort } from '../../lib/free-port.mjs';
import { start } from '../start.mjs';
import { filesIn, tarOf } from '../tar.mjs';
import { programCalled } from './debian.mjs';

/** Its package has no document: that of the same version of its API comes from the corpus. */
const DOCUMENT = 'docker-engine-1.41.yaml';

/** An image of this machine's own programs: none can be pulled without a network. */
const BASE = 'base:1';
const PROGRAMS = ['/bin/sh', '/bin/cat', '/bin/sleep'];

async function makeBase(url) {
  const { stdout } = await runOrThrow('ldd', PROGRAMS);
  const libraries = stdout.match(/\/\S+\.so\S*/g);
  const files = [...new Set([...PROGRAMS, ...libraries])].map((file) => [file.slice(1), readFileSync(file)]);
  const { status, body } = await direct(`${url}/v1.41/images/create?fromSrc=-&repo=base&tag=1`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-tar' },
    body: tarOf(Object.fromEntries(files)),
  });
  assert.equal(status, 200, body.toString());
}

const archive = (files) => `data:application/x-tar;base64,${tarOf(files).toString('base64')}`;
const textsIn = (body) =>
  body
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Raw streams come as text or as a file. */
const rawIn = (result) =>
  result.content.some(({ resource }) => resource?.blob) ? bytesIn(result).toString() : textOf(result);

const imageOf = async (ask, name) => (await ask(`/v1.41/images/${name}/json`)).json;
const containerOf = async (ask, id) => (await ask(`/v1.41/containers/${id}/json`)).json;
const inFiles = (files, name) => Object.entries(files).find(([one]) => one.endsWith(name))?.[1];

export const docker = {
  name: 'docker',
  program: 'Docker 20.10 of Debian',
  install: async ({ corpus }) => {
    if (programCalled('dockerd') === undefined) return 'apt-get install docker.io';
    if (process.getuid() !== 0) return 'it runs as root only';
    if (corpus !== undefined && existsSync(path.join(corpus, DOCUMENT))) return undefined;
    return `it does not ship its document: --corpus <folder> with ${DOCUMENT}`;
  },
  start: async (folder, { corpus }) => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const settings = {
      host: url.replace('http:', 'tcp:'),
      'data-root': path.join(folder, 'data'),
      'exec-root': path.join(folder, 'exec'),
      pidfile: path.join(folder, 'docker.pid'),
      'storage-driver': 'vfs',
      bridge: 'none',
      iptables: 'false',
      ip6tables: 'false',
      'shutdown-timeout': '2',
    };
    const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
    const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin`, HOME: folder };
    const command = programCalled('dockerd');
    const running = await start({
      command,
      args,
      cwd: folder,
      env,
      ready: /API listen on/,
      url,
      endMs: 30_000,
    });
    try {
      await makeBase(url);
    } catch (error) {
      await running.close();
      throw error;
    }
    const limits = { API_STREAM_ITEMS: '50', API_TIMEOUT_MS: '12000' };
    return {
      ...running,
      document: path.join(corpus, DOCUMENT),
      env: { API_BASE_URL: `${url}/v1.41`, ...limits },
    };
  },
  steps: {
    'ask whether it is there': async ({ call }) => {
      const result = await call('SystemPing');
      assert.match(textOf(result), /^OK/);
      assert.equal(headerIn(result, 'api-version'), '1.41');
    },
    'read its version and state': async ({ call, ask }) => {
      assert.deepEqual(answerIn(await call('SystemVersion')), (await ask('/v1.41/version')).json);
      const info = answerIn(await call('SystemInfo'));
      const { json } = await ask('/v1.41/info');
      assert.deepEqual(Object.keys(info).toSorted(), Object.keys(json).toSorted());
      assert.deepEqual([info.Driver, info.ID], ['vfs', json.ID]);
    },
    'import a tar as an image': async ({ call, ask, kept }) => {
      kept.name = `r${randomUUID().slice(0, 8)}`;
      kept.began = Math.floor(Date.now() / 1000);
      kept.small = `${kept.name}-small:1`;
      const body = archive({ 'hello.txt': 'Grüße\n' });
      const asked = { fromSrc: '-', repo: `${kept.name}-small`, tag: '1', message: 'Größer & höher?' };
      const answer = answerIn(await call('ImageCreate', { ...asked, changes: ['ENV WHO=me'], body }));
      const image = await imageOf(ask, kept.small);
      assert.deepEqual([image.Comment, image.Config.Env], [asked.message, ['WHO=me']]);
      // Several JSON texts, here one.
      assert.equal(answer.status ?? answer.result.at(-1).status, image.Id);
    },
    'build an image of a tar': async ({ call, ask, kept }) => {
      kept.image = `${kept.name}:1`;
      const Dockerfile = [
        `FROM ${BASE}`,
        'ARG who=nobody',
        'COPY hello.txt /hello.txt',
        'RUN /bin/cat /hello.txt',
        'CMD ["/bin/sh", "-c", "while :; do echo out; echo err >&2; /bin/sleep 1; done"]',
        'LABEL of="${who}"',
      ].join('\n');
      const { result } = answerIn(
        await call('ImageBuild', {
          t: kept.image,
          networkmode: 'none',
          buildargs: JSON.stringify({ who: 'Zoë' }),
          labels: JSON.stringify({ run: kept.name }),
          body: archive({ Dockerfile, 'hello.txt': 'Größer & höher?\n' }),
        }),
      );
      assert.ok(result.some(({ stream }) => stream === 'Größer & höher?\n'));
      const { Id, Config } = await imageOf(ask, kept.image);
      assert.deepEqual(Config.Labels, { run: kept.name, of: 'Zoë' });
      assert.equal(result.find(({ aux }) => aux).aux.ID, Id);
    },
    'list images by filters': async ({ call, ask, kept }) => {
      const filters = JSON.stringify({ label: [`run=${kept.name}`], reference: [`${kept.name}*`] });
      const answer = answerIn(await call('ImageList', { filters }));
      const { json } = await ask(`/v1.41/images/json?filters=${encodeURIComponent(filters)}`);
      assert.deepEqual(answer.result, json);
      assert.deepEqual(
        json.map(({ RepoTags }) => RepoTags),
        [[kept.image]],
      );
    },
    'read an image': async ({ call, ask, kept }) => {
      const answer = answerIn(await call('ImageInspect', { name: kept.image }));
      assert.deepEqual(answer, await imageOf(ask, kept.image));
      const { result } = answerIn(await call('ImageHistory', { name: kept.image }));
      assert.deepEqual(result, (await ask(`/v1.41/images/${kept.image}/history`)).json);
      assert.ok(result.length > 4);
    },
    'tag an image': async ({ call, ask, kept }) => {
      await call('ImageTag', { name: kept.small, repo: `example.org/a/${kept.name}`, tag: 'v2' });
      const { Id } = await imageOf(ask, `example.org/a/${kept.name}:v2`);
      assert.equal(Id, (await imageOf(ask, kept.small)).Id);
    },
    'save an image as a tar': async ({ call, kept }) => {
      const files = filesIn(bytesIn(await call('ImageGet', { name: kept.small })));
      assert.deepEqual(JSON.parse(files['manifest.json'])[0].RepoTags, [kept.small]);
    },
    'load an image from a tar': async ({ call, ask, kept }) => {
      const { body } = await ask(`/v1.41/images/${kept.small}/get`);
      await ask(`/v1.41/images/${kept.small}`, { method: 'DELETE' });
      assert.equal((await ask(`/v1.41/images/${kept.small}/json`)).status, 404);
      const result = await call('ImageLoad', { body: body.toString('base64'), quiet: true });
      assert.match(JSON.stringify(answerIn(result)), new RegExp(`Loaded image: ${kept.small}`));
      assert.equal((await imageOf(ask, kept.small)).Comment, 'Größer & höher?');
    },
    'create a volume': async ({ call, ask, kept }) => {
      const Labels = { run: kept.name, 'ünï/c': 'a "b"' };
      const answer = answerIn(await call('VolumeCreate', { Name: kept.name, Labels }));
      const { json } = await ask(`/v1.41/volumes/${kept.name}`);
      assert.deepEqual(json.Labels, Labels);
      assert.deepEqual(answer, json);
      const filters = JSON.stringify({ name: [kept.name] });
      const list = answerIn(await call('VolumeList', { filters }));
      assert.deepEqual(list, (await ask(`/v1.41/volumes?filters=${encodeURIComponent(filters)}`)).json);
    },
    'create a container': async ({ call, ask, kept }) => {
      const Mounts = [{ Type: 'volume', Source: kept.name, Target: '/data' }];
      const wanted = {
        name: kept.name,
        Image: kept.image,
        Env: ['A=größer'],
        Labels: { run: kept.name },
        HostConfig: { NetworkMode: 'none', CpuShares: 512, Mounts },
      };
      const answer = answerIn(await call('ContainerCreate', wanted));
      const container = await containerOf(ask, kept.name);
      assert.equal(answer.Id, container.Id);
      assert.ok(container.Config.Env.includes('A=größer'));
      assert.equal(container.HostConfig.CpuShares, 512);
      assert.deepEqual(
        container.Mounts.map(({ Name, Destination }) => [Name, Destination]),
        [[kept.name, '/data']],
      );
    },
    'refuse a name that is taken': async ({ refused, kept }) => {
      const words = await refused('ContainerCreate', { name: kept.name, Image: kept.image });
      assert.match(words, /409[^]*is already in use/);
    },
    'put files into it': async ({ call, ask, kept }) => {
      const body = archive({ 'in.txt': 'Ünï\n', 'deep/er.txt': 'x' });
      await call('PutContainerArchive', { id: kept.name, path: '/data', body });
      const held = await ask(`/v1.41/containers/${kept.name}/archive?path=/data`);
      assert.equal(inFiles(filesIn(held.body), 'data/in.txt'), 'Ünï\n');
      assert.equal(inFiles(filesIn(held.body), 'deep/er.txt'), 'x');
    },
    'get a file out of it': async ({ call, kept }) => {
      const files = filesIn(bytesIn(await call('ContainerArchive', { id: kept.name, path: '/hello.txt' })));
      assert.deepEqual(files, { 'hello.txt': 'Größer & höher?\n' });
    },
    'ask about a file': async ({ call, kept }) => {
      const result = await call('ContainerArchiveInfo', { id: kept.name, path: '/hello.txt' });
      const stat = headerIn(result, 'x-docker-container-path-stat') ?? '';
      assert.equal(JSON.parse(Buffer.from(stat, 'base64').toString() || '{}').name, 'hello.txt');
    },
    start: async ({ call, ask, kept }) => {
      await call('ContainerStart', { id: kept.name });
      assert.equal((await containerOf(ask, kept.name)).State.Running, true);
    },
    'read a container': async ({ call, ask, kept }) => {
      const answer = answerIn(await call('ContainerInspect', { id: kept.name, size: true }));
      const { json } = await ask(`/v1.41/containers/${kept.name}/json?size=true`);
      assert.deepEqual(answer, json);
    },
    'list containers by filters': async ({ call, ask, kept }) => {
      const filters = JSON.stringify({ label: [`run=${kept.name}`], status: ['running'] });
      const { result } = answerIn(await call('ContainerList', { filters, limit: 5 }));
      const { json } = await ask(`/v1.41/containers/json?filters=${encodeURIComponent(filters)}`);
      assert.deepEqual(
        result.map(({ Names }) => Names),
        [[`/${kept.name}`]],
      );
      const steady = (one) => ({ ...one, Status: '' });
      assert.deepEqual(result.map(steady), json.map(steady));
    },
    'list its processes': async ({ call, kept }) => {
      const { Titles, Processes } = answerIn(
        await call('ContainerTop', { id: kept.name, ps_args: '-o pid,args' }),
      );
      assert.deepEqual(Titles, ['PID', 'COMMAND']);
      assert.ok(Processes.some(([, command]) => command.startsWith('/bin/sh -c')));
    },
    'run a command in it': async ({ call, ask, kept }) => {
      const Cmd = ['/bin/sh', '-c', 'echo "$A"; /bin/sleep 0.2; echo wrong >&2; exit 3'];
      const { Id } = answerIn(
        await call('ContainerExec', { id: kept.name, AttachStdout: true, AttachStderr: true, Cmd }),
      );
      const said = rawIn(await call('ExecStart', { id: Id, Detach: false, Tty: false }));
      assert.match(said, /größer\n[^]*wrong\n/);
      const answer = answerIn(await call('ExecInspect', { id: Id }));
      assert.equal(answer.ExitCode, 3);
      assert.deepEqual(answer, (await ask(`/v1.41/exec/${Id}/json`)).json);
    },
    'read its log': async ({ call, kept }) => {
      const asked = { id: kept.name, stdout: true, stderr: true, tail: '2', timestamps: true };
      const said = rawIn(await call('ContainerLogs', asked));
      assert.match(said, /\dZ out\n/);
      assert.match(said, /\dZ err\n/);
    },
    'follow its log until it ends': async ({ call, kept }) => {
      const until = Math.floor(Date.now() / 1000) + 4;
      const asked = { id: kept.name, stdout: true, follow: true, tail: '0', until };
      const said = rawIn(await call('ContainerLogs', asked));
      assert.ok((said.match(/out\n/g) ?? []).length > 1, said);
    },
    'read its figures once': async ({ call, kept }) => {
      const answer = answerIn(
        await call('ContainerStats', { id: kept.name, stream: false, 'one-shot': true }),
      );
      assert.equal(answer.name, `/${kept.name}`);
      assert.ok(answer.cpu_stats.cpu_usage.total_usage > 0);
    },
    'read its figures for a while': async ({ call, kept }) => {
      const { result } = answerIn(await call('ContainerStats', { id: kept.name }));
      assert.ok(result.length > 1);
      assert.ok(result.every(({ name }) => name === `/${kept.name}`));
    },
    update: async ({ call, ask, kept }) => {
      const RestartPolicy = { Name: 'on-failure', MaximumRetryCount: 2 };
      await call('ContainerUpdate', { id: kept.name, CpuShares: 256, RestartPolicy });
      const { HostConfig } = await containerOf(ask, kept.name);
      assert.deepEqual([HostConfig.CpuShares, HostConfig.RestartPolicy], [256, RestartPolicy]);
    },
    'pause and go on': async ({ call, ask, kept }) => {
      await call('ContainerPause', { id: kept.name });
      assert.equal((await containerOf(ask, kept.name)).State.Status, 'paused');
      await call('ContainerUnpause', { id: kept.name });
      assert.equal((await containerOf(ask, kept.name)).State.Status, 'running');
    },
    'refuse to delete what runs': async ({ refused, ask, kept }) => {
      assert.match(await refused('ContainerDelete', { id: kept.name }), /409[^]*running container/);
      assert.equal((await containerOf(ask, kept.name)).State.Running, true);
    },
    'keep it as an image': async ({ call, ask, kept }) => {
      const about = { container: kept.name, repo: `${kept.name}-kept`, tag: '1', comment: 'Grüße' };
      const answer = answerIn(await call('ImageCommit', { ...about, Labels: { more: 'yes' } }));
      const image = await imageOf(ask, `${kept.name}-kept:1`);
      assert.deepEqual([image.Id, image.Comment, image.Config.Labels.more], [answer.Id, 'Grüße', 'yes']);
      await ask(`/v1.41/images/${kept.name}-kept:1`, { method: 'DELETE' });
    },
    'kill it and wait': async ({ call, ask, kept }) => {
      await call('ContainerKill', { id: kept.name, signal: 'SIGKILL' });
      const answer = answerIn(await call('ContainerWait', { id: kept.name, condition: 'not-running' }));
      assert.equal(answer.StatusCode, 137);
      assert.equal((await containerOf(ask, kept.name)).State.Running, false);
    },
    'read what happened': async ({ call, ask, kept }) => {
      const filters = JSON.stringify({
        type: ['container'],
        container: [kept.name],
        event: ['create', 'start', 'die'],
      });
      const asked = { since: String(kept.began), until: String(Math.floor(Date.now() / 1000) + 1), filters };
      const { result } = answerIn(await call('SystemEvents', asked));
      assert.deepEqual(
        result.map(({ Action }) => Action),
        ['create', 'start', 'die'],
      );
      const { body } = await ask(`/v1.41/events?${new URLSearchParams(asked)}`);
      assert.deepEqual(result, textsIn(body));
    },
    rename: async ({ call, ask, kept }) => {
      await call('ContainerRename', { id: kept.name, name: `${kept.name}-old` });
      assert.equal((await containerOf(ask, `${kept.name}-old`)).Name, `/${kept.name}-old`);
    },
    delete: async ({ call, ask, kept }) => {
      await call('ContainerDelete', { id: `${kept.name}-old`, v: true, force: true });
      assert.equal((await ask(`/v1.41/containers/${kept.name}-old/json`)).status, 404);
      await call('VolumeDelete', { name: kept.name });
      assert.equal((await ask(`/v1.41/volumes/${kept.name}`)).status, 404);
    },
    'delete images': async ({ call, ask, kept }) => {
      const { result } = answerIn(await call('ImageDelete', { name: kept.image }));
      assert.ok(result.some(({ Untagged }) => Untagged === kept.image));
      assert.equal((await ask(`/v1.41/images/${kept.image}/json`)).status, 404);
    },
    'read what is gone': async ({ refused, kept }) => {
      const words = await refused('ContainerInspect', { id: kept.name });
      assert.match(words, /404[^]*No such container/);
    },
  },
};
