/**
 * Node's HTTP modules, asked for instead of imported: an `import` of them evaluates all their exports, and among these is a second HTTP client whose
 * loading costs every process a third of its start.
 */
export const http = process.getBuiltinModule('node:http');

/** Like {@link http}, loaded by the first URL that needs it. */
export const https = (): typeof import('node:https') => process.getBuiltinModule('node:https');
