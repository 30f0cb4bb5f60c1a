import { runPayloads } from './payloads.ts';
import { consensusSuites } from './suites.ts';

consensusSuites('payloads', 'engineNewPayloads', runPayloads);
