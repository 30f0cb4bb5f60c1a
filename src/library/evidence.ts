import type { Devnet } from './devnet-types.ts';

/** What a failed test leaves of its network. */
export interface Evidence {
  /** Phase, heads of every node, problems: a line each. */
  readonly state: string;
  /** The logs of all processes since the test began, at most the last lines of them. */
  readonly logs: string;
}

/** Lines of logs that are kept. */
const LINES = 2000;

/** Reads the state and the logs of a network since a moment (Unix ms). A network that is gone says so. */
export async function evidenceOf(net: Devnet, since: number): Promise<Evidence> {
  try {
    const { phase, chains, problems } = await net.status();
    const heads = chains.flatMap((chain) =>
      chain.nodes.map(({ name, heads: { unsafe, safe, finalized } }) => {
        const words = Object.entries({ unsafe, safe, finalized }).map(([tag, head]) => `${tag} ${head?.number ?? '-'}`);
        return `${chain.name}/${name}  ${words.join(' ')}  ${unsafe?.hash ?? ''}`;
      }),
    );
    const late = problems.map(({ subject, what, because }) => `${subject} ${what}${because ? `: ${because}` : ''}`);
    const lines = net.logs({ since }).slice(-LINES);
    return { state: [`${net.name} is ${phase}`, ...heads, ...late].join('\n'), logs: lines.join('\n') };
  } catch (error) {
    return {
      state: `${net.name} does not answer: ${error instanceof Error ? error.message : String(error)}`,
      logs: '',
    };
  }
}
