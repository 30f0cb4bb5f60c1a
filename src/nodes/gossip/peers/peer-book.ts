import type { Logger } from '../../../system/program/log.ts';
import type { Discovered } from '../discovery/discovery.ts';
import { type BanBook, banBook } from '../host/bans.ts';
import { createGater, type Gater } from '../host/gater.ts';
import type { Meter } from '../host/meter.ts';
import { type ApplicationScorer, createApplicationScorer } from '../requests/application-score.ts';
import { openPeerStore, type PeerStoreFile } from './peer-store.ts';

/** Settings of the peer book. */
export interface PeerBookOptions {
  /** File of known peers; undefined: memory only. */
  readonly storePath: string | undefined;
  readonly key: Uint8Array;
  readonly netRestrict: readonly string[];
  readonly meter: Meter;
  readonly log: Logger;
  /** Called after a block list or a ban changed, before the book is stored. */
  readonly onGateChange: () => void;
}

/**
 * The peers that this node knows: addresses, node records, scores, bans and block lists.
 * Counterpart in op-node: `ExtendedPeerstore` with the gater's store.
 */
export class PeerBook {
  readonly gater: Gater;
  readonly scorer: ApplicationScorer;
  readonly #addresses: Map<string, readonly string[]>;
  readonly #bans: BanBook;
  readonly #onGateChange: () => void;
  readonly #records = new Map<string, Discovered>();
  readonly #store: PeerStoreFile;

  /** @throws Failure `peer-store` on a file of another format, ArgumentError on a malformed subnet */
  constructor({ storePath, key, netRestrict, meter, log, onGateChange }: PeerBookOptions) {
    this.#store = openPeerStore(storePath, key, log);
    this.#onGateChange = onGateChange;
    const { peers, bans, blocked } = this.#store.content;
    this.#addresses = new Map(peers.map(({ id, addresses }) => [id, addresses] as const));
    this.#bans = banBook(bans, (id) => {
      log.info('the ban of a peer is over', { peer: id });
      meter.unban('peer');
    });
    this.scorer = createApplicationScorer(peers.map(({ id, requests }) => [id, requests] as const));
    const onChange = () => this.#changeGate();
    this.gater = createGater({ within: netRestrict, blocked, bans: this.#bans, meter, onChange });
  }

  /** Addresses at which peers can be dialled, by peer id. */
  get addresses(): ReadonlyMap<string, readonly string[]> {
    return this.#addresses;
  }

  /** Replaces the addresses of a peer. The caller stores the book. */
  setAddresses(id: string, addresses: readonly string[]): void {
    this.#addresses.set(id, addresses);
  }

  /** Removes the addresses of a peer. */
  remove(id: string): void {
    this.#addresses.delete(id);
  }

  /** Returns the node record of a peer that discovery found. */
  record(id: string): Discovered | undefined {
    return this.#records.get(id);
  }

  /** Adds a node record with its address, and stores the book. Returns false for a record that the book has. */
  addRecord(node: Discovered): boolean {
    if (this.#records.get(node.id)?.enr === node.enr) return false;
    this.#records.set(node.id, node);
    this.#addresses.set(node.id, [node.address]);
    this.save();
    return true;
  }

  /** Bans a peer until a time (ms of the wall clock). */
  ban(id: string, until: number): void {
    this.#bans.ban(id, until);
    this.#changeGate();
  }

  /** Lists the peers that are blocked or banned. */
  bannedPeers(): string[] {
    return [...new Set([...this.gater.blockedPeers(), ...this.#bans.all().map(({ id }) => id)])];
  }

  /** Schedules a write of the book. */
  save(): void {
    this.#store.save(() => ({
      peers: [...this.#addresses].map(([id, addresses]) => ({ id, addresses, requests: this.scorer.of(id) })),
      bans: this.#bans.all(),
      blocked: {
        peers: this.gater.blockedPeers(),
        addresses: this.gater.blockedAddresses(),
        subnets: this.gater.blockedSubnets(),
      },
    }));
  }

  /** Writes pending changes at once. */
  close(): void {
    this.#store.close();
  }

  #changeGate(): void {
    this.#onGateChange();
    this.save();
  }
}
