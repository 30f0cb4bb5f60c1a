import { EXIT, Failure, systemCode } from '../../system/failure.ts';
import { CLEAN_LINK, type LinkShape } from '../../system/net/link/line.ts';
import { TcpLink } from '../../system/net/link/tcp-link.ts';
import { UdpLink, UdpLinks } from '../../system/net/link/udp-link.ts';
import { seededRandom, seedFrom } from '../../system/numbers/random.ts';
import type { Link, Plan } from '../plan/plan.ts';
import type { RpcFault } from '../state/faults.ts';

/** The proxies of a network's links. They live as long as the network runs. */
export class Links {
  readonly #open = new Map<string, { readonly link: Link; readonly proxy: TcpLink | UdpLink }>();
  readonly #udp = new UdpLinks();
  readonly #intercepted = new Map<string, { readonly text: string; readonly end: () => void }>();

  /**
   * Opens the links of a plan, and closes those that it lacks. Links that stand stay as they are.
   * @throws Error of the first that cannot listen
   */
  async follow({ links = [], seed }: Pick<Plan, 'links' | 'seed'>): Promise<void> {
    const ids = new Set(links.map(({ id }) => id));
    const rest = [...this.#open].filter(([id]) => !ids.has(id));
    for (const [id] of rest) {
      this.#open.delete(id);
      this.#intercepted.get(id)?.end();
      this.#intercepted.delete(id);
    }
    await Promise.all(rest.map(([, { proxy }]) => proxy.stop()));
    await Promise.all(
      links
        .filter(({ id }) => !this.#open.has(id))
        .map(async (link) => this.#open.set(link.id, { link, proxy: await openLink(link, seed, this.#udp) })),
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

  /** Sets the wrong answers of all links. Those that are not named pass every answer. */
  intercept(answers: ReadonlyMap<string, readonly RpcFault[]>): void {
    for (const [id, { link, proxy }] of this.#open) {
      if (!(proxy instanceof TcpLink)) continue;
      const faults = answers.get(id) ?? [];
      const text = JSON.stringify(faults);
      const before = this.#intercepted.get(id);
      if ((before?.text ?? '[]') === text) continue;
      before?.end();
      this.#intercepted.delete(id);
      if (faults.length === 0) proxy.handler = undefined;
      else this.#intercepted.set(id, { text, end: interceptLink(link, proxy, faults) });
    }
  }

  /** Closes all ports and connections. */
  async close(): Promise<void> {
    const all = [...this.#open.values()];
    this.#open.clear();
    for (const { end } of this.#intercepted.values()) end();
    this.#intercepted.clear();
    await Promise.all(all.map(({ proxy }) => proxy.stop()));
  }
}

/** Has a link give wrong answers. Returns what ends them. */
function interceptLink({ to, target }: Link, proxy: TcpLink, faults: readonly RpcFault[]): () => void {
  const over = new AbortController();
  const url = `http://${target.host}:${target.port}`;
  // A network without wrong answers does not load a WebSocket server.
  const loading = import('./rpc/intercept.ts').then(({ intercept }) =>
    intercept({ url, name: to, isBeacon: to === 'l1-beacon', healed: over.signal }, faults),
  );
  proxy.handler = (socket) => void loading.then(({ accept }) => accept(socket));
  return () => {
    over.abort();
    void loading.then(({ close }) => close());
  };
}

/** @throws Failure `port` (exit 4) if its port is taken */
async function openLink(
  { id, transport, listen, target }: Link,
  seed: number,
  links: UdpLinks,
): Promise<TcpLink | UdpLink> {
  const random = seededRandom(seedFrom(id, seed));
  try {
    return await (transport === 'udp'
      ? UdpLink.open(listen, target, random, links)
      : TcpLink.open(listen, target, random));
  } catch (error) {
    if (systemCode(error) !== 'EADDRINUSE') throw error;
    const { host, port } = listen;
    throw new Failure('port', `${host}:${port}, the port of ${id}, is taken by another process`, {
      exit: EXIT.lacking,
      data: { ports: [port] },
    });
  }
}
