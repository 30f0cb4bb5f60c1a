import { delimiter, join, resolve } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import { EXIT, Failure, messageOf } from '../../../system/failure.ts';
import { exists } from '../../../system/files/folder.ts';
import type { EngineAddress } from '../engine/engine.ts';

export type KubernetesAddress = Extract<EngineAddress, { kind: 'kubernetes' }>;

/**
 * Returns the cluster that the kubeconfig names now, and a namespace of it.
 * @throws Failure `attach` (exit 4) without a kubeconfig or without a current context
 */
export async function kubernetesAddress(
  { env, cwd }: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
  namespace: string,
): Promise<KubernetesAddress> {
  const paths = env['KUBECONFIG'] || join(env['HOME'] ?? '/', '.kube', 'config');
  const files = paths
    .split(delimiter)
    .filter((path) => path !== '')
    .map((path) => resolve(cwd, path))
    .filter((path) => exists(path));
  if (files.length === 0) throw lacking(`there is no kubeconfig: ${paths} does not exist`, 'name it: KUBECONFIG=PATH');
  const config = await configOf(files);
  const context = config.getCurrentContext();
  const fault = context ? `the context ${JSON.stringify(context)} has no cluster` : 'no current context';
  if (config.getCurrentCluster() === null)
    throw lacking(
      `${files.join(', ')}: ${fault}`,
      '`kubectl config get-contexts` lists them, `kubectl config use-context NAME` chooses one',
    );
  return { kind: 'kubernetes', files, context, namespace };
}

/** Reads kubeconfigs, the first of which counts where two say something else. @throws Failure `attach` (exit 4) */
export async function configOf(files: readonly string[], context?: string): Promise<KubeConfig> {
  const { KubeConfig: Config } = await import('@kubernetes/client-node');
  const configs = files.map((file) => {
    const config = new Config();
    try {
      config.loadFromFile(file);
    } catch (error) {
      throw lacking(
        `${file} cannot be read as a kubeconfig: ${messageOf(error)}`,
        '`kubectl config view` shows what is wrong',
      );
    }
    return config;
  });
  const [first = new Config(), ...others] = configs;
  for (const other of others) addTo(first, other);
  if (context !== undefined) first.setCurrentContext(context);
  return first;
}

/** Adds what a kubeconfig alone has. The library's own merge refuses a name that stands in both. */
function addTo(first: KubeConfig, other: KubeConfig): void {
  const without = <T extends { readonly name: string }>(list: readonly T[], names: readonly T[]) =>
    list.filter(({ name }) => !names.some((each) => each.name === name));
  first.clusters = [...first.clusters, ...without(other.clusters, first.clusters)];
  first.users = [...first.users, ...without(other.users, first.users)];
  first.contexts = [...first.contexts, ...without(other.contexts, first.contexts)];
  if (!first.currentContext) first.setCurrentContext(other.currentContext);
}

function lacking(what: string, hint: string): Failure<'attach'> {
  return new Failure('attach', what, { exit: EXIT.lacking, data: { reason: 'kubeconfig' }, hint });
}
