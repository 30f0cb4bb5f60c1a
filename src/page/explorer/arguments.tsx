import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { ArgumentLinks } from '../../orchestrator/dashboard/explorer/argument-links.ts';
import { digitGroups } from '../../system/numbers/human.ts';
import { Copy } from '../parts/copy.tsx';
import { plainText } from '../parts/values.ts';
import { argumentLink, isListed } from './argument-link.ts';
import { Foreign } from './facts.tsx';

/** Where the arguments of the shown transaction lead. */
export const Links = createContext<ArgumentLinks>({});

interface ArgumentProps {
  /** Name of its call, event or error. */
  readonly call: string;
  readonly name: string;
  /** Its name in a struct. */
  readonly inner?: string;
  readonly value: unknown;
}

/** A value of a decoded argument: addresses, hashes and block numbers are links with a button that copies them. */
export function Argument({ call, name, inner = name, value }: ArgumentProps) {
  const links = useContext(Links);
  if (isListed(value))
    return (
      <ul class="plain">
        {Object.entries(value).map(([key, each]) => (
          <li key={key}>
            <span class="dim">{plainText(key)}</span> <Argument call={call} name={name} inner={key} value={each} />
          </li>
        ))}
      </ul>
    );
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  const link = text === undefined ? undefined : argumentLink(links, name, text, `${call}.${inner}`);
  if (text === undefined || link === undefined) {
    const isHex = text !== undefined && /^0x[0-9a-fA-F]{40,200}$/.test(text);
    if (!isHex) return <Foreign value={value} />;
    return (
      <span class="copyable">
        <Foreign value={text} /> <Copy value={text} />
      </span>
    );
  }
  return (
    <span class="copyable">
      <a class={link.name === null ? 'mono' : ''} href={link.to} title={text}>
        {link.name === null ? (text.startsWith('0x') ? text : digitGroups(Number(text))) : plainText(link.name)}
      </a>{' '}
      {link.name !== null && <span class="mono dim">{text} </span>}
      <Copy value={text} />
    </span>
  );
}
