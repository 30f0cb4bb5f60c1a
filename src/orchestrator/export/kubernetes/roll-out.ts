import type { Unit } from '../unit.ts';
import type { KubernetesOptions } from './options.ts';

/** Seconds for a unit to be ready again. */
const TIMEOUT_S = 600;

/** Label by which `kubectl apply` takes the objects of one unit. */
const UNIT_LABEL = 'app.kubernetes.io/component';

/** Label of all objects of a network. */
const INSTANCE_LABEL = 'app.kubernetes.io/instance';

/** Kinds of objects of which a namespace has none before a network comes into it. */
const KINDS = 'statefulsets,deployments,pods,services';

/**
 * Renders the script that starts a network, or brings a running one to the state of an export.
 * StatefulSets know no order between each other: one `kubectl apply -k` replaces all changed pods at once, and no block
 * is made until L1, an execution client and a rollup node have started again.
 */
export function rollOutText(units: readonly Unit[], { devnet, namespace }: KubernetesOptions): string {
  const order = [0, 1, 2, 3].flatMap((rank) => units.filter((unit) => rankOf(unit) === rank).map(({ name }) => name));
  const others = `${INSTANCE_LABEL}!=${devnet}`;
  return `#!/bin/sh
# Starts the network "${devnet}", or brings a running one to this state, one process at a time. KUBECTL names another
# program.
set -eu
cd "$(dirname "$0")"
kubectl=\${KUBECTL:-kubectl}
others=$($kubectl -n ${namespace} get ${KINDS} -l '${others}' -o name)
if [ -n "$others" ]; then
  echo "the namespace ${namespace} has other objects, and nothing was applied:" $others >&2
  echo "export the network into one of its own: --namespace NAME" >&2
  exit 1
fi
# The cluster says which object it refuses before one is changed. It knows none of a namespace that is not there.
if [ -n "$($kubectl get namespace ${namespace} --ignore-not-found -o name)" ]; then
  $kubectl apply -k . --dry-run=server >/dev/null
fi
if [ -z "$($kubectl -n ${namespace} get statefulsets -o name)" ]; then
  # The processes wait for each other.
  exec $kubectl apply -k .
fi
# Objects that all processes share. No process starts again by them.
$kubectl apply -k . -l '!${UNIT_LABEL}'
for unit in ${order.join(' ')}; do
  $kubectl apply -k . -l "${UNIT_LABEL}=$unit"
  $kubectl -n ${namespace} rollout status "statefulset/$unit" --timeout=${TIMEOUT_S}s
done
`;
}

/** Place in the order: verifiers show a faulty image first, and what all others need comes last. */
function rankOf({ kind, isSequencer }: Unit): number {
  if (kind === 'beacon') return 3;
  if (isSequencer) return 2;
  return kind === 'el' || kind === 'cl' ? 0 : 1;
}
