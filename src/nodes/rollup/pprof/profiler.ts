import { type HeapProfiler, type Profiler, Session } from 'node:inspector/promises';
import { encodeProfile, type Frame, type Stack } from './encode.ts';

/** Profiles that this runtime supports. Go's other kinds measure its own scheduler and locks. */
export type ProfileKind = 'cpu' | 'heap' | 'allocs';

/** A running profile. */
export interface Recording {
  /** Ends the profile. @returns its encoding for `go tool pprof` */
  stop(): Promise<Uint8Array>;
}

/** Microseconds between samples of the CPU, bytes between samples of the heap. */
const CPU_INTERVAL_US = 1_000;
const HEAP_INTERVAL_BYTES = 128 * 1024;

/** Starts a profile. Only one heap profile can run in a process. */
export async function record(kind: ProfileKind): Promise<Recording> {
  const session = new Session();
  session.connect();
  const started = { at: BigInt(Date.now()) * 1_000_000n, from: process.hrtime.bigint() };
  const times = () => ({ startedAt: started.at, duration: process.hrtime.bigint() - started.from });
  if (kind === 'cpu') {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: CPU_INTERVAL_US });
    await session.post('Profiler.start');
  } else {
    const isAll = kind === 'allocs';
    await session.post('HeapProfiler.startSampling', {
      samplingInterval: HEAP_INTERVAL_BYTES,
      includeObjectsCollectedByMajorGC: isAll,
      includeObjectsCollectedByMinorGC: isAll,
    } as HeapProfiler.StartSamplingParameterType);
  }
  return {
    async stop() {
      try {
        if (kind === 'cpu') {
          const { profile } = await session.post('Profiler.stop');
          return encodeCpu(profile, times());
        }
        const { profile } = await session.post('HeapProfiler.stopSampling');
        return encodeHeap(profile as unknown as SampledHeap, kind, times());
      } finally {
        session.disconnect();
      }
    },
  };
}

interface Times {
  readonly startedAt: bigint;
  readonly duration: bigint;
}

/** Each sample names the innermost node of its stack and its duration. */
function encodeCpu({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, times: Times): Uint8Array {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)));
  const sums = new Map<number, [count: number, nanoseconds: number]>();
  samples.forEach((id, index) => {
    const [count, sum] = sums.get(id) ?? [0, 0];
    sums.set(id, [count + 1, sum + Math.max(0, timeDeltas[index] ?? 0) * 1000]);
  });
  const framesOf = (leaf: number): Frame[] => {
    const frames: Frame[] = [];
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const callFrame = byId.get(id)?.callFrame;
      if (callFrame && callFrame.functionName !== '(root)') frames.push(callFrame);
    }
    return frames;
  };
  const stacks: Stack[] = [...sums].map(([id, values]) => ({ frames: framesOf(id), values }));
  return encodeProfile({
    ...times,
    types: [
      ['samples', 'count'],
      ['cpu', 'nanoseconds'],
    ],
    period: { type: 'cpu', unit: 'nanoseconds', value: CPU_INTERVAL_US * 1000 },
    // Idle time is not CPU time.
    stacks: stacks.filter(({ frames }) => frames[0] !== undefined && frames[0].functionName !== '(idle)'),
  });
}

/** A node of the sampled heap. Node's types lack the samples. */
interface SampledNode {
  readonly id: number;
  readonly callFrame: Frame;
  readonly children: readonly SampledNode[];
}

interface SampledHeap {
  readonly head: SampledNode;
  readonly samples: readonly { readonly nodeId: number; readonly size: number }[];
}

function encodeHeap({ head, samples }: SampledHeap, kind: 'heap' | 'allocs', times: Times): Uint8Array {
  const counts = new Map<number, number>();
  const sizes = new Map<number, number>();
  for (const { nodeId, size } of samples) {
    counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1);
    sizes.set(nodeId, (sizes.get(nodeId) ?? 0) + size);
  }
  const stacks: Stack[] = [];
  const visit = (node: SampledNode, outer: readonly Frame[]) => {
    const frames = node.callFrame.functionName === '(root)' ? outer : [node.callFrame, ...outer];
    const size = sizes.get(node.id) ?? 0;
    if (size > 0 && frames.length > 0) stacks.push({ frames, values: [counts.get(node.id) ?? 0, size] });
    for (const child of node.children) visit(child, frames);
  };
  visit(head, []);
  const prefix = kind === 'heap' ? 'inuse' : 'alloc';
  return encodeProfile({
    ...times,
    types: [
      [`${prefix}_objects`, 'count'],
      [`${prefix}_space`, 'bytes'],
    ],
    period: { type: 'space', unit: 'bytes', value: HEAP_INTERVAL_BYTES },
    stacks,
  });
}
