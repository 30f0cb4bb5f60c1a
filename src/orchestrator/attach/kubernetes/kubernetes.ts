import type { KubeConfig, V1StatefulSet } from '@kubernetes/client-node';
import { EXIT, Failure, messageOf } from '../../../system/failure.ts';
import { CONFIG, labelsOf, VERSION_ANNOTATION } from '../../export/kubernetes/options.ts';
import type { Engine, FoundNetwork } from '../engine/engine.ts';
import { inTime, noDevnet, severalDevnets } from '../engine/failures.ts';
import { configOf, type KubernetesAddress } from './address.ts';
import { openForwards } from './forward.ts';
import { followPod } from './log.ts';

/** Returns the cluster of an address as an engine. Asks it nothing yet. */
export async function kubernetesEngine(address: KubernetesAddress): Promise<Engine> {
  const { namespace, files, context } = address;
  const config = await configOf(files, context);
  return {
    words: wordsOf(address),
    find: () => findNetwork(config, address),
    open: (passages, report) => openForwards(config, namespace, passages, report),
    follow: (request) => followPod(config, namespace, request),
  };
}

function wordsOf({ namespace, context }: KubernetesAddress): string {
  return `the namespace ${namespace} of the context ${context}`;
}

const { 'app.kubernetes.io/name': NAME } = labelsOf({ devnet: '' });
const SELECTOR = `app.kubernetes.io/name=${NAME}`;

async function findNetwork(config: KubeConfig, address: KubernetesAddress): Promise<FoundNetwork> {
  const { AppsV1Api, CoreV1Api } = await import('@kubernetes/client-node');
  const { namespace } = address;
  const ask = <T>(answer: Promise<T>) =>
    inTime(
      answer.catch((error: unknown) => {
        throw refusalOf(config, address, error);
      }),
      (cause) => noAnswer(config, address, cause),
    );
  const apps = config.makeApiClient(AppsV1Api);
  const { items } = await ask(apps.listNamespacedStatefulSet({ namespace, labelSelector: SELECTOR }));
  const names = [...new Set(items.map(({ metadata }) => metadata?.labels?.['app.kubernetes.io/instance'] ?? ''))];
  const [devnet, ...others] = names;
  const [first] = items;
  if (devnet === undefined || first === undefined)
    throw noDevnet(wordsOf(address), `kubectl get statefulsets -A -l ${SELECTOR}`);
  if (others.length > 0)
    throw severalDevnets(wordsOf(address), names, 'export each network into a namespace of its own');
  const core = config.makeApiClient(CoreV1Api);
  const { data } = await ask(core.readNamespacedConfigMap({ name: CONFIG.network, namespace }));
  return {
    devnet,
    version: first.metadata?.annotations?.[VERSION_ANNOTATION] ?? 'unknown',
    files: filesOf(first, data ?? {}),
    published: [],
    carries: true,
    address,
  };
}

/** Returns the files of the ConfigMap by the paths at which a pod has them. */
function filesOf(set: V1StatefulSet, data: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const volume = set.spec?.template.spec?.volumes?.find(({ name }) => name === CONFIG.network);
  const items = volume?.configMap?.items ?? [];
  return Object.fromEntries(items.flatMap(({ key, path }) => (data[key] === undefined ? [] : [[path, data[key]]])));
}

function noAnswer(config: KubeConfig, { context }: KubernetesAddress, cause: unknown): Failure<'attach'> {
  const server = config.getCurrentCluster()?.server ?? 'no server';
  return new Failure('attach', `the cluster of the context ${context} at ${server} does not answer`, {
    exit: EXIT.notReady,
    data: { reason: 'no-answer', context, server },
    hint: '`kubectl cluster-info` asks the same cluster; nothing was attached',
    cause,
  });
}

/** Explains an answer of the cluster by its own words, and the lack of one. */
function refusalOf(config: KubeConfig, address: KubernetesAddress, error: unknown): Failure<'attach'> {
  const { code, body } = detailsOf(error);
  if (code === undefined) return noAnswer(config, address, error);
  return new Failure('attach', `${wordsOf(address)}: the cluster refuses the question: ${body}`, {
    exit: EXIT.failed,
    data: { reason: 'refused', code },
    hint: 'attach reads StatefulSets and the ConfigMap, and needs pods/portforward and pods/log',
  });
}

/** Returns the HTTP status of an answer and its message. */
function detailsOf(error: unknown): { readonly code?: number; readonly body?: string } {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'number') return {};
  const text = 'body' in error ? String(error.body) : '';
  return { code: error.code, body: /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? (text || messageOf(error)) };
}
