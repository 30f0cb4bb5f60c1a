/**
 * Options of execa for a process in a session of its own, which no terminal signals.
 * It gets the given environment and nothing else. It outlives this process, and its streams are not collected.
 */
export const OWN_SESSION = {
  detached: true,
  cleanup: false,
  extendEnv: false,
  buffer: false,
  reject: false,
} as const;
