import { useState } from 'react'
import type { Reader } from '../data/panel.ts'
import { textOf } from '../data/values.ts'

const lineBytes = 16
const pageBytes = 64 * lineBytes

/** Headers that every reply has. */
const common = /^(connection|content-.*|date|keep-alive|x-.*|.*policy)$/

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const printable = (byte: number) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')

/** Bytes in hexadecimal and as text, page by page, with the headers that describe them. */
export default function Hex({ reader }: { readonly reader: Reader }) {
  const bytes = reader.value('bytes')
  const [page, setPage] = useState(0)
  const headers = Object.entries(Object(reader.value('headers'))).filter(([name]) => !common.test(name))
  if (!(bytes instanceof Uint8Array)) return <p className="muted">The reply has no bytes.</p>
  const pages = Math.ceil(bytes.length / pageBytes)
  const start = page * pageBytes
  const lines = Array.from(
    { length: Math.ceil(Math.min(pageBytes, bytes.length - start) / lineBytes) },
    (_, index) => start + index * lineBytes,
  )
  return (
    <>
      <dl className="fields">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{textOf(value)}</dd>
          </div>
        ))}
      </dl>
      <pre className="hex" role="region" tabIndex={0} aria-label={`${bytes.length} bytes`}>
        {lines
          .map((offset) => {
            const line = [...bytes.subarray(offset, offset + lineBytes)]
            const digits = line.map((byte) => hex(byte, 2)).join(' ')
            return `${hex(offset, 8)}  ${digits.padEnd(lineBytes * 3)} ${line.map(printable).join('')}`
          })
          .join('\n')}
      </pre>
      {pages > 1 && (
        <div className="buttons">
          <button type="button" className="plain" disabled={page === 0} onClick={() => setPage(page - 1)}>
            Previous
          </button>
          <span className="muted">
            {page + 1} of {pages}
          </span>
          <button type="button" className="plain" disabled={page + 1 >= pages} onClick={() => setPage(page + 1)}>
            Next
          </button>
        </div>
      )}
    </>
  )
}
