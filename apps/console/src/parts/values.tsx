import { useQuery } from '@tanstack/react-query'
import { statusQuery } from '../data/catalogue.ts'
import { ago, type StateKind, stateKind, textOf, timeOf } from '../data/values.ts'

const shapes: Readonly<Record<StateKind, string>> = {
  good: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1z',
  busy: 'M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1zm0 2v6a3 3 0 0 0 0-6z',
  bad: 'M6 .5 11.8 11H.2z',
  off: 'M1.5 1.5h9v9h-9z',
  plain: 'M6 2.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zm0 1.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
}

/** A state as text with an icon, distinguished by shape and colour. */
export function State({ value }: { readonly value: string }) {
  const kind = stateKind(value)
  return (
    <span className={`state ${kind}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={shapes[kind]} fillRule="evenodd" />
      </svg>
      {value}
    </span>
  )
}

/** A time relative to the platform's clock; the exact time on hover. */
export function Time({ value }: { readonly value: unknown }) {
  const { data } = useQuery(statusQuery)
  const time = timeOf(value)
  if (!time) return <>{plain(value)}</>
  return (
    <time dateTime={time.toISOString()} title={time.toISOString()}>
      {ago(time, new Date(Date.now() + (data?.offsetMs ?? 0)))}
    </time>
  )
}

function Tags({ value }: { readonly value: unknown }) {
  const pairs = Array.isArray(value)
    ? value.map((tag) =>
        typeof tag === 'object' && tag ? Object.values(tag).slice(0, 2).map(plain).join('=') : textOf(tag),
      )
    : Object.entries(Object(value)).map(([name, text]) => (text ? `${name}=${plain(text)}` : name))
  return (
    <span className="tags">
      {pairs.slice(0, 4).map((pair) => (
        <span key={pair} className="tag">
          {pair}
        </span>
      ))}
      {pairs.length > 4 && <span className="muted">+{pairs.length - 4}</span>}
    </span>
  )
}

const maxText = 2_000

/** Text of any value, as far as people read it: JSON has all of it. */
function plain(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ').slice(0, maxText)
  const text = textOf(value)
  return text.length > maxText ? `${text.slice(0, maxText)}…` : text
}

/** A link from service data: only http and https, with no access to this window. */
function Address({ value }: { readonly value: string }) {
  if (!/^https?:\/\//.test(value)) return <>{value}</>
  return (
    <a href={value} target="_blank" rel="noreferrer noopener">
      {value}
    </a>
  )
}

const amount = (value: unknown) => {
  const { value: number, currency } = Object(value)
  return number === undefined ? plain(value) : `${plain(number)} ${plain(currency)}`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

/** `268435456000` as '250 GiB'; the exact number on hover. */
function Bytes({ value }: { readonly value: number }) {
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, Math.abs(value))) / 10))
  const size = value / 1024 ** power
  return (
    <span className="number" title={String(value)}>
      {Number(size.toPrecision(3))} {units[power]}
    </span>
  )
}

export function Value({ kind, value }: { readonly kind: string; readonly value: unknown }) {
  if (value === undefined || value === null || value === '') return <span className="muted">–</span>
  if (kind === 'state') return <State value={plain(value)} />
  if (kind === 'time') return <Time value={value} />
  if (kind === 'tags') return <Tags value={value} />
  if (kind === 'money') return <span className="number">{amount(value)}</span>
  if (kind === 'bytes' && typeof value === 'number') return <Bytes value={value} />
  if (kind === 'number' || kind === 'bytes') return <span className="number">{plain(value)}</span>
  if (kind === 'link') return <Address value={plain(value)} />
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>
  return <>{plain(value)}</>
}
