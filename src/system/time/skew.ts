/** The skew of this process: milliseconds that its clocks are ahead of those of the machine and the network. */
const skew = { ms: 0 };

/** Sets the skew of this process. */
export function setSkew(ms: number): void {
  skew.ms = ms;
}

/** Returns the skew of this process (ms). */
export function skewMs(): number {
  return skew.ms;
}

/** Returns the wall clock of this process, Unix milliseconds: that of the machine, and the skew. */
export function skewedNow(): number {
  return Date.now() + skew.ms;
}
