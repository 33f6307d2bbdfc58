import { useLayoutEffect, useRef } from 'react'
import type { Reader } from '../data/panel.ts'
import { textOf, timeOf } from '../data/values.ts'

/** Lines of a log in order, the newest at the end, where it stays unless someone has scrolled away. */
export default function Lines({ reader }: { readonly reader: Reader }) {
  const box = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const timed = reader.rows('rows').map((row) => ({ row, time: timeOf(reader.of(row, 'time')) }))
  const lines = timed.toSorted((a, b) => (a.time?.getTime() ?? 0) - (b.time?.getTime() ?? 0))
  const last = lines.at(-1)?.time?.getTime()
  useLayoutEffect(() => {
    const { current } = box
    if (current && isAtEnd.current) current.scrollTop = current.scrollHeight
  }, [lines.length, last])
  if (lines.length === 0) return <p className="muted">There are no lines yet.</p>
  return (
    <div
      className="lines"
      role="log"
      aria-label={reader.panel.title}
      tabIndex={0}
      ref={box}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight > scrollHeight - 16
      }}
    >
      {lines.map(({ row, time }, index) => (
        <div key={index} className={/err/i.test(textOf(reader.of(row, 'stream'))) ? 'wrong' : undefined}>
          {time && <time dateTime={time.toISOString()}>{time.toISOString().slice(11, 23)}</time>}{' '}
          {textOf(reader.of(row, 'text'))}
        </div>
      ))}
    </div>
  )
}
