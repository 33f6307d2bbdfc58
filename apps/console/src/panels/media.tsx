import { useState } from 'react'
import type { Reader } from '../data/panel.ts'
import { duration, textOf } from '../data/values.ts'
import { Time, Value } from '../parts/values.tsx'

/** Whether the content security policy lets the page load it. */
const isOwn = (url: string) => URL.canParse(url) && new URL(url).origin === location.origin

function Medium({ url, type, title }: { readonly url: string; readonly type: string; readonly title: string }) {
  const [isRefused, setRefused] = useState(false)
  if (!isOwn(url) || isRefused) return <Value kind="link" value={url} />
  if (type.startsWith('image/')) return <img src={url} alt="" onError={() => setRefused(true)} />
  if (!/^(audio|video)\//.test(type)) return <Value kind="link" value={url} />
  const Player = type.startsWith('audio/') ? 'audio' : 'video'
  return <Player controls preload="none" src={url} aria-label={title} />
}

const minuteMs = 60_000

/** Pictures, sound and video: those of this node are shown and played, others are links. */
export default function Media({ reader }: { readonly reader: Reader }) {
  const items = reader.rows('items').filter((row) => reader.of(row, 'url'))
  if (items.length === 0) return <p className="muted">There is nothing to see or hear.</p>
  return (
    <ul className="media" aria-label={reader.panel.title}>
      {items.map((row, index) => {
        const ms = Number(reader.of(row, 'seconds')) * 1000
        const title = textOf(reader.of(row, 'title'))
        const time = reader.of(row, 'time')
        return (
          <li key={index}>
            <strong>{title}</strong>
            <span className="muted">
              {time !== undefined && <Time value={time} />} {ms >= minuteMs && duration(ms)}
            </span>
            <Medium url={textOf(reader.of(row, 'url'))} type={textOf(reader.of(row, 'type'))} title={title} />
          </li>
        )
      })}
    </ul>
  )
}
