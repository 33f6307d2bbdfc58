import { serve } from '@icosa/compute/serve'
import { groups } from './groups.ts'
import { type Near, nearest, type Search } from './nearest.ts'
import { openScan } from './scan.ts'
import { type Signatures, signaturesOf } from './signatures.ts'

export type Task =
  | ({ readonly kind: 'search' } & Search)
  | { readonly kind: 'sign'; readonly descriptors: SharedArrayBuffer; readonly starts: SharedArrayBuffer }
  | { readonly kind: 'group'; readonly descriptors: Float32Array; readonly maxDistance: number }

export type Result = readonly Near[] | Signatures | readonly (readonly number[])[]

await serve(() => {
  const scan = openScan()
  return (task: Task): Result => {
    switch (task.kind) {
      case 'search':
        return nearest(task, scan)
      case 'sign':
        return signaturesOf(task.descriptors, task.starts)
      case 'group':
        return groups(task.descriptors, task.maxDistance)
    }
  }
})
