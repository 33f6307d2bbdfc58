import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode } from 'react'
import type { Reader, Row } from '../data/panel.ts'

export interface DrawingProps {
  readonly reader: Reader
  /** What can be done with a row. */
  readonly actOn: (row: Row) => ReactNode
}

type Load = () => Promise<{ readonly default: ComponentType<DrawingProps> }>

const loads: Readonly<Record<string, Load>> = {
  boxes: () => import('./boxes.tsx'),
  calendar: () => import('./calendar.tsx'),
  code: () => import('./code.tsx'),
  dots: () => import('./dots.tsx'),
  hex: () => import('./hex.tsx'),
  lines: () => import('./lines.tsx'),
  machine: () => import('./machine.tsx'),
  map: () => import('./map.tsx'),
  marked: () => import('./marked.tsx'),
  media: () => import('./media.tsx'),
  postings: () => import('./postings.tsx'),
  query: () => import('./query.tsx'),
  ranking: () => import('./ranking.tsx'),
  response: () => import('./response.tsx'),
  table: () => import('./table.tsx'),
  tree: () => import('./tree.tsx'),
  values: () => import('./values.tsx'),
}

/** Drawings by kind of panel, each loaded when it is first drawn. */
export const drawings: Readonly<Record<string, LazyExoticComponent<ComponentType<DrawingProps>>>> = Object.fromEntries(
  Object.entries(loads).map(([kind, load]) => [kind, lazy(load)]),
)
