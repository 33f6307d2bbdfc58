import { serve } from '@icosa/compute/serve'
import { groups } from './groups.ts'
import { type Near, nearest, type Search } from './nearest.ts'
import { openScan } from './scan.ts'
import { type Sketches, sketchesOf } from './sketches.ts'

export type Task =
  | ({ readonly is: 'search' } & Search)
  | { readonly is: 'sketch'; readonly descriptors: SharedArrayBuffer; readonly starts: SharedArrayBuffer }
  | { readonly is: 'group'; readonly descriptors: Float32Array; readonly within: number }

export type Result = readonly Near[] | Sketches | readonly (readonly number[])[]

await serve(() => {
  const scan = openScan()
  return (task: Task): Result => {
    switch (task.is) {
      case 'search':
        return nearest(task, scan)
      case 'sketch':
        return sketchesOf(task.descriptors, task.starts)
      case 'group':
        return groups(task.descriptors, task.within)
    }
  }
})
