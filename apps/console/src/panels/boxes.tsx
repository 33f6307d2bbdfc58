import { useEffect, useState } from 'react'
import type { Reader } from '../data/panel.ts'
import { textOf } from '../data/values.ts'

interface Picture {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** The picture that was sent, as a data URL: the content security policy allows no other. */
async function loaded(content: Uint8Array<ArrayBuffer>, type: string): Promise<Picture> {
  const url = await new Promise<string>((resolve, reject) => {
    const file = new FileReader()
    file.onload = () => resolve(String(file.result))
    file.onerror = () => reject(file.error)
    file.readAsDataURL(new Blob([content], { type }))
  })
  const image = new Image()
  image.src = url
  await image.decode()
  return { url, width: image.naturalWidth, height: image.naturalHeight }
}

/** Rectangles on a picture. */
export default function Boxes({ reader }: { readonly reader: Reader }) {
  const { content, mediaType } = Object(reader.value('picture'))
  const [picture, setPicture] = useState<Picture>()
  useEffect(() => {
    if (content instanceof Uint8Array)
      loaded(content as Uint8Array<ArrayBuffer>, mediaType).then(setPicture, () => setPicture(undefined))
  }, [content, mediaType])
  const boxes = reader.rows('boxes').map((row) => ({
    label: textOf(reader.of(row, 'label')),
    x: Number(reader.of(row, 'left')),
    y: Number(reader.of(row, 'top')),
    width: Number(reader.of(row, 'width')),
    height: Number(reader.of(row, 'height')),
  }))
  if (boxes.length === 0) return <p className="muted">Nothing was found in it.</p>
  const right = picture?.width ?? Math.max(...boxes.map(({ x, width }) => x + width))
  const bottom = picture?.height ?? Math.max(...boxes.map(({ y, height }) => y + height))
  const unit = right / 400
  return (
    <>
      <svg
        className="boxes"
        viewBox={`0 0 ${right} ${bottom}`}
        role="img"
        aria-label={`${boxes.length} in the picture`}
      >
        {picture && <image href={picture.url} width={right} height={bottom} />}
        {boxes.map(({ label, ...box }, index) => (
          <g key={label || index}>
            <rect {...box} strokeWidth={unit * 2} />
            <text x={box.x + unit * 3} y={box.y + unit * 14} fontSize={unit * 13} strokeWidth={unit * 3}>
              {index + 1}
            </text>
          </g>
        ))}
      </svg>
      <ol className="legend">
        {boxes.map(({ label, x, y, width, height }, index) => (
          <li key={label || index}>
            <code>{label}</code>{' '}
            <span className="muted">
              {width} × {height} at {x}, {y}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}
