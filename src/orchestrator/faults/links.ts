import { EXIT, Failure, systemCode } from '../../system/failure.ts';
import { CLEAN_LINK, type LinkShape } from '../../system/net/link/line.ts';
import { TcpLink } from '../../system/net/link/tcp-link.ts';
import { UdpLink } from '../../system/net/link/udp-link.ts';
import { seededRandom, seedFrom } from '../../system/numbers/random.ts';
import type { Link, Plan } from '../plan/plan.ts';

/** The proxies of a network's links. They live as long as the network runs. */
export class Links {
  readonly #open = new Map<string, { readonly link: Link; readonly proxy: TcpLink | UdpLink }>();

  /**
   * Opens the links of a plan, and closes those that it lacks. Links that stand stay as they are.
   * @throws Error of the first that cannot listen
   */
  async follow({ links = [], seed }: Pick<Plan, 'links' | 'seed'>): Promise<void> {
    const ids = new Set(links.map(({ id }) => id));
    const rest = [...this.#open].filter(([id]) => !ids.has(id));
    for (const [id] of rest) this.#open.delete(id);
    await Promise.all(rest.map(([, { proxy }]) => proxy.stop()));
    await Promise.all(
      links
        .filter(({ id }) => !this.#open.has(id))
        .map(async (link) => this.#open.set(link.id, { link, proxy: await openLink(link, seed) })),
    );
  }

  /** The links in the order of the plan. */
  get all(): readonly Link[] {
    return [...this.#open.values()].map(({ link }) => link);
  }

  /** Returns the proxy of a TCP link; undefined: there is no such link. */
  tcp(id: string): TcpLink | undefined {
    const proxy = this.#open.get(id)?.proxy;
    return proxy instanceof TcpLink ? proxy : undefined;
  }

  /** Number of connections through a link. */
  connections(id: string): number {
    return this.tcp(id)?.size ?? 0;
  }

  /** Sets the shapes of all links. Those that are not named are without a fault. */
  shape(shapes: ReadonlyMap<string, LinkShape>): void {
    for (const [id, { proxy }] of this.#open) {
      const shape = shapes.get(id) ?? CLEAN_LINK;
      if (proxy.shape !== shape) proxy.shape = shape;
    }
  }

  /** Closes all ports and connections. */
  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(all.map(({ proxy }) => proxy.stop()));
  }
}

/** @throws Failure `port` (exit 4) if its port is taken */
async function openLink({ id, transport, listen, target }: Link, seed: number): Promise<TcpLink | UdpLink> {
  const random = seededRandom(seedFrom(id, seed));
  try {
    return await (transport === 'udp' ? UdpLink.open(listen, target, random) : TcpLink.open(listen, target, random));
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE') throw error;
    const { host, port } = listen;
    throw new Failure('port', `${host}:${port}, the port of ${id}, is taken by another process`, {
      exit: EXIT.lacking,
      data: { ports: [port] },
    });
  }
}
